"""Making a conversation smaller so that it fits the window, without losing what it is about.

The first question and the recent messages stay as they are, to the byte, so that what the provider has cached of them
stays cached; a call is never parted from its result. Pure but for the summariser, which may fail, hang or ramble: then
the next cheaper way is taken, and the run goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from finclaw_cli.context.count import SUMMARY_MARK
from finclaw_cli.context.parts import Parts, Unit, parted
from finclaw_cli.core.messages import Message, ToolResultBlock

Strategy = Literal["truncate-tools", "truncate-oldest", "summarize", "hybrid"]
Step = Literal["truncate-tools", "truncate-oldest", "summarize", "summarize-chunks"]
Summarize = Callable[[Sequence[Message], int], Awaitable[str]]
"""Makes a summary of messages in at most so many tokens. May raise, hang, or return anything."""
Count = Callable[[Sequence[Message]], int]

TRUNCATED = "[Result truncated for context management]"
KEEP_RECENT = 6
SUMMARY_S = 60.0
RESERVED_TOKENS = 4_096
"""For the answer, and for what a summary itself costs."""
MARGIN = 1.2
SMALL_WINDOW, SMALL_FLOOR, FLOOR = 32_000, 16_384, 32_768
LITTLE_EXCESS = 0.2
LEAST_CHUNKS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
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
    fallbacks: tuple[str, ...]
    """What went wrong on the way, in words."""


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
    summary_s: float = SUMMARY_S,
) -> CompactionResult:
    """The conversation in at most `target` tokens, or as near as can be come without touching what has to stay.

    Args:
        messages: a valid conversation, without the system prompt.
        target: how many tokens it may have.
        strategy: what is tried first.
        summarize: makes summaries.
        count: counts the tokens of messages.
        keep_recent: how many of the last messages stay as they are.
        summary_s: how long one summary may take, in seconds.
    """
    work = _Work(parted(messages, keep_recent), target, count, summarize, summary_s)
    before = count(messages)
    for step in _steps(strategy, before, target):
        if work.is_small_enough():
            break
        await work.take(step)
    result = work.messages()
    return CompactionResult(
        messages=result,
        summary=work.summary,
        removed=len(messages) - len(result) + bool(work.summary),
        before=before,
        after=count(result),
        steps=tuple(work.steps),
        fallbacks=tuple(work.fallbacks),
    )


def _steps(strategy: Strategy, before: int, target: int) -> tuple[Step, ...]:
    """What is tried, in order; dropping the oldest needs nobody and always works, so it is the last."""
    match strategy:
        case "truncate-tools":
            return "truncate-tools", "truncate-oldest"
        case "truncate-oldest":
            return ("truncate-oldest",)
        case "summarize":
            return "summarize", "truncate-tools", "truncate-oldest"
        case "hybrid" if before - target < LITTLE_EXCESS * before:
            return "truncate-tools", "summarize", "truncate-oldest"
        case "hybrid":
            return "summarize", "truncate-tools", "truncate-oldest"
        case _:
            assert_never(strategy)


class _Work:
    """The conversation while it shrinks."""

    def __init__(self, parts: Parts, target: int, count: Count, summarize: Summarize, summary_s: float) -> None:
        self._parts = parts
        self._old = parts.old
        self._target = target
        self._count = count
        self._summarize = summarize
        self._summary_s = summary_s
        self._made: Unit = ()
        self.steps: list[Step] = []
        self.fallbacks: list[str] = []

    @property
    def summary(self) -> str:
        """The summary that was made, as long as it is part of the conversation."""
        return self._made[0].text.removeprefix(SUMMARY_MARK).lstrip("\n") if self._made in self._old else ""

    def messages(self) -> tuple[Message, ...]:
        return self._parts.with_old(self._old)

    def is_small_enough(self) -> bool:
        return not self._old or self._count(self.messages()) <= self._target

    async def take(self, step: Step) -> None:
        """Take one step; what it did is noted where it did anything."""
        before = self._old
        match step:
            case "truncate-tools":
                self._truncate_tools()
            case "truncate-oldest":
                self._drop_oldest()
            case "summarize" | "summarize-chunks":
                step = await self._summarized()
            case _:
                assert_never(step)
        if self._old != before:
            self.steps.append(step)

    def _truncate_tools(self) -> None:
        """Results become a word each, the oldest first, until the rest fits."""
        excess = self._count(self.messages()) - self._target
        units = list(self._old)
        for place, unit in enumerate(units):
            if excess <= 0:
                break
            units[place] = tuple(map(_truncated, unit))
            excess -= self._count(unit) - self._count(units[place])
        self._old = tuple(units)

    def _drop_oldest(self) -> None:
        excess = self._count(self.messages()) - self._target
        units = list(self._old)
        while units and excess > 0:
            excess -= self._count(units.pop(0))
        self._old = tuple(units)

    async def _summarized(self) -> Step:
        """Replace what is old by a summary: of all of it at once, else of pieces; else it stays as it is."""
        old = [message for unit in self._old for message in unit]
        room = max(self._target - self._count(self._parts.with_old(())), 1)
        summary = await self._summary_of(old, room)
        step: Step = "summarize"
        if summary is None:
            chunks = self._chunks(room)
            pieces = [await self._summary_of(chunk, max(room // len(chunks), 1)) for chunk in chunks]
            if None in pieces:
                return "summarize-chunks"
            summary, step = "\n\n".join(filter(None, pieces)), "summarize-chunks"
        self._made = (Message("user", f"{SUMMARY_MARK}\n{summary}"),)
        self._old = (self._made,)
        return step

    def _chunks(self, room: int) -> list[list[Message]]:
        """The old part in as many pieces as it is larger than the room for its summary, at least two."""
        size = self._count([message for unit in self._old for message in unit])
        wanted = min(max(LEAST_CHUNKS, size // max(room, 1)), max(len(self._old), 1), 8)
        chunks: list[list[Message]] = [[] for _ in range(wanted)]
        for place, unit in enumerate(self._old):
            chunks[place * wanted // len(self._old)].extend(unit)
        return [chunk for chunk in chunks if chunk]

    async def _summary_of(self, messages: Sequence[Message], room: int) -> str | None:
        """A summary that is one: made in time, not empty, and shorter than what it stands for."""
        try:
            async with asyncio.timeout(self._summary_s):
                summary = (await self._summarize(messages, room)).strip()
        except Exception as error:  # noqa: BLE001 - whatever fails here must not cost the run
            self.fallbacks.append(f"the summary failed: {str(error) or type(error).__name__}")
            return None
        if not summary:
            self.fallbacks.append("the summary was empty")
            return None
        if self._count([Message("user", summary)]) >= self._count(messages):
            self.fallbacks.append("the summary was longer than what it sums up")
            return None
        return summary


def _truncated(message: Message) -> Message:
    if message.role != "tool" or isinstance(message.content, str):
        return message
    blocks = tuple(
        replace(block, content=TRUNCATED)
        if isinstance(block, ToolResultBlock) and len(block.content) > len(TRUNCATED)
        else block
        for block in message.content
    )
    return message if blocks == message.content else replace(message, content=blocks)
