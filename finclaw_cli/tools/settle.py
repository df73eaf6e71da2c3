"""A call that an earlier run began: what became of it is found out before anything is run again."""

from __future__ import annotations

from finclaw_cli.core.inner_events import ToolOutcomeRequest, ToolOutcomeTold
from finclaw_cli.core.messages import OUTCOME_UNKNOWN, ToolCall, ToolResult
from finclaw_cli.core.ports import Earlier, Emit, Journal, Witness
from finclaw_cli.core.tool import Reconcile, Reconciled, ToolContext, ToolDefinition
from finclaw_cli.tools.bounded import bounded
from finclaw_cli.tools.guard import Guard
from finclaw_cli.tools.outcome import CallOutcome, recorded, unknown

RECONCILE_S = 30.0
RAN = "[The user says that this ran. What it gave was not kept.]"
GIVEN_UP = "[This did nothing. Ask for it again if it is still wanted.]"
DID_NOT_RUN = "[The user says that this did not run.]"


class Settlement:
    """Decides about such calls: by what was kept, by the tool's own word, by somebody who knows; else it stays open."""

    def __init__(self, journal: Journal, witness: Witness, guard: Guard, emit: Emit) -> None:
        self._journal = journal
        self._witness = witness
        self._guard = guard
        self._emit = emit

    async def outcome(
        self, call: ToolCall, tool: ToolDefinition, context: ToolContext, earlier: Earlier
    ) -> CallOutcome | None:
        """How a call ended of which nothing was kept but that it began; None where it may run again."""
        if earlier.repeatable is not False and (tool.read_only or tool.idempotent):
            return None
        if tool.reconcile is not None and earlier.key is not None:
            return await self._reconciled(call, tool, context, tool.reconcile)
        return await self._witnessed(call, tool, context)

    async def _reconciled(
        self, call: ToolCall, tool: ToolDefinition, context: ToolContext, reconcile: Reconcile
    ) -> CallOutcome | None:
        said = await _ask(reconcile, context)
        match said.state:
            case "done":
                return await self._kept(call, context, self._guard.result(said.content, tool).text)
            case "not_found":
                await self._give_up(call, context)
                return None
            case "unknown":
                return await self._witnessed(call, tool, context)

    async def _witnessed(self, call: ToolCall, tool: ToolDefinition, context: ToolContext) -> CallOutcome | None:
        turn = context.turn
        await self._emit(ToolOutcomeRequest(turn=turn, call_id=call.id, name=call.name))
        said = await self._witness.ask(call, tool)
        await self._emit(ToolOutcomeTold(turn=turn, call_id=call.id, name=call.name, said=said))
        match said:
            case "ran":
                return await self._kept(call, context, RAN)
            case "did_not_run":
                return await self._kept(call, context, DID_NOT_RUN, is_error=True)
            case "run_again":
                await self._give_up(call, context)
                return None
            case "unknown":
                return unknown(OUTCOME_UNKNOWN)

    async def _give_up(self, call: ToolCall, context: ToolContext) -> None:
        """Nobody has to wonder about it any more, also if it is not approved now or the process is killed here."""
        await self._kept(call, context, GIVEN_UP, is_error=True)

    async def _kept(self, call: ToolCall, context: ToolContext, content: str, *, is_error: bool = False) -> CallOutcome:
        result = ToolResult(call.id, content, is_error)
        await self._journal.record(call, context, result)
        return recorded(result)


async def _ask(reconcile: Reconcile, context: ToolContext) -> Reconciled:
    """What the tool finds out about the call of this key; whatever goes wrong, nothing is known."""
    try:
        said = await bounded(reconcile(context.idempotency_key, context), RECONCILE_S)
    except Exception:  # noqa: BLE001 - a plugin's code, or too slow
        return Reconciled(state="unknown")
    return said if isinstance(said, Reconciled) else Reconciled(state="unknown")
