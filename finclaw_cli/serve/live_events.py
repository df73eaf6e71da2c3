"""The latest events of a run that is under way: encoded once, for all of its readers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from finclaw_cli.core.bus import PIECES
from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.core.record import record
from finclaw_cli.output.ndjson import Selection, encode

MOST_KEPT = 1_000
"""How many events a reader may be behind a run before it is dropped; earlier ones are in the transcript."""
MOST_KEPT_CHARS = 8 * 1024 * 1024
_SIZE_OF_PIECE = 256
_SIZE_OF_EVENT = 2_048

Numbered = tuple[int | str, bytes]
"""A line with its `seq`, or, where runs are mixed, with `RUN:SEQ`."""


@record
class Counts:
    """How many events of each kind there were before one."""

    agent: int = 0
    other: int = 0
    pieces: int = 0

    def seq(self, selection: Selection) -> int:
        """The number of the next event of a selection."""
        others = self.other if selection.all_families else 0
        return self.agent + others + (self.pieces if selection.deltas else 0)

    @property
    def total(self) -> int:
        """The number of all of them."""
        return self.agent + self.other + self.pieces

    def after(self, emitted: Emitted) -> Counts:
        """The counts after one more event."""
        event = emitted.event
        if isinstance(event, PIECES):
            return Counts(self.agent, self.other, self.pieces + 1)
        if event.type.startswith("agent."):
            return Counts(self.agent + 1, self.other, self.pieces)
        return Counts(self.agent, self.other + 1, self.pieces)


class Kept:
    """One event that is kept, and its line in each selection that is read."""

    __slots__ = ("_lines", "before", "emitted")

    def __init__(self, emitted: Emitted, before: Counts) -> None:
        self.emitted = emitted
        self.before = before
        self._lines: dict[Selection, tuple[int, bytes]] = {}

    def line(self, selection: Selection) -> tuple[int, bytes]:
        """Its line, encoded the first time."""
        if (line := self._lines.get(selection)) is None:
            seq = self.before.seq(selection)
            line = self._lines[selection] = seq, encode(self.emitted, seq)
        return line

    @property
    def size(self) -> int:
        """About how much memory it takes, in bytes."""
        return _SIZE_OF_PIECE if isinstance(self.emitted.event, PIECES) else _size(self.emitted)


def _size(emitted: Emitted) -> int:
    texts = (getattr(emitted.event, name, None) for name in ("result", "text", "preview"))
    return _SIZE_OF_EVENT + 2 * sum(len(text) for text in texts if isinstance(text, str))


class LiveEvents:
    """An event sink that keeps the latest events of one run, and wakes the readers that wait for the next one.

    It never waits for a reader. Each event goes to `share`, too. The place of an event is its number from 0, among
    those of all families.
    """

    def __init__(self, share: Callable[[Kept], None]) -> None:
        self._share = share
        self._kept: dict[int, Kept] = {}
        self._size = 0
        self._counts = Counts()
        self._news = asyncio.Event()
        self.has_ended = False
        """Whether the last event was put."""
        self.result: AgentResult | None = None

    @property
    def first(self) -> int:
        """The place of the earliest event that is kept."""
        return self._counts.total - len(self._kept)

    @property
    def end(self) -> int:
        """The place of the next event."""
        return self._counts.total

    async def take(self, emitted: Emitted) -> None:
        """Keep an event, in the place of the earliest one."""
        kept = Kept(emitted, self._counts)
        self._kept[self._counts.total] = kept
        self._counts = self._counts.after(emitted)
        self._size += kept.size
        while len(self._kept) > MOST_KEPT or (self._size > MOST_KEPT_CHARS and len(self._kept) > 1):
            self._size -= self._kept.pop(self.first).size
        if isinstance(emitted.event, AgentResult):
            self.result = emitted.event
        self._share(kept)
        self._wake()

    def close(self) -> None:
        """End the readers after the events that there are."""
        self.has_ended = True
        self._wake()

    def drop(self) -> None:
        """Keep no event any more: readers find them in the transcript. The result stays."""
        self._kept.clear()
        self._size = 0

    async def news(self) -> None:
        """Wait for the next event, the end, or a `beat`."""
        if not self.has_ended:
            await self._news.wait()

    def beat(self) -> None:
        """Wake the readers although there is nothing new, so that a connection shows that it lives."""
        self._wake()

    def next_seq(self, selection: Selection) -> int:
        """The number of the next event of a selection."""
        return self._counts.seq(selection)

    def place_after(self, seq: int, selection: Selection) -> int | None:
        """The place of the first event of a selection after `seq`; None where it is not kept any more."""
        first = self._kept.get(self.first)
        if first is None:
            return self.end if self._counts.seq(selection) <= seq + 1 else None
        if first.before.seq(selection) > seq + 1:
            return None
        return next((place for place, kept in self._kept.items() if kept.before.seq(selection) > seq), self.end)

    def lines(self, place: int, selection: Selection, most: int) -> tuple[int, list[Numbered]]:
        """The lines of a selection from a place on, and the place that follows them; at most so many events."""
        until = min(place + most, self.end)
        return until, list(self._selected(range(place, until), selection))

    def _selected(self, places: range, selection: Selection) -> Iterator[Numbered]:
        for place in places:
            kept = self._kept[place]
            if selection.takes(kept.emitted.event):
                yield kept.line(selection)

    def _wake(self) -> None:
        self._news.set()
        self._news.clear()
