"""The lines of a run for one reader, without a gap: from the transcript, then as they happen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.output.ndjson import Selection
from finclaw_cli.serve.live_events import LiveEvents, Numbered
from finclaw_cli.serve.recorded_events import RecordedEvents, RunPlace
from finclaw_cli.transcript.lock import is_held

TOGETHER_S = 0.05
KEEP_ALIVE_S = 15.0
AT_ONCE = 256
"""The most lines that are given together."""
LOOK_AGAIN_S = 0.2
"""How often the transcript of another process is looked at."""


class Pace:
    """Lets lines come together that follow each other within milliseconds, so that each reader is woken less often."""

    def __init__(self) -> None:
        self._last = 0.0

    async def keep(self) -> None:
        """Wait until so much time has passed since the last call."""
        now = asyncio.get_running_loop().time()
        if (left := self._last + TOGETHER_S - now) > 0:
            await asyncio.sleep(left)
            now += left
        self._last = now


class TooSlow(Exception):
    """The reader is so far behind that the next lines are only in the transcript: it has to begin again there."""


async def follow_live(
    live: LiveEvents, where: RunPlace | None, selection: Selection, after: int
) -> AsyncGenerator[list[Numbered], None]:
    """The lines of a run of this process after `seq`, until it has ended; an empty list from time to time.

    Raises:
        TooSlow: the reader did not keep up.
        FinclawError: the transcript cannot be read.
    """
    place = live.place_after(after, selection)
    if place is None and where is not None:
        recorded = RecordedEvents(where, selection, after)
        while recorded.place < live.first:
            lines = await in_own_thread(recorded.read_on)
            if lines:
                yield lines
            elif recorded.is_whole or recorded.is_at_end:
                break
        place = recorded.place
    async for lines in _latest(live, place or 0, selection):
        yield lines


async def _latest(live: LiveEvents, place: int, selection: Selection) -> AsyncGenerator[list[Numbered], None]:
    pace = Pace()
    while True:
        if place < live.first:
            raise TooSlow
        place, lines = live.lines(place, selection, AT_ONCE)
        if lines:
            yield lines
            await pace.keep()
        elif place == live.end:
            if live.has_ended:
                return
            await live.news()
            if place == live.end and not live.has_ended:
                yield []


async def follow_recorded(where: RunPlace, selection: Selection, after: int) -> AsyncGenerator[list[Numbered], None]:
    """The lines of a run of an earlier server, or of another process, which may go on; the last one is a result.

    An empty list comes from time to time where there is nothing new.

    Raises:
        FinclawError: the transcript cannot be read.
    """
    recorded = RecordedEvents(where, selection, after)
    silent_s = 0.0
    while not recorded.is_whole:
        is_written = await in_own_thread(is_held, where.path)
        lines = await in_own_thread(recorded.read_on)
        if lines:
            yield lines
        elif recorded.is_at_end:
            if not is_written:
                break
            await asyncio.sleep(LOOK_AGAIN_S)
            silent_s += LOOK_AGAIN_S
            if silent_s >= KEEP_ALIVE_S:
                silent_s = 0.0
                yield []
    if recorded.result is None:
        missing = recorded.missing_end()
        if missing[0] > after:
            yield [missing]
