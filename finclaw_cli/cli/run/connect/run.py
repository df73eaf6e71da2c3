"""A run that a server makes, shown as if this process had made it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime
from typing import cast

from finclaw_cli.cli.run.connect.client import ServerClient, ServerLost
from finclaw_cli.cli.run.connect.event_lines import event_of
from finclaw_cli.cli.run.outputs import Outputs, failed_output, main_sink, open_stream, verbosity, write_last_message
from finclaw_cli.core import exits
from finclaw_cli.core.bus import PIECES, sinks_of_deltas
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.events.agent import AgentResult, AgentToolCall, Emitted
from finclaw_cli.core.events.approval import AgentApproval, AgentApprovalRequest
from finclaw_cli.core.events.parts import Failure
from finclaw_cli.core.json_text import ExactObject
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import ApprovalRequest, Approver, EventSink, Verdict
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.engine.cancel import SIGNALS, CancelScope, RunCancelled
from finclaw_cli.output.notices import Notices
from finclaw_cli.settings.model import Settings

PATIENCE_S = 30.0
"""How long the end of a run may take that was cancelled."""


class ConnectedRun:
    """One run of a server: its events go to the outputs here, and its approvals are asked here."""

    def __init__(
        self,
        client: ServerClient,
        run_id: str,
        *,
        settings: Settings,
        outputs: Outputs,
        approver: Approver,
        scope: CancelScope,
    ) -> None:
        self._client = client
        self._run_id = run_id
        self._outputs = outputs
        self._approver = approver
        self._scope = scope
        self._stream = open_stream(outputs, scope)
        self._sinks: list[EventSink] = [
            main_sink(settings, outputs, self._stream),
            Notices(verbosity(settings, outputs)),
        ]
        self._of_pieces = sinks_of_deltas(self._sinks)
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._cancelling: set[asyncio.Task[None]] = set()
        self._running: dict[str, None] = {}
        """The calls that run, the one that has run longest first."""
        self._result: AgentResult | None = None

    def cancel_call(self, call_id: str) -> bool:
        """End one call of the run soon; the events show whether there was any."""
        task = asyncio.create_task(self._client.cancel_call(self._run_id, call_id))
        self._cancelling.add(task)
        task.add_done_callback(self._cancelling.discard)
        return True

    def cancel_longest_call(self) -> None:
        """End the call that has run longest; the next time the one after it."""
        if (call_id := next(iter(self._running), None)) is not None:
            del self._running[call_id]
            self.cancel_call(call_id)

    async def show(self) -> int:
        """Show the run to its end, also where it is cancelled; return the exit code of the process."""
        self._stream.watch_reader()
        showing = asyncio.create_task(self._show_all())
        cancelling = asyncio.create_task(self._cancel_when_asked(showing))
        try:
            await asyncio.wait({showing})
        finally:
            for task in (cancelling, *self._asking.values()):
                task.cancel()
            await self._stream.drained()
            self._stream.unwatch()
        if not showing.cancelled():
            showing.result()
        return self._exit_code()

    async def _show_all(self) -> None:
        try:
            async with aclosing(self._client.lines(self._run_id)) as lines:
                async for line in lines:
                    if (emitted := event_of(line)) is not None:
                        await self._take(emitted)
        except (FinclawError, ValueError) as error:
            await self._take(self._lost(error))
        if self._result is not None and self._outputs.last_message is not None:
            write_last_message(self._outputs.last_message, self._result.exit_code, self._result.text)

    async def _take(self, emitted: Emitted) -> None:
        event = emitted.event
        for sink in self._of_pieces if isinstance(event, PIECES) else self._sinks:
            await sink.take(emitted)
        match event:
            case AgentResult():
                self._result = event
            case AgentToolCall(status="running"):
                self._running[event.call_id] = None
            case AgentToolCall():
                self._running.pop(event.call_id, None)
            case AgentApprovalRequest():
                self._asking[event.id] = asyncio.create_task(self._ask(event))
            case AgentApproval() if (asking := self._asking.pop(event.id, None)) is not None:
                asking.cancel()  # it was answered, perhaps by another client
            case _:
                pass

    async def _ask(self, event: AgentApprovalRequest) -> None:
        facts = await self._client.pending(event.id)
        spec = ToolSpec(
            name=event.name,
            description="",
            input_schema={},
            source=str(facts.get("source", "")),
            transactional=facts.get("transactional") is not False,
        )
        request = ApprovalRequest(
            id=event.id,
            call=ToolCall(event.call_id, event.name, cast("ExactObject", event.input)),
            spec=spec,
            verdict=Verdict(decision="require-approval", stage=event.stage, reason=event.reason),
            preview=event.preview,
        )
        answer = await self._approver.ask(request)
        await self._client.answer(event.id, granted=answer.granted, reason=answer.reason)

    async def _cancel_when_asked(self, showing: asyncio.Task[None]) -> None:
        """End the run of the server by a signal that comes, or where stdout is closed."""
        try:
            await self._scope.run(asyncio.Event().wait())
        except RunCancelled as cancelled:
            await self._client.cancel(self._run_id, cancelled.code if cancelled.code in SIGNALS else "interrupted")
            await asyncio.sleep(PATIENCE_S)
            showing.cancel()

    def _exit_code(self) -> int:
        if self._stream.failure is not None:
            return failed_output(self._stream.failure).exit_code
        return exits.UNEXPECTED if self._result is None else self._result.exit_code

    def _lost(self, error: Exception) -> Emitted:
        """The last line of a run whose server is lost: what becomes of it there is not known here."""
        failed = error if isinstance(error, FinclawError) else ServerLost(f"the server is no finclaw serve: {error}")
        result = AgentResult(
            status="error", exit_code=failed.exit_code, session_id="", model=None, scripted=False, text="", output=None,
            stop_reason=None, turns=0, usage=None, cost_usd=None, tool_calls={}, denied=(), unknown=(), duration_ms=0,
            error=Failure(code=failed.code, message=failed.message, hint=failed.hint),
        )  # fmt: skip
        return Emitted(datetime.now(UTC), self._run_id, result)
