"""Making a conversation smaller so that it fits the window, without losing what it is about.

The first question, the current one and the recent messages stay as they are, to the byte; a call is never parted from
its result. Pure but for the summariser, which may fail, hang or ramble: then the next cheaper way is taken, and the run
goes on.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Literal, assert_never

from finclaw_cli.core.messages import SUMMARY_MARK, Message
from finclaw_cli.core.record import record
from finclaw_cli.engine.context.parts import Parts, Unit, messages_of, parted
from finclaw_cli.engine.context.shorten import shortened, without_results
from finclaw_cli.engine.context.window import RESERVED_TOKENS

Strategy = Literal["truncate-tools", "truncate-oldest", "summarize", "hybrid"]
Step = Literal["truncate-tools", "truncate-oldest", "summarize", "summarize-chunks"]
Summarize = Callable[[Sequence[Message], int], Awaitable[str]]
"""Makes a summary of messages in at most so many tokens. May raise, hang, or return anything."""
Count = Callable[[Sequence[Message]], int]

KEEP_RECENT = 6
SUMMARY_S = 60.0
MARGIN = 1.2
SMALL_WINDOW, SMALL_FLOOR, FLOOR = 32_000, 16_384, 32_768
LITTLE_EXCESS = 0.2
LEAST_CHUNKS, MOST_CHUNKS = 2, 8
LEAST_ROOM = 32
"""For less no summary is made."""


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
    keep_first: bool = True,
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
        keep_first: whether the first question stays as it is, too.
        summary_s: how long one summary may take, in seconds.
    """
    work = _Work(parted(messages, keep_recent, keep_first=keep_first), target, count, summarize, summary_s)
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
    """What is tried, in order; dropping the oldest needs no model and always works, so it is the last."""
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
        self._target = target
        self._count = count
        self._summarize = summarize
        self._summary_s = summary_s
        self._has_made_one = False
        self.steps: list[Step] = []
        self.fallbacks: list[str] = []

    @property
    def summary(self) -> str:
        """The summary that was made, as long as it is part of the conversation."""
        made = (unit.messages[0].text for unit in self._parts.old if unit.is_summary) if self._has_made_one else ()
        return next((text.removeprefix(SUMMARY_MARK).lstrip("\n") for text in made), "")

    def messages(self) -> tuple[Message, ...]:
        return self._parts.messages

    def is_small_enough(self) -> bool:
        return not self._parts.old or self._fits(self._parts)

    async def take(self, step: Step) -> None:
        """Take one step; what it did is noted where it did anything."""
        before = self._parts
        match step:
            case "truncate-tools":
                self._truncate_tools()
            case "truncate-oldest":
                self._drop_oldest()
            case "summarize" | "summarize-chunks":
                step = await self._summarized()
            case _:
                assert_never(step)
        if self._parts != before:
            self.steps.append(step)

    def _fits(self, parts: Parts) -> bool:
        return self._count(parts.messages) <= self._target

    def _as_little_as_fits(self, shrunk: Callable[[int], Parts]) -> int:
        """To how many of the oldest units something has to be done; to all, where even that is not enough."""
        return bisect_left(range(len(self._parts.old)), x=True, key=lambda number: self._fits(shrunk(number)))

    def _truncate_tools(self) -> None:
        """Results become a word each, the oldest first, until the rest fits."""
        parts = self._parts
        changed = [replace(unit, messages=tuple(map(without_results, unit))) for unit in parts.old]
        self._parts = _shrunk(parts, changed[: self._as_little_as_fits(lambda n: _shrunk(parts, changed[:n]))])

    def _drop_oldest(self) -> None:
        """The oldest go until the rest fits; a summary is cut instead, where that is enough."""
        parts = self._parts
        gone = self._as_little_as_fits(lambda number: _shrunk(parts, [None] * number))
        self._parts = _shrunk(parts, [None] * gone)
        if gone and parts.old[gone - 1].is_summary:
            self._parts = self._with_cut_summary(parts, gone) or self._parts

    def _with_cut_summary(self, parts: Parts, gone: int) -> Parts | None:
        """The oldest gone but for the last of them, a summary, of which as much is kept as there is room for."""

        def keeping(text: str) -> Parts:
            return _shrunk(parts, [*[None] * (gone - 1), Unit((Message("user", text),))])

        whole = parts.old[gone - 1].messages[0].text
        text = shortened(whole, lambda text: self._fits(keeping(text)), len(SUMMARY_MARK))
        return None if text is None else keeping(text)

    async def _summarized(self) -> Step:
        """Replace what is old by a summary: of all of it at once, else of pieces; else it stays as it is."""
        room = self._target - self._count(self._summed_up("").messages)
        if room < LEAST_ROOM:
            self.fallbacks.append("there was no room for a summary")
            return "summarize"
        step: Step = "summarize"
        summary = await self._summary_of(messages_of(self._parts.old), room, "the summary")
        if summary is None:
            step = "summarize-chunks"
            summary = await self._summary_in_chunks(room)
        if summary is not None:
            self._parts = self._summed_up(summary)
            self._has_made_one = True
        return step

    def _summed_up(self, summary: str) -> Parts:
        """The summary stands behind the first question, and before the current one, which is no part of it."""
        stays = [unit for unit in self._parts.units if unit.stays]
        made = Unit((Message("user", f"{SUMMARY_MARK}\n{summary}"),))
        return replace(self._parts, units=(*stays[:1], made, *stays[1:]))

    async def _summary_in_chunks(self, room: int) -> str | None:
        """The summaries of pieces, one after the other; none, as soon as one of them fails."""
        chunks = self._chunks(room)
        if len(chunks) < LEAST_CHUNKS:
            return None
        pieces: list[str] = []
        for number, chunk in enumerate(chunks, start=1):
            called = f"the summary of part {number} of {len(chunks)}"
            piece = await self._summary_of(chunk, max(room // len(chunks), 1), called)
            if piece is None:
                return None
            pieces.append(piece)
        return "\n\n".join(pieces)

    def _chunks(self, room: int) -> list[list[Message]]:
        """The old part in as many pieces as it is larger than the room for its summary, about equally large."""
        old = messages_of(self._parts.old)
        size = max(self._count(old), 1)
        most = max(min(room // LEAST_ROOM, MOST_CHUNKS), LEAST_CHUNKS)
        wanted = min(max(LEAST_CHUNKS, size // room), most)
        chunks: list[list[Message]] = [[] for _ in range(wanted)]
        before = place = 0
        for message in old:
            if message.role != "tool":
                place = min(before * wanted // size, wanted - 1)
            chunks[place].append(message)
            before += self._count([message])
        return [chunk for chunk in chunks if chunk]

    async def _summary_of(self, messages: Sequence[Message], room: int, called: str) -> str | None:
        """A summary that is one: made in time, not empty, shorter than what it sums up, and no longer than its room."""
        try:
            summary = await _in_time(lambda: self._summarize(messages, room), self._summary_s)
        except TimeoutError:
            self.fallbacks.append(f"{called} took longer than {self._summary_s:g} s")
            return None
        except Exception as error:  # noqa: BLE001 - whatever fails here must not cost the run
            self.fallbacks.append(f"{called} failed: {str(error) or type(error).__name__}")
            return None
        if not isinstance(summary, str) or not (summary := summary.strip()):
            self.fallbacks.append(f"{called} was empty")
            return None
        if self._size(summary) >= self._count(messages):
            self.fallbacks.append(f"{called} was longer than what it sums up")
            return None
        if self._size(summary) <= room:
            return summary
        cut = shortened(summary, lambda text: self._size(text) <= room)
        self.fallbacks.append(f"{called} was longer than its room, and {'was cut' if cut else 'is not used'}")
        return cut

    def _size(self, text: str) -> int:
        return self._count([Message("user", text)])


async def _in_time(summarize: Callable[[], Awaitable[object]], within_s: float) -> object:
    """What is returned within so many seconds. Cancelling us is obeyed, whatever the summariser makes of it.

    Raises:
        TimeoutError: it took too long.
        RuntimeError: it cancelled itself, which is its own failure and no end of the run.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task else 0
    try:
        async with asyncio.timeout(within_s):
            return await summarize()
    except asyncio.CancelledError as error:
        raise RuntimeError("it cancelled itself") from error
    finally:
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError


def _shrunk(parts: Parts, oldest: Sequence[Unit | None]) -> Parts:
    """The parts with other units in place of the oldest, None for those that are gone."""
    left = iter(oldest)
    units = (unit if unit.stays else next(left, unit) for unit in parts.units)
    return replace(parts, units=tuple(unit for unit in units if unit is not None))
