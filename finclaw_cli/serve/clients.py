"""The clients that read events: counted, cut off where they read nothing, ended before the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus

from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.presence import Presence
from finclaw_cli.serve.problems import Problem


class Client:
    """One open stream."""

    def __init__(self, cut_off: Callable[[], None]) -> None:
        self._cut_off = cut_off
        self._sending_since: float | None = None

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Note that a send is under way, which waits while the client reads nothing."""
        self._sending_since = asyncio.get_running_loop().time()
        try:
            yield
        finally:
            self._sending_since = None

    def end_if_stalled(self, now: float, limit_s: float) -> None:
        """Cut the connection off where a send has waited for so long."""
        if self._sending_since is not None and now - self._sending_since > limit_s:
            self._cut_off()


class Clients:
    """All open streams of a server."""

    def __init__(self, presence: Presence, limits: Limits) -> None:
        self._presence = presence
        self._limits = limits
        self._open: set[Client] = set()
        self._gone = asyncio.Event()

    @contextmanager
    def connected(self, run_id: str, cut_off: Callable[[], None]) -> Iterator[Client]:
        """Count a stream while it is open; to be entered before its answer has begun.

        Raises:
            Problem: there are too many.
        """
        self._require_room()
        client = Client(cut_off)
        self._open.add(client)
        try:
            with self._presence.of(run_id):
                yield client
        finally:
            self._open.discard(client)
            self._gone.set()
            self._gone.clear()

    async def watch(self) -> None:
        """Cut off, from time to time, the clients that read nothing; never returns."""
        while True:
            await asyncio.sleep(self._limits.stalled_s / 4)
            now = asyncio.get_running_loop().time()
            for client in list(self._open):
                client.end_if_stalled(now, self._limits.stalled_s)

    async def drained(self) -> None:
        """Wait until all streams have ended; cut off those that take too long."""
        try:
            async with asyncio.timeout(self._limits.drain_s):
                while self._open:
                    await self._gone.wait()
        except TimeoutError:
            for client in list(self._open):
                client.end_if_stalled(float("inf"), 0)

    def _require_room(self) -> None:
        if len(self._open) >= self._limits.clients:
            raise Problem(
                HTTPStatus.SERVICE_UNAVAILABLE, "too_many_clients",
                f"{self._limits.clients} clients read events already", "Start the server with a higher --max-clients.",
            )  # fmt: skip
