"""How many requests a server gets at once, which is less while it is overloaded."""

from __future__ import annotations

import asyncio

from finclaw_cli.core.errors import ProviderError

OVERLOADED = frozenset({"overloaded"})


class Crowd:
    """The requests under way: half as many after each overload, and one more after as many answers as there are.

    Args:
        most: the most at once.
    """

    def __init__(self, most: int) -> None:
        self._wanted = most
        self._most = float(most)
        self._under_way = 0
        self._halved = 0
        self._freed = asyncio.Event()

    @property
    def has_room(self) -> bool:
        """Whether another request may be made."""
        return self._under_way < int(self._most)

    async def room(self) -> None:
        """Wait until another request may be made."""
        while not self.has_room:
            self._freed.clear()
            await self._freed.wait()

    def enter(self) -> int:
        """Count a request in; returns what `leave` needs."""
        self._under_way += 1
        return self._halved

    def leave(self, since: int, failed: ProviderError | None) -> None:
        """Count a request out; of an overload, only the first of those that were under way counts."""
        if failed is not None and failed.reason in OVERLOADED:
            if since == self._halved:
                self._halved += 1
                self._most = max(1.0, min(self._most, self._under_way) / 2)
        elif failed is None:
            self._most = min(float(self._wanted), self._most + 1 / self._most)
        self._under_way -= 1
        self._freed.set()
