"""Which runs have clients that could answer a question."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

ALL = "*"
"""In place of a run: the client follows all of them."""


class Presence:
    """Counts the clients that follow each run.

    Args:
        absence_s: how long a client may be gone, such as for a reconnect, before it counts as absent.
    """

    def __init__(self, absence_s: float) -> None:
        self._absence_s = absence_s
        self._clients: Counter[str] = Counter()
        self._change = asyncio.Event()

    @contextmanager
    def of(self, run_id: str) -> Iterator[None]:
        """Count a client of a run, or of `ALL`, while it is connected."""
        self._count(run_id, 1)
        try:
            yield
        finally:
            self._count(run_id, -1)

    async def absence(self, run_id: str) -> None:
        """Return once no client has been connected for so long."""
        while True:
            while self._has_client(run_id):
                await self._change.wait()
            try:
                async with asyncio.timeout(self._absence_s):
                    while not self._has_client(run_id):
                        await self._change.wait()
            except TimeoutError:
                return

    def _has_client(self, run_id: str) -> bool:
        return self._clients[run_id] > 0 or self._clients[ALL] > 0

    def _count(self, run_id: str, change: int) -> None:
        self._clients[run_id] += change
        if not self._clients[run_id]:
            del self._clients[run_id]
        self._change.set()
        self._change.clear()
