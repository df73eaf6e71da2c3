"""Summaries of the old part of a conversation: of all of it at once, else of pieces of it, else none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from finclaw_cli.core.messages import Message
from finclaw_cli.core.record import record
from finclaw_cli.engine.context.method import Count, Method
from finclaw_cli.engine.context.shorten import shortened
from finclaw_cli.engine.context.steps import Step

Summarize = Callable[[Sequence[Message], int], Awaitable[str]]
"""Makes a summary of messages in at most so many tokens. May raise, hang, or return anything."""
LEAST_CHUNKS, MOST_CHUNKS = 2, 8
LEAST_ROOM = 32
"""For less no summary is made."""


@record(kw_only=True)
class Fallback:
    """A strategy that did not do, and the one that is taken in its place; the same one, where it goes on with less."""

    from_strategy: str
    to_strategy: str
    reason: str


@dataclass(slots=True)
class Compression:
    """How much shorter summaries are than what they sum up; it is learned from the last one."""

    ratio: float = 1.0


@dataclass(slots=True)
class Summaries:
    """Has summaries made, and notes what went wrong."""

    count: Count
    summarize: Summarize
    within_s: float
    method: Method
    compression: Compression
    fallbacks: list[Fallback] = field(default_factory=list)
    _reasons: list[str] = field(default_factory=list)

    async def of(self, old: Sequence[Message], room: int, otherwise: Step) -> tuple[str | None, Step]:
        """A summary in this room, and how it was made; none, where the next strategy has to do."""
        if room < LEAST_ROOM:
            self._note("there was no room for a summary", "summarize", otherwise)
            return None, "summarize"
        summary = await self._summary_of(old, room, "the summary")
        chunks = [] if summary is not None else self._chunks(old, room)
        in_chunks = len(chunks) >= LEAST_CHUNKS
        self._note_reasons("summarize", "summarize" if summary else "summarize-chunks" if in_chunks else otherwise)
        if not in_chunks:
            return summary, "summarize"
        summary = await self._in_chunks(chunks, room)
        self._note_reasons("summarize-chunks", "summarize-chunks" if summary else otherwise)
        return summary, "summarize-chunks"

    async def _in_chunks(self, chunks: Sequence[Sequence[Message]], room: int) -> str | None:
        """The summaries of pieces, one after the other; none, as soon as one of them fails."""
        pieces: list[str] = []
        for number, chunk in enumerate(chunks, start=1):
            called = f"the summary of part {number} of {len(chunks)}"
            piece = await self._summary_of(chunk, max(room // len(chunks), 1), called)
            if piece is None:
                return None
            pieces.append(piece)
        return "\n\n".join(pieces)

    def _chunks(self, old: Sequence[Message], room: int) -> list[list[Message]]:
        """As many pieces as the summary is expected to be larger than its room, about equally large."""
        size = max(self.count(old), 1)
        most = max(min(room // LEAST_ROOM, MOST_CHUNKS), LEAST_CHUNKS)
        wanted = min(max(LEAST_CHUNKS, int(size * self.method.expected_ratio(self.compression.ratio) / room)), most)
        chunks: list[list[Message]] = [[] for _ in range(wanted)]
        before = place = 0
        for message in old:
            if message.role != "tool":
                place = min(before * wanted // size, wanted - 1)
            chunks[place].append(message)
            before += self.count([message])
        return [chunk for chunk in chunks if chunk]

    async def _summary_of(self, messages: Sequence[Message], room: int, called: str) -> str | None:
        """A summary that is one: made in time, not empty, shorter than what it sums up, and no longer than its room."""
        try:
            summary = await _in_time(lambda: self.summarize(messages, room), self.within_s)
        except TimeoutError:
            self._reasons.append(f"{called} took longer than {self.within_s:g} s")
            return None
        except Exception as error:  # noqa: BLE001 - whatever fails here must not cost the run
            self._reasons.append(f"{called} failed: {str(error) or type(error).__name__}")
            return None
        if not isinstance(summary, str) or not (summary := summary.strip()):
            self._reasons.append(f"{called} was empty")
            return None
        self.compression.ratio = self._size(summary) / max(self.count(messages), 1)
        if self._size(summary) >= self.count(messages):
            self._reasons.append(f"{called} was longer than what it sums up")
            return None
        if self._size(summary) <= room:
            return summary
        cut = shortened(summary, lambda text: self._size(text) <= room)
        self._reasons.append(f"{called} was longer than its room, and {'was cut' if cut else 'is not used'}")
        return cut

    def _size(self, text: str) -> int:
        return self.count([Message("user", text)])

    def _note_reasons(self, strategy: Step, then: Step) -> None:
        for reason in self._reasons:
            self._note(reason, strategy, then)
        self._reasons.clear()

    def _note(self, reason: str, strategy: Step, then: Step) -> None:
        self.fallbacks.append(Fallback(from_strategy=strategy, to_strategy=then, reason=reason))


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
