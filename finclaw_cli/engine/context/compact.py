"""Making a conversation smaller so that it fits the window, without losing what it is about.

The first question, the current one and the recent messages stay as they are, to the byte; a call is never parted from
its result. Pure but for the summariser, which may fail, hang or ramble: then the next cheaper way is taken, and the run
goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from finclaw_cli.core.messages import SUMMARY_MARK, Message
from finclaw_cli.core.record import record
from finclaw_cli.engine.context.method import BY_PIECE, Count, Goal, Method
from finclaw_cli.engine.context.parts import Parts
from finclaw_cli.engine.context.shorten import shortened
from finclaw_cli.engine.context.steps import Step, Strategy, steps_of
from finclaw_cli.engine.context.summaries import LEAST_ROOM, Compression, Fallback, Summaries, Summarize
from finclaw_cli.engine.context.window import RESERVED_TOKENS

KEEP_RECENT = 6
SUMMARY_S = 60.0
MARGIN = 1.2
SMALL_WINDOW, SMALL_FLOOR, FLOOR = 32_000, 16_384, 32_768


@record(kw_only=True)
class CompactionResult:
    """What became of a conversation. Counts are tokens as `count` sees them."""

    messages: tuple[Message, ...]
    summary: str
    """Empty where none was made."""
    removed: int
    """How many messages are gone, summarised or dropped."""
    before: int
    after: int
    steps: tuple[Step, ...]
    """What was done, in order."""
    fallbacks: tuple[Fallback, ...]
    """What went wrong on the way."""


def target_tokens(wanted: int, window: int) -> int:
    """How small a conversation has to become so that `wanted` tokens hold it, with what its summary costs."""
    floor = SMALL_FLOOR if window < SMALL_WINDOW else FLOOR
    return max(min(floor, wanted), int(wanted / MARGIN) - RESERVED_TOKENS, 0)


async def compact(
    messages: Sequence[Message],
    *,
    target: int,
    strategy: Strategy,
    summarize: Summarize,
    count: Count,
    keep_recent: int = KEEP_RECENT,
    keep_first: bool = True,
    summary_s: float = SUMMARY_S,
    method: Method = BY_PIECE,
    compression: Compression | None = None,
) -> CompactionResult:
    """The conversation in at most `target` tokens, or as near as can be come without touching what has to stay.

    Args:
        messages: a valid conversation, without the system prompt.
        target: how many tokens it may have.
        strategy: what is tried first.
        summarize: makes summaries.
        count: counts the tokens of messages.
        keep_recent: how many of the last messages stay as they are.
        keep_first: whether the first question stays as it is, too.
        summary_s: how long one summary may take, in seconds.
        method: how the conversation is divided.
        compression: how short summaries were until now; it is brought up to date.
    """
    goal = Goal(target, count)
    summaries = Summaries(count, summarize, summary_s, method, compression or Compression())
    work = _Work(method.parted(messages, keep_recent, keep_first=keep_first), goal, method, summaries)
    before = count(messages)
    steps = steps_of(strategy, before, target)
    for step, otherwise in zip(steps, (*steps[1:], steps[-1]), strict=True):
        if work.is_small_enough():
            break
        await work.take(step, otherwise)
    result = work.messages()
    return CompactionResult(
        messages=result,
        summary=work.summary,
        removed=len(messages) - len(result) + bool(work.summary),
        before=before,
        after=count(result),
        steps=tuple(work.steps),
        fallbacks=tuple(summaries.fallbacks),
    )


class _Work:
    """The conversation while it shrinks."""

    def __init__(self, parts: Parts, goal: Goal, method: Method, summaries: Summaries) -> None:
        self._parts = parts
        self._goal = goal
        self._method = method
        self._summaries = summaries
        self._has_made_one = False
        self.steps: list[Step] = []

    @property
    def summary(self) -> str:
        """The summary that was made, as long as it is part of the conversation."""
        made = (each.text for each in self._parts.old if each.is_summary) if self._has_made_one else ()
        return next((text.removeprefix(SUMMARY_MARK).lstrip("\n") for text in made), "")

    def messages(self) -> tuple[Message, ...]:
        return self._parts.messages

    def is_small_enough(self) -> bool:
        return not self._parts.old or self._goal.fits(self._parts)

    async def take(self, step: Step, otherwise: Step) -> None:
        """Take one step; what it did is noted where it did anything."""
        before = self._parts
        match step:
            case "truncate-tools":
                self._parts = self._method.truncated(before, self._goal)
            case "truncate-oldest":
                self._drop_oldest()
            case "summarize" | "summarize-chunks":
                step = await self._sum_up(otherwise)
            case _:
                assert_never(step)
        if self._parts != before:
            self.steps.append(step)

    def _drop_oldest(self) -> None:
        """The oldest go until the rest fits; a summary is cut instead, where that is enough."""
        parts = self._parts
        gone = self._method.dropped(parts, self._goal)
        self._parts = parts.without(gone)
        summary = self._method.shortened(parts, gone) if gone else None
        if summary is not None:
            self._parts = self._with_cut_summary(parts, gone - {summary}, summary) or self._parts

    def _with_cut_summary(self, parts: Parts, gone: frozenset[int], summary: int) -> Parts | None:
        """Without what is gone, and of an earlier summary as much as there is room for."""
        place = next(place for place, item in enumerate(parts.items) if item.rank == summary)

        def keeping(text: str) -> Parts:
            return parts.changed({place: Message("user", text)}).without(gone)

        whole = parts.items[place].message.text
        text = shortened(whole, lambda text: self._goal.fits(keeping(text)), len(SUMMARY_MARK))
        return None if text is None else keeping(text)

    async def _sum_up(self, otherwise: Step) -> Step:
        """Replace what is old by a summary; where none is to be had, it stays as it is."""
        parts = self._parts
        gone = self._method.summed_up(parts, self._goal, LEAST_ROOM)
        room = self._goal.left(parts.summed_up(gone, ""))
        summary, step = await self._summaries.of(parts.of(gone), room, otherwise)
        if summary is not None:
            self._parts = parts.summed_up(gone, summary)
            self._has_made_one = True
        return step
