"""Crowding: how many runs an agent may have under way, and how many requests a provider."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Literal, Protocol

from finclaw_cli.core.clock import Clock
from finclaw_cli.core.errors import LaneFull, LaneTimeout
from finclaw_cli.core.record import record

Step = Literal["queued", "acquired", "released"]
OnStep = Callable[[Step], Awaitable[None]]


class RunLanes(Protocol):
    """How many runs of an agent are under way at once."""

    def slot(self, agent_id: str, on_step: OnStep, session_id: str) -> AbstractAsyncContextManager[None]:
        """Hold one of the agent's slots for a run in that session, waiting for it if need be."""


@record(kw_only=True)
class LaneStatus:
    """One agent's lane at this moment."""

    agent_id: str
    active: int
    queued: int
    max: int


class _Lane:
    __slots__ = ("active", "waiting")

    def __init__(self) -> None:
        self.active = 0
        self.waiting: deque[asyncio.Future[None]] = deque()


class Lanes:
    """A lane for each agent in one conversation: first come, first served; a lane that is empty costs nothing."""

    def __init__(self, *, max_running: int = 1, max_queued: int = 100, wait_s: float = 300.0) -> None:
        self._max_running = max_running
        self._max_queued = max_queued
        self._wait_s = wait_s
        self._lanes: dict[str, _Lane] = {}

    def status(self) -> list[LaneStatus]:
        """All lanes with a run."""
        return [
            LaneStatus(agent_id=agent, active=lane.active, queued=len(lane.waiting), max=self._max_running)
            for agent, lane in self._lanes.items()
        ]

    @asynccontextmanager
    async def slot(self, agent_id: str, on_step: OnStep, session_id: str = "") -> AsyncIterator[None]:  # noqa: ARG002
        """Hold one of the agent's slots, waiting for it if need be; it is given back whatever happens.

        Raises:
            LaneFull: the queue has no place left.
            LaneTimeout: no slot came free in time.
        """
        lane = self._lanes.setdefault(agent_id, _Lane())
        try:
            await self._enter(agent_id, lane, on_step)
        except BaseException:
            self._tidy(agent_id, lane)
            raise
        try:
            await on_step("acquired")
            yield
        finally:
            self._leave(lane)
            self._tidy(agent_id, lane)
            await on_step("released")

    async def _enter(self, agent_id: str, lane: _Lane, on_step: OnStep) -> None:
        if lane.active < self._max_running and not lane.waiting:
            lane.active += 1
            return
        if len(lane.waiting) >= self._max_queued:
            raise LaneFull(
                f"{self._max_queued} runs of agent {agent_id!r} are already waiting",
                hint="Try again later, or raise lane_max_queued.",
            )
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lane.waiting.append(turn)
        try:
            await on_step("queued")
            await asyncio.wait_for(asyncio.shield(turn), self._wait_s)
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._leave(lane)  # the slot came at the same moment: pass it on
            else:
                lane.waiting.remove(turn)
            if isinstance(error, TimeoutError):
                raise LaneTimeout(f"waited {self._wait_s:g} s for a run of agent {agent_id!r} to end") from None
            raise

    @staticmethod
    def _leave(lane: _Lane) -> None:
        if lane.waiting:
            lane.waiting.popleft().set_result(None)  # the slot changes hands; `active` stays
        else:
            lane.active -= 1

    def _tidy(self, agent_id: str, lane: _Lane) -> None:
        if not lane.active and not lane.waiting and self._lanes.get(agent_id) is lane:
            del self._lanes[agent_id]


MOST_REQUESTS = 16
"""How many requests one provider gets at a time, where a caller does not allow more."""


class Gate:
    """The way to one provider: so many requests at a time, and one shared pause when it answers "too many requests"."""

    def __init__(self, clock: Clock, *, max_requests: int = MOST_REQUESTS) -> None:
        self._clock = clock
        self._slots = asyncio.Semaphore(max_requests)
        self._open_at = 0.0

    def pause(self, seconds: float) -> None:
        """Hold all requests for so long; a longer pause that is already on stays."""
        self._open_at = max(self._open_at, self._clock.monotonic() + seconds)

    async def __aenter__(self) -> None:
        await self._slots.acquire()
        try:
            while (remaining := self._open_at - self._clock.monotonic()) > 0:
                await self._clock.sleep(remaining)
        except BaseException:
            self._slots.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._slots.release()
