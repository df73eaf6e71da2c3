"""The latest events of all runs of a server, in the order in which they happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from http import HTTPStatus

from finclaw_cli.output.ndjson import Selection
from finclaw_cli.serve.follow import AT_ONCE, Pace, TooSlow
from finclaw_cli.serve.live_events import Kept, Numbered
from finclaw_cli.serve.problems import Problem

MOST_KEPT = 2_000


class AllEvents:
    """Keeps the latest events of all runs, for readers that follow all of them."""

    def __init__(self) -> None:
        self._kept: dict[int, Kept] = {}
        self._end = 0
        self._news = asyncio.Event()
        self._is_closed = False

    def put(self, kept: Kept) -> None:
        """Keep an event, in the place of the earliest one."""
        self._kept[self._end] = kept
        self._end += 1
        self._kept.pop(self._end - 1 - MOST_KEPT, None)
        self._wake()

    def beat(self) -> None:
        """Wake the readers although there is nothing new; see `LiveEvents.beat`."""
        self._wake()

    def close(self) -> None:
        """End the readers."""
        self._is_closed = True
        self._wake()

    def place_after(self, event_id: str | None, selection: Selection) -> int:
        """The place after the event with this id, `RUN:SEQ`; for None that of the next event.

        Raises:
            Problem: the event is not kept any more.
        """
        if not event_id:
            return self._end
        for place in reversed(self._kept):
            if selection.takes(self._kept[place].emitted.event) and self._named(place, selection)[0] == event_id:
                return place + 1
        raise Problem(
            HTTPStatus.GONE, "too_old", "the event is not kept any more", "Read each run: /v1/runs/RUN/events?after=SEQ"
        )

    async def follow(self, place: int, selection: Selection) -> AsyncGenerator[list[Numbered], None]:
        """The lines of a selection from a place on, each with its id; an empty list from time to time.

        Raises:
            TooSlow: the reader did not keep up.
        """
        pace = Pace()
        while not self._is_closed:
            if place < self._end - len(self._kept):
                raise TooSlow
            until = min(place + AT_ONCE, self._end)
            lines = [
                self._named(each, selection)
                for each in range(place, until)
                if selection.takes(self._kept[each].emitted.event)
            ]
            place = until
            if lines:
                yield lines
                await pace.keep()
            elif place == self._end:
                await self._news.wait()
                if place == self._end:
                    yield []

    def _named(self, place: int, selection: Selection) -> Numbered:
        kept = self._kept[place]
        seq, line = kept.line(selection)
        return f"{kept.emitted.run_id}:{seq}", line

    def _wake(self) -> None:
        self._news.set()
        self._news.clear()
