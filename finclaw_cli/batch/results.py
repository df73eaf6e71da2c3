"""The items of a batch that have ended, read from the queue as they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from finclaw_cli.batch.queue import FINAL, BatchItem, BatchQueue

AT_ONCE: Final = 200
LOOK_AGAIN_S: Final = 1.0


class Results:
    """Reads results, of this process and of others, without keeping any."""

    def __init__(self, batch: str, queue: BatchQueue, *, ordered: bool = False) -> None:
        self._batch = batch
        self._queue = queue
        self._ordered = ordered
        self._after = 0
        self._changed = asyncio.Event()

    def look(self) -> None:
        """Look again soon: an item may have ended."""
        self._changed.set()

    async def until(self, running: asyncio.Task[None]) -> AsyncGenerator[BatchItem, None]:
        """All items that have ended or end until a task is done."""
        while True:
            self._changed.clear()
            is_over = running.done()
            while items := self._taken(_ended(await self._page())):
                for item in items:
                    yield item
            if is_over:
                return
            waiting = asyncio.create_task(self._changed.wait())
            await asyncio.wait([waiting, running], timeout=LOOK_AGAIN_S, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()

    async def so_far(self) -> AsyncGenerator[BatchItem, None]:
        """All items that have ended by now."""
        while items := self._taken(await self._page()):
            for item in items:
                if item.state in FINAL:
                    yield item

    async def _page(self) -> Sequence[BatchItem]:
        read = self._queue.items if self._ordered else self._queue.ended
        return await read(self._batch, self._after, AT_ONCE)

    def _taken(self, items: Sequence[BatchItem]) -> Sequence[BatchItem]:
        if items:
            self._after = items[-1].line if self._ordered else items[-1].place or self._after
        return items


def _ended(items: Sequence[BatchItem]) -> Sequence[BatchItem]:
    """The first of these items, as far as they have ended."""
    first_open = next((at for at, item in enumerate(items) if item.state not in FINAL), len(items))
    return items[:first_open]
