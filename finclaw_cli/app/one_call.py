"""One call of one tool without a model: the pipeline of a run, for `finclaw tools call` and for programs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from finclaw_cli.app.plan import context_maker, executor_settings
from finclaw_cli.core.bus import Bus
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.events.agent import AgentToolCall, Emitted
from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Approval, ApprovalRequest, Approver, EventSink
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import CANCELLED_BY_OTHERS, take_back_cancellation
from finclaw_cli.settings.model import Settings
from finclaw_cli.tools.executor import Executor, ToolServices
from finclaw_cli.tools.registry import ToolRegistry
from finclaw_cli.tools.toolsets import ToolSets

WHOLE = 100_000_000
CALL_ID = "call_by_hand"


@record
class ByHandApprover:
    """Approves the tool that was named; asks where a rule requires it, money moves, or the tool is not trusted."""

    otherwise: Approver

    async def ask(self, request: ApprovalRequest) -> Approval:
        verdict = request.verdict
        deciding = next((opinion for opinion in verdict.trail if opinion.stage == verdict.stage), None)
        is_usual = deciding is not None and deciding.by == "default"
        if is_usual and request.spec.is_trusted and not request.spec.transactional:
            return Approval(granted=True, by="called by hand", request_id=request.id)
        return await self.otherwise.ask(request)


@record(kw_only=True)
class OneCall:
    """A call, and what it is made with."""

    call: ToolCall
    toolsets: ToolSets
    services: ToolServices
    settings: Settings
    channel: str
    timeout_s: float | None = None
    """In place of the tool's own time limit."""

    async def answer(self, sinks: Sequence[EventSink] = ()) -> AgentToolCall:
        """Make the call, whose events go to the sinks; return its end, with its whole result."""
        last = _End()
        executor = self._executor([last, *sinks])
        try:
            await executor.answer(self.call, turn=1)
        except asyncio.CancelledError:
            await take_back_cancellation()
            return replace(last.event, result=CANCELLED_BY_OTHERS.message) if last.event else _cut_off(self.call)
        finally:
            await self.toolsets.stop()
            await executor.close()
        return last.event or _cut_off(self.call)

    def _executor(self, sinks: Sequence[EventSink]) -> Executor:
        entry = self.toolsets.registry.require(self.call.name)
        run_id = new_run_id()
        usual = executor_settings(self.settings)
        own = {entry.spec.name: self.timeout_s} if self.timeout_s is not None else usual.timeouts_s
        return Executor(
            ToolRegistry([entry]),
            self.services,
            context_maker(self.settings, run_id, run_id, self.channel),
            replace(usual, max_result_chars=WHOLE, timeouts_s=own, guard=replace(usual.guard, max_chars=WHOLE)),
            Bus(run_id, SystemClock(), sinks).emit,
        )


class _End:
    """Keeps the end of the call."""

    takes_deltas = False
    event: AgentToolCall | None = None

    async def take(self, emitted: Emitted) -> None:
        if isinstance(emitted.event, AgentToolCall) and emitted.event.status in ENDED:
            self.event = emitted.event


def _cut_off(call: ToolCall) -> AgentToolCall:
    """The end of a call that was ended before it could say so."""
    return AgentToolCall(turn=1, call_id=call.id, name=call.name, status="cancelled", result="cancelled", is_error=True)
