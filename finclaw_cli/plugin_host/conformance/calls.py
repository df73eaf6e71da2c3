"""One call of one tool, through the pipeline of a run but outside of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from finclaw_cli.core.environment import environment
from finclaw_cli.core.events.agent import AgentToolCall, Event
from finclaw_cli.core.events.internal import ToolExecuteError
from finclaw_cli.core.events.parts import CallStatus
from finclaw_cli.core.ids import idempotency_key
from finclaw_cli.core.json_text import InvalidJson, JsonObject, canonical, parse_object, well_formed
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Approver
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.policy.stages import OWN_STAGES
from finclaw_cli.tools.executor import Executor, ExecutorSettings, ToolServices
from finclaw_cli.tools.null_services import AutoApprover, NoApprover, NoHooks, NoJournal
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry

WHOLE = 100_000_000


@record(kw_only=True)
class Called:
    """The outcome of a call."""

    result: ToolResult
    status: CallStatus
    crash: str | None
    """The exception that the tool raised, if it is not an allowed one."""


def make_call(name: str, arguments: JsonObject | str, call_id: str = "call_1") -> ToolCall:
    """A call as from a model: text is parsed as strictly, numbers are as exact."""
    text = arguments if isinstance(arguments, str) else canonical(arguments)
    try:
        return ToolCall(call_id, name, parse_object(well_formed(text)))
    except InvalidJson as error:
        return ToolCall(call_id, name, {}, invalid=str(error))


def make_context(home: Path, workspace: Path) -> ToolContext:
    """The context of a call in a check."""
    return ToolContext(
        agent_id="default",
        session_id="run_test",
        run_id="run_test",
        turn=1,
        call_id="call_1",
        idempotency_key="0" * 32,
        home=home,
        workspace=workspace,
        user="tester",
        channel="pipe",
        secret=environment().variables.get,
    )


async def call_once(
    definition: ToolDefinition,
    call: ToolCall,
    context: ToolContext,
    *,
    approved: bool = False,
    longest_s: float | None = None,
) -> Called:
    """Take one call through validation, policy, approval, the tool under its timeout, and back."""
    events: list[Event] = []

    async def listen(event: Event) -> None:
        events.append(event)

    approver: Approver = AutoApprover("test") if approved else NoApprover()
    entry = ToolEntry(spec=definition, origin="test", load=lambda: definition)
    executor = Executor(
        ToolRegistry([entry]),
        ToolServices(policy=StagedPolicy(stages=OWN_STAGES), approver=approver, journal=NoJournal(), hooks=NoHooks()),
        lambda asked, turn: replace(context, turn=turn, call_id=asked.id, idempotency_key=_key(context, asked, turn)),
        ExecutorSettings(max_result_chars=WHOLE, timeouts_s={} if longest_s is None else {call.name: longest_s}),
        listen,
    )
    result = await executor.answer(call, turn=context.turn)
    last = next(event for event in reversed(events) if isinstance(event, AgentToolCall))
    crash = next((e.message for e in events if isinstance(e, ToolExecuteError) and e.traceback is not None), None)
    return Called(result=result, status=last.status, crash=crash)


def _key(context: ToolContext, call: ToolCall, turn: int) -> str:
    return idempotency_key(
        session_id=context.session_id,
        run_id=context.run_id,
        turn=turn,
        call_id=call.id,
        tool=call.name,
        arguments=call.input,
    )
