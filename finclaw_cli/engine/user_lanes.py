"""Lanes that hold for all processes of a user, by tickets in the data folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from finclaw_cli.core.errors import LaneFull, LaneTimeout, UsageError
from finclaw_cli.core.record import record
from finclaw_cli.engine.lane_tickets import LaneFolder, Ticket
from finclaw_cli.engine.lanes import OnStep

LOOK_AGAIN_S = 0.05
"""How long the next one waits until it looks again; those behind it wait longer."""
LONGEST_LOOK_S = 0.5
LOCK_AGAIN_S = 0.01

_waiting: dict[Path, list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}
"""The runs of this process that wait, by lane: they look again as soon as another run of this process has ended."""


@record(kw_only=True)
class UserLanes:
    """A lane for each agent, shared by the processes of a user: first come, first served."""

    folder: Path
    max_running: int = 1
    max_queued: int = 100
    wait_s: float = 300.0

    @asynccontextmanager
    async def slot(self, agent_id: str, on_step: OnStep, session_id: str) -> AsyncIterator[None]:
        """Hold one of the agent's slots, waiting for it if need be; it is given back whatever happens.

        Raises:
            LaneFull: the queue has no place left.
            LaneTimeout: no slot came free in time.
            UsageError: the folder of the lane cannot be used.
        """
        lane = LaneFolder(self.folder / agent_id)
        deadline = asyncio.get_running_loop().time() + self.wait_s
        try:
            ticket = await self._ticket(lane, agent_id, session_id, deadline)
        except OSError as error:
            raise _unusable(lane.path, error) from error
        has_place = False
        try:
            await self._wait(ticket, lane, agent_id, on_step, deadline)
            has_place = True
            await on_step("acquired")
            yield
        finally:
            ticket.close()
            _wake(lane.path)
            if has_place:
                await on_step("released")

    async def _ticket(self, lane: LaneFolder, agent_id: str, session_id: str, deadline: float) -> Ticket:
        while True:
            with lane.locked() as is_locked:
                if is_locked:
                    before = lane.tickets()
                    if len(before) >= self.max_running + self.max_queued:
                        raise _full(agent_id, self.max_queued)
                    return lane.add(before, session_id)
            self._require_time(agent_id, deadline)
            await asyncio.sleep(LOCK_AGAIN_S)

    async def _wait(self, ticket: Ticket, lane: LaneFolder, agent_id: str, on_step: OnStep, deadline: float) -> None:
        if not ticket.is_next(self.max_running):
            await on_step("queued")
            with _woken(lane.path) as freed:
                while not ticket.is_next(self.max_running):
                    self._require_time(agent_id, deadline)
                    await _first_of(freed, min(LOOK_AGAIN_S * ticket.ahead, LONGEST_LOOK_S), deadline)
        ticket.admit()

    def _require_time(self, agent_id: str, deadline: float) -> None:
        if asyncio.get_running_loop().time() >= deadline:
            raise LaneTimeout(
                f"waited {self.wait_s:g} s for a run of agent {agent_id!r} to end",
                hint="`finclaw agents status` shows which one runs; lane_wait is the longest wait.",
            )


async def _first_of(freed: asyncio.Event, pause_s: float, deadline: float) -> None:
    """Wait until another run of this process has ended, but no longer than the pause and the deadline."""
    loop = asyncio.get_running_loop()
    timer = loop.call_at(min(loop.time() + pause_s, deadline), freed.set)
    try:
        await freed.wait()
    finally:
        timer.cancel()
    freed.clear()


@contextmanager
def _woken(lane: Path) -> Iterator[asyncio.Event]:
    """An event that is set whenever a run of this process leaves the lane, in whatever thread."""
    waits = (asyncio.get_running_loop(), asyncio.Event())
    waiting = _waiting.setdefault(lane, [])
    waiting.append(waits)
    try:
        yield waits[1]
    finally:
        waiting.remove(waits)


def _wake(lane: Path) -> None:
    for loop, freed in tuple(_waiting.get(lane, ())):
        with suppress(RuntimeError):  # its loop was closed
            loop.call_soon_threadsafe(freed.set)


def _full(agent_id: str, max_queued: int) -> LaneFull:
    return LaneFull(
        f"{max_queued} runs of agent {agent_id!r} are already waiting",
        hint="Try again later, or raise lane_max_queued; `finclaw agents status` shows them.",
    )


def _unusable(lane: Path, error: OSError) -> UsageError:
    return UsageError(
        f"the lane cannot be kept in {lane}: {error.strerror or error}",
        hint="Point FINCLAW_HOME at a folder that can be written, or name no agent: then the run waits for none.",
        code="lane_unusable",
    )
