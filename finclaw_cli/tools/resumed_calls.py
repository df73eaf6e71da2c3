"""Transactional calls whose end is not known: what became of them is found out before anything runs again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from finclaw_cli.core.events.internal import ToolOutcomeRequest, ToolOutcomeTold
from finclaw_cli.core.messages import OUTCOME_UNKNOWN, ToolCall, ToolResult
from finclaw_cli.core.ports import Earlier, Emit, Journal, OutcomeResolver
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec
from finclaw_cli.tools.guard import Guard
from finclaw_cli.tools.outcome import CallOutcome, recorded, unknown
from finclaw_cli.tools.reconcile import reconcile_call
from finclaw_cli.tools.time_limits import time_limit

RAN = "[The user says that this ran. What it gave was not kept.]"
GIVEN_UP = "[This did nothing. Ask for it again if it is still wanted.]"
DID_NOT_RUN = "[The user says that this did not run.]"
PERHAPS_DONE = "Whether it did what it was asked is unknown: find out before you ask for it again."
NOT_DONE = "[The service was asked for this call afterwards and does not know it: it did nothing.]"


class ResumedCallResolver:
    """Settles calls by what was recorded, by the tool's `reconcile`, or by the user; else they stay unknown."""

    def __init__(
        self,
        journal: Journal,
        outcome_resolver: OutcomeResolver,
        guard: Guard,
        timeouts_s: Mapping[str, float],
        emit: Emit,
    ) -> None:
        self._journal = journal
        self._outcome_resolver = outcome_resolver
        self._guard = guard
        self._timeouts_s = timeouts_s
        self._emit = emit

    async def outcome(
        self, call: ToolCall, tool: ToolSpec, context: ToolContext, earlier: Earlier
    ) -> CallOutcome | None:
        """The end of a call that an earlier run began and did not see end; None where it may run again.

        A tool that is not loaded, because its plugin is not trusted, has no `reconcile` here.
        """
        if earlier.repeatable is not False and tool.is_repeatable:
            return None
        if isinstance(tool, ToolDefinition) and tool.reconcile is not None and earlier.key is not None:
            return await self._reconciled(call, tool, context, earlier)
        return await self._outcome_resolvered(call, tool, context)

    async def after_failure(
        self, call: ToolCall, tool: ToolDefinition, context: ToolContext, ran: CallOutcome
    ) -> CallOutcome:
        """The end of a transactional call of this run that ended before it could say what it had done."""
        found = await reconcile_call(call, tool, context, self._emit, patience_s=tool.reconcile_after_s)
        if found.state == "done":
            content = self._guard.result(found.content, tool).text
            return replace(recorded(ToolResult(call.id, content)), duration_ms=ran.duration_ms)
        # Work that was ended from outside may go on in a thread of its own; only what ended by itself is over.
        if found.state == "not_found" and not ran.was_stopped:
            content = NOT_DONE if ran.status == "unknown" else f"{ran.content}\n{NOT_DONE}"
            return replace(ran, status="failed", content=content)
        return replace(ran, status="unknown", content=f"{ran.content} {PERHAPS_DONE}")

    async def _reconciled(
        self, call: ToolCall, tool: ToolDefinition, context: ToolContext, earlier: Earlier
    ) -> CallOutcome | None:
        found = await reconcile_call(call, tool, context, self._emit, patience_s=self._patience_s(tool, earlier))
        match found.state:
            case "done":
                return await self._kept(call, context, self._guard.result(found.content, tool).text)
            case "not_found":
                await self._give_up(call, context)
                return None
            case "unknown":
                return await self._outcome_resolvered(call, tool, context)

    def _patience_s(self, tool: ToolDefinition, earlier: Earlier) -> float:
        """How long from now on the service may still come to know the call, which ran for its time limit at most."""
        if earlier.began is None:
            return tool.reconcile_after_s
        age_s = (datetime.now(UTC) - earlier.began).total_seconds()
        left_s = time_limit(tool, self._timeouts_s) + tool.reconcile_after_s - age_s
        return min(max(left_s, 0.0), tool.reconcile_after_s)

    async def _outcome_resolvered(self, call: ToolCall, tool: ToolSpec, context: ToolContext) -> CallOutcome | None:
        turn = context.turn
        await self._emit(ToolOutcomeRequest(turn=turn, call_id=call.id, name=call.name))
        outcome = await self._outcome_resolver.ask(call, tool)
        await self._emit(ToolOutcomeTold(turn=turn, call_id=call.id, name=call.name, said=outcome))
        match outcome:
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
        """Record that the call did nothing, so that it is settled even if it is not approved now."""
        await self._kept(call, context, GIVEN_UP, is_error=True)

    async def _kept(self, call: ToolCall, context: ToolContext, content: str, *, is_error: bool = False) -> CallOutcome:
        result = ToolResult(call.id, content, is_error)
        await self._journal.record(call, context, result)
        return recorded(result)
