"""Runs the items of a batch: claims as many as may be under way, and keeps their lease."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from finclaw_cli.batch.item_run import ItemRun
from finclaw_cli.batch.openings import Openings
from finclaw_cli.batch.outcome import BatchStop, Later
from finclaw_cli.batch.pacing import Pacing
from finclaw_cli.batch.queue import LEASE_S, BatchQueue
from finclaw_cli.batch.transcripts import LocalTranscripts, Transcripts
from finclaw_cli.engine.cancel import SIGNALS, Cancellation, cancellation_by

LOOK_AGAIN_S: Final = 1.0
"""How often the queue is looked at for what other processes do."""
HEARTBEAT_S: Final = LEASE_S / 4
AHEAD: Final = 4
"""For so many requests at once, one more run is under way: it is made ready, or ends, while they are answered."""
CANCELLED: Final = cancellation_by(SIGNALS["interrupted"])


class Runner:
    """Runs the items of one batch until none waits, something stops it, or it is interrupted.

    Args:
        batch: the id of the batch.
        queue: where its items are.
        openings: what their runs are made from.
        pacing: the rate limits of the servers, which further items wait for.
        concurrency: the most requests at once, which the connections see to.
        changed: called whenever an item may have ended.
        transcripts: where the sessions of items are.
    """

    def __init__(
        self,
        batch: str,
        queue: BatchQueue,
        openings: Openings,
        pacing: Pacing,
        *,
        concurrency: int,
        changed: Callable[[], None],
        transcripts: Transcripts | None = None,
    ) -> None:
        self.stop: BatchStop | None = None
        """Why not all items were run; None where that is no fault."""
        self._batch = batch
        self._queue = queue
        self._openings = openings
        self._pacing = pacing
        self._most = 0
        self.share(concurrency)
        self._changed = changed
        self._transcripts = transcripts or LocalTranscripts()
        self._runs: dict[asyncio.Task[Later | None], ItemRun] = {}
        self._ended: list[asyncio.Task[Later | None]] = []
        self._interruption: Cancellation | None = None
        self._woken = asyncio.Event()
        pacing.on_change = self._woken.set

    def share(self, concurrency: int) -> None:
        """Set how many requests are under way at once, from the next claim on."""
        self._most = concurrency + concurrency // AHEAD

    async def run(self) -> None:
        """Run items; those under way have ended when this returns or raises.

        Raises:
            QueueFailed: the queue cannot be used.
        """
        beating = asyncio.create_task(self._beat())
        try:
            while not await self._is_done():
                await self._wait()
                self._check_beating(beating)
        finally:
            beating.cancel()
            await self._end()

    def interrupt(self, reason: Cancellation = CANCELLED) -> None:
        """Claim no further items, and end the runs under way, whose items wait again."""
        self._interruption = reason
        for run in self._runs.values():
            run.scope.cancel(reason)
        self._woken.set()

    @property
    def is_over(self) -> bool:
        """Whether nothing more is claimed."""
        return self.stop is not None or self._interruption is not None

    async def _is_done(self) -> bool:
        """Claim what may run; True once nothing is under way and nothing can be."""
        free = min(self._most - len(self._runs), self._pacing.room)
        claims = [] if self.is_over or free <= 0 else await self._queue.claim(self._batch, free)
        for claim in claims:
            self._start(ItemRun(claim, self._queue, self._openings, self._transcripts))
        if self._runs or self.is_over:
            return not self._runs
        status = await self._queue.status(self._batch)
        return status is None or status.is_finished

    def _start(self, run: ItemRun) -> None:
        def end(task: asyncio.Task[Later | None]) -> None:
            self._ended.append(task)
            self._woken.set()

        if self._interruption is not None:  # while it was claimed
            run.scope.cancel(self._interruption)
        task = asyncio.create_task(run())
        self._runs[task] = run
        task.add_done_callback(end)

    async def _wait(self) -> None:
        """Wait until runs have ended, or it is time to look at the queue again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_AGAIN_S):
                await self._woken.wait()
        self._woken.clear()
        ended, self._ended = self._ended, []
        for task in ended:
            del self._runs[task]
        for task in ended:
            later = task.result()
            if later is not None and self.stop is None:
                self.stop = later.stop
        self._changed()

    async def _beat(self) -> None:
        """Keep the lease, and look whether the batch was cancelled."""
        last = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            now = asyncio.get_running_loop().time()
            if now - last >= HEARTBEAT_S:
                await self._queue.heartbeat()
                last = now
            if await self._queue.is_cancelled(self._batch) and not self.is_over:
                self.interrupt()

    def _check_beating(self, beating: asyncio.Task[None]) -> None:
        if beating.done() and not beating.cancelled():
            beating.result()

    async def _end(self) -> None:
        """End what is under way where something failed."""
        for run in self._runs.values():
            run.scope.cancel(CANCELLED)
        if self._runs:
            await asyncio.wait(self._runs)
            for task in self._runs:
                task.exception()
            self._runs.clear()
