"""Makes the conversation of a run smaller, giving up more of it as long as that is not enough."""

from __future__ import annotations

from collections.abc import Iterator

from finclaw_cli.core.events.context import ContextCompactFallback
from finclaw_cli.core.ports import Emit
from finclaw_cli.engine.context.compact import CompactionResult, compact, target_tokens
from finclaw_cli.engine.context.count import TokenCounter
from finclaw_cli.engine.context.steps import Strategy
from finclaw_cli.engine.context.summaries import Compression, Fallback, Summarize
from finclaw_cli.engine.context.window import Fill
from finclaw_cli.engine.request import RunRequest
from finclaw_cli.engine.run_state import RunState

# What a summary may have where what stays leaves it less than that of what is wanted.
SUMMARY_ROOM = 2_048
# Less than this share of the window is not worth a compaction, which costs what the provider has cached.
LEAST_GAIN = 0.05
FILLED = "the recent messages alone fill the window: only the last {keep} of them stay"
OVER = "the last exchange that is over fills the window: only the last {keep} of the recent messages stay"


class Compactor:
    """Compacts the messages of one run; it changes nothing by itself."""

    def __init__(
        self, request: RunRequest, record: RunState, counter: TokenCounter, compression: Compression, emit: Emit
    ) -> None:
        self._context = request.context
        self._timeout_s = request.limits.timeout_s
        self._record = record
        self._counter = counter
        self._compression = compression
        self._method = request.context.method
        self._emit = emit

    def keep_recent(self, fill: Fill) -> int | None:
        """How many of the last messages stay; None where what may go is a trifle.

        They are fewer than was asked for where the others belong to an exchange that is over, and fill the window.
        """
        worth = [keep for keep in self._choices() if self._old(keep) >= LEAST_GAIN * fill.usable]
        enough = (keep for keep in worth if not self._filled(self._staying(keep), fill).needs_room)
        return next(enough, worth[-1] if worth else None)

    def _choices(self) -> Iterator[int]:
        """How many of the recent messages may stay, from what was asked for down to the current question."""
        keep: int | None = self._context.keep_recent
        least = min(self._context.keep_recent, self._method.least_recent(self._record.messages))
        while keep is not None and keep >= least:
            yield keep
            keep = self._fewer(keep)

    async def __call__(self, turn: int, fill: Fill, wanted: float, summarize: Summarize) -> CompactionResult:
        """Return the conversation made smaller; where that is not enough, fewer of the recent messages stay.

        At last the first question does not stay either: it may be larger than any window, and was then never answered.
        """
        target = target_tokens(round(fill.usable * wanted), fill.window) - self._counter.overhead
        strategy, keep = self._context.strategy, self._context.keep_recent
        if (least := self.keep_recent(fill)) is not None and least < keep:
            keep = least
            await self._warn(turn, self._with_less(OVER.format(keep=keep)))
        while True:
            room = max(target, self._room_beside(self._staying(keep), fill))
            result = await self._compacted(turn, room, summarize, strategy, keep)
            if self._fits(result, fill):
                return result
            fewer = self._fewer(keep)
            if fewer is None:
                break
            keep = fewer
            await self._warn(turn, self._with_less(FILLED.format(keep=keep)))
        without = await self._compacted(turn, target, summarize, "truncate-oldest", 0, keep_first=False)
        if not self._fits(without, fill):
            return result
        reason = "the first question leaves no room for the last one: it does not stay"
        await self._warn(turn, Fallback(from_strategy=strategy, to_strategy="truncate-oldest", reason=reason))
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
            method=self._method,
            compression=self._compression,
        )
        for fallback in result.fallbacks:
            await self._warn(turn, fallback)
        return result

    def _with_less(self, reason: str) -> Fallback:
        strategy = self._context.strategy
        return Fallback(from_strategy=strategy, to_strategy=strategy, reason=reason)

    async def _warn(self, turn: int, fallback: Fallback) -> None:
        await self._emit(
            ContextCompactFallback(
                turn=turn,
                reason=fallback.reason,
                from_strategy=fallback.from_strategy,
                to_strategy=fallback.to_strategy,
            )
        )

    def _filled(self, tokens: int, fill: Fill) -> Fill:
        return Fill(self._counter.overhead + tokens, fill.window)

    def _room_beside(self, staying: int, fill: Fill) -> int:
        """What stays and a summary; with less for the summary, where the window would be full again."""
        most = self._method.most_filled * fill.usable - self._counter.overhead
        return int(most) if staying < most < staying + SUMMARY_ROOM else staying + SUMMARY_ROOM

    def _fits(self, result: CompactionResult, fill: Fill) -> bool:
        return self._filled(result.after, fill).state != "exceeded"

    def _staying(self, keep_recent: int) -> int:
        """What of the conversation stays, whatever is done; tokens."""
        return self._counter.estimated(self._record.messages) - self._old(keep_recent)

    def _old(self, keep_recent: int) -> int:
        """What of the conversation may go; tokens."""
        return self._counter.estimated(self._method.parted(self._record.messages, keep_recent).old)

    def _fewer(self, keep_recent: int) -> int | None:
        """The next smaller number of recent messages with which more of the conversation may go."""
        messages = self._record.messages
        old = len(self._method.parted(messages, keep_recent).old)
        while keep_recent > 0:
            keep_recent //= 2
            if len(self._method.parted(messages, keep_recent).old) > old:
                return keep_recent
        return None
