"""Makes the conversation of a run smaller, giving up more of it as long as that is not enough."""

from __future__ import annotations

from finclaw_cli.core.events.context import ContextCompactFallback
from finclaw_cli.core.ports import Emit
from finclaw_cli.engine.context.compact import CompactionResult, Strategy, Summarize, compact, target_tokens
from finclaw_cli.engine.context.count import TokenCounter
from finclaw_cli.engine.context.parts import messages_of, parted
from finclaw_cli.engine.context.window import Fill
from finclaw_cli.engine.request import RunRequest
from finclaw_cli.engine.run_state import RunState

# What a summary may have where what stays leaves it less than that of what is wanted.
SUMMARY_ROOM = 2_048


class Compactor:
    """Compacts the messages of one run; it changes nothing by itself."""

    def __init__(self, request: RunRequest, record: RunState, counter: TokenCounter, emit: Emit) -> None:
        self._context = request.context
        self._timeout_s = request.limits.timeout_s
        self._record = record
        self._counter = counter
        self._emit = emit

    async def __call__(self, turn: int, fill: Fill, wanted: float, summarize: Summarize) -> CompactionResult:
        """Return the conversation made smaller; where that is not enough, fewer of the recent messages stay.

        At last the first question does not stay either: it may be larger than any window, and was then never answered.
        """
        target = target_tokens(round(fill.usable * wanted), fill.window) - self._counter.overhead
        keep = self._context.keep_recent
        while True:
            room = max(target, self._staying(keep) + SUMMARY_ROOM)
            result = await self._compacted(turn, room, summarize, self._context.strategy, keep)
            if self._fits(result, fill):
                return result
            fewer = self._fewer(keep)
            if fewer is None:
                break
            keep = fewer
            await self._warn(turn, f"the recent messages alone fill the window: only the last {keep} of them stay")
        without = await self._compacted(turn, target, summarize, "truncate-oldest", 0, keep_first=False)
        if not self._fits(without, fill):
            return result
        await self._warn(turn, "the first question leaves no room for the last one: it does not stay")
        return without

    async def _compacted(
        self,
        turn: int,
        target: int,
        summarize: Summarize,
        strategy: Strategy,
        keep_recent: int,
        *,
        keep_first: bool = True,
    ) -> CompactionResult:
        result = await compact(
            self._record.messages,
            target=target,
            strategy=strategy,
            summarize=summarize,
            count=self._counter.estimated,
            keep_recent=keep_recent,
            keep_first=keep_first,
            summary_s=self._timeout_s,  # the summarizer keeps its own time
        )
        for reason in result.fallbacks:
            await self._warn(turn, reason)
        return result

    async def _warn(self, turn: int, reason: str) -> None:
        await self._emit(ContextCompactFallback(turn=turn, reason=reason))

    def _fits(self, result: CompactionResult, fill: Fill) -> bool:
        return Fill(self._counter.overhead + result.after, fill.window).state != "exceeded"

    def _staying(self, keep_recent: int) -> int:
        """What of the conversation stays, whatever is done; tokens."""
        messages = self._record.messages
        old = messages_of(parted(messages, keep_recent).old)
        return self._counter.estimated(messages) - self._counter.estimated(old)

    def _fewer(self, keep_recent: int) -> int | None:
        """The next smaller number of recent messages with which more of the conversation may go."""
        messages = self._record.messages
        old = len(messages_of(parted(messages, keep_recent).old))
        while keep_recent > 0:
            keep_recent //= 2
            if len(messages_of(parted(messages, keep_recent).old)) > old:
                return keep_recent
        return None
