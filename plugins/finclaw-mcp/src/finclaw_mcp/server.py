"""finclaw as a server: its tools are listed, and called behind the policy and the approvals of every run."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from finclaw_cli import Agent, __version__
from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.toolsets import ToolSpec
from finclaw_mcp.client_calls import ClientCall, ClientCalls, Question
from finclaw_mcp.elicitation import KEY, answered, can_be_asked, cannot_be_asked, form
from finclaw_mcp.offering import declared, failure, result
from finclaw_mcp.requested_call import RequestedCall

NAME = "finclaw"
INSTRUCTIONS = (
    "Results name the date, the units and the sources of their numbers: report them, and report what is unavailable "
    "as unavailable. Some calls are made only once the user has approved them."
)
LIST_TTL_MS = 60_000
STATE_S = 300.0
"""How long the answer to a form is waited for, in seconds; the run may wait for less."""
MAX_CLIENT_CHARS = 100
Context = ServerRequestContext[Any, Any]


class Tools:
    """The requests of clients about tools.

    Args of the constructor:
        agent: makes the runs; its approver is that of `calls`.
        specs: the tools to offer.
        calls: the calls under way.
    """

    def __init__(self, agent: Agent, specs: Sequence[ToolSpec], calls: ClientCalls) -> None:
        self._agent = agent
        self._specs = {spec.name: spec for spec in specs}
        self._calls = calls
        self._asked: dict[str, tuple[ClientCall, Question]] = {}
        """The calls whose client was given a form with the answer to an earlier request, by what it sends back."""

    def server(self) -> Server[Any]:
        """The server, for any transport."""
        server: Server[Any] = Server(
            NAME,
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
            cache_hints={"tools/list": CacheHint(ttl_ms=LIST_TTL_MS, scope="private")},
        )
        server.middleware.append(
            RequestStateBoundary(RequestStateSecurity.ephemeral(ttl=STATE_S), default_audience=NAME)
        )
        return server

    async def _list(self, _context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[declared(spec) for spec in self._specs.values()])

    async def _call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        spec = self._specs.get(params.name)
        if spec is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"there is no tool {bounded(params.name, 100)}")
        try:
            call = await self._taken_up(context, params)
        except ToolError as error:
            return failure(str(error))
        call.report = _reporter(context)
        try:
            return await self._attended(context, call, spec)
        except asyncio.CancelledError:
            call.cancel()
            raise
        finally:
            call.report = None

    async def _taken_up(self, context: Context, params: types.CallToolRequestParams) -> ClientCall:
        """The call that a request begins, or the one whose form it answers.

        Raises:
            ToolError: it answers no form that waits, or the call cannot begin.
        """
        if params.request_state is None:
            requested = RequestedCall(
                client=_client(context),
                tool=params.name,
                arguments=params.arguments or {},
                id=f"call_{secrets.token_hex(12)}",
            )
            return await self._calls.begin(self._agent, requested)
        found = self._asked.pop(params.request_state, None)
        if found is None or found[1].answer.done():
            raise ToolError("nothing waits for this answer: it was given before, or too late. Call the tool again.")
        call, question = found
        question.settle(answered(question.request, (params.input_responses or {}).get(KEY)))
        return call

    async def _attended(
        self, context: Context, call: ClientCall, spec: ToolSpec
    ) -> types.CallToolResult | types.InputRequiredResult:
        while isinstance(step := await call.step(), Question):
            if not can_be_asked(context):
                await self._refuse(context, call, step)
            elif context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                return self._form(call, step)
            else:
                await _ask(context, step)
        return failure(step.text) if step.is_error else result(spec, step.text)

    async def _refuse(self, context: Context, call: ClientCall, question: Question) -> None:
        """Deny what this client cannot be asked; the newer protocol wants an error for it."""
        denied = cannot_be_asked(question.request)
        question.settle(denied)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            await call.step()
            needed = types.ClientCapabilities(elicitation=types.ElicitationCapability())
            raise MCPError(
                code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
                message=f"{call.call.tool} needs an approval: {denied.reason}",
                data={"requiredCapabilities": needed.model_dump(by_alias=True, exclude_none=True)},
            )

    def _form(self, call: ClientCall, question: Question) -> types.InputRequiredResult:
        """The form as the answer to the request; the call waits until the client sends what its user has chosen."""
        state = secrets.token_urlsafe(32)
        self._asked[state] = (call, question)
        question.answer.add_done_callback(lambda _: self._asked.pop(state, None))
        return types.InputRequiredResult(input_requests={KEY: form(question.request)}, request_state=state)


async def _ask(context: Context, question: Question) -> None:
    """Ask over the open connection; a question whose time is up is not waited for."""
    metadata = ServerMessageMetadata(related_request_id=context.request_id)
    asking = asyncio.ensure_future(
        context.session.send_request(form(question.request), types.ElicitResult, metadata=metadata)
    )
    either: set[asyncio.Future[Any]] = {asking, question.answer}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not question.answer.done():
            failed = asking.cancelled() or asking.exception() is not None
            question.settle(answered(question.request, None if failed else asking.result()))
    finally:
        asking.cancel()


def _reporter(context: Context) -> Any:
    async def report(message: str, fraction: float | None) -> None:
        await context.session.report_progress(fraction or 0.0, 1.0 if fraction is not None else None, message)

    return report


def _client(context: Context) -> str:
    info = context.session.client_params.client_info if context.session.client_params is not None else None
    return bounded(f"{info.name} {info.version}".strip(), MAX_CLIENT_CHARS) if info is not None else "unknown client"
