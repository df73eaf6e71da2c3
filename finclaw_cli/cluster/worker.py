"""A worker of a cluster: runs the items of all batches, and takes those of dead workers up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.buckets import Taker
from finclaw_cli.batch.openings import Openings
from finclaw_cli.batch.outcome import BatchStop
from finclaw_cli.batch.pacing import Pacing
from finclaw_cli.batch.queue import QueueFailed
from finclaw_cli.batch.round_provider import AskingAtOnce
from finclaw_cli.batch.runner import CANCELLED, Runner
from finclaw_cli.batch.transcripts import Transcripts
from finclaw_cli.cluster.heartbeat import Heartbeat
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.setup import options_in
from finclaw_cli.cluster.status import BatchToRun
from finclaw_cli.core import exits
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.settings.load import load_settings

LOOK_AGAIN_S: Final = 1.0


class ClusterWorker:
    """Runs items until it is stopped, in the environment of its process.

    Args:
        queue: of the cluster.
        transcripts: of this worker.
        concurrency: the most requests at once, which batches share evenly.
        notice: called with a line for the log.
        own: options of this worker, over those of batches.
    """

    def __init__(
        self,
        queue: PostgresQueue,
        transcripts: Transcripts,
        concurrency: int,
        notice: Callable[[str], None],
        own: AgentOptions,
    ) -> None:
        self._queue = queue
        self._transcripts = transcripts
        self._concurrency = concurrency
        self._notice = notice
        self._own = own
        self._runners: dict[str, Runner] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._others: object = {}
        self._reason: Cancellation | None = None
        self._woken = asyncio.Event()

    def stop(self, reason: Cancellation = CANCELLED) -> None:
        """Begin nothing more, and end the runs under way, whose items wait again."""
        self._reason = reason
        for runner in self._runners.values():
            runner.interrupt(reason)
        self._woken.set()

    async def run(self) -> None:
        """Run what there is to run; nothing is under way when this returns or raises.

        Raises:
            QueueFailed: the database cannot be used, or has not answered for too long.
        """
        await self._queue.join()
        beat = Heartbeat(self._queue.address, self._queue.member)
        beat.start()
        try:
            while self._reason is None:
                await self._look()
                await self._wait()
        finally:
            self.stop(CANCELLED if self._reason is None else self._reason)
            if self._tasks:
                await asyncio.wait(self._tasks.values())
                for task in self._tasks.values():
                    task.exception()  # the first one is raised
            beat.stop()

    async def _look(self) -> None:
        await self._queue.take_back()
        found = [each for each in await self._queue.to_run() if each.id not in self._tasks]
        for each in found[: self._concurrency - len(self._tasks)]:
            self._begin(each)
        others = await self._queue.of_other_versions()
        if others != self._others:
            self._others = others
            for version, count in others.items():
                self._notice(f"{count:,} items wait for workers of version {version}; this one runs others")

    def _begin(self, batch: BatchToRun) -> None:
        def ended(_: asyncio.Task[None]) -> None:
            self._woken.set()

        self._notice(f"batch {batch.id}: begins")
        task = self._tasks[batch.id] = asyncio.create_task(self._run(batch))
        task.add_done_callback(ended)

    async def _wait(self) -> None:
        """Wait until a batch has ended, or it is time to look at the queue again.

        Raises:
            QueueFailed: a batch has ended with that.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_AGAIN_S):
                await self._woken.wait()
        self._woken.clear()
        for batch in [batch for batch, task in self._tasks.items() if task.done()]:
            self._tasks.pop(batch).result()
            self._share()

    async def _run(self, batch: BatchToRun) -> None:
        setup: Any = batch.setup
        pacing = Pacing(self._queue.buckets, Taker(id=batch.id), self._concurrency)
        openings = Openings(
            {**options_in(setup), **self._own}, load_settings, batch.max_cost_usd, self._concurrency, pacing,
            tier="standard", asking=AskingAtOnce(),
        )  # fmt: skip
        try:
            for own in [{}, *setup["of_items"]]:
                await openings.of(own)
            await self._run_items(batch.id, openings, pacing)
        except QueueFailed:
            raise
        except FinclawError as error:
            await self._refuse(batch.id, error.message)
        finally:
            await openings.aclose()

    async def _run_items(self, batch: str, openings: Openings, pacing: Pacing) -> None:
        runner = Runner(
            batch, self._queue, openings, pacing,
            concurrency=self._concurrency, changed=_nothing, transcripts=self._transcripts,
        )  # fmt: skip
        self._runners[batch] = runner
        self._share()
        if self._reason is not None:
            runner.interrupt(self._reason)
        try:
            await runner.run()
        finally:
            del self._runners[batch]
        if runner.stop is not None:
            await self._stopped(batch, runner.stop)
        elif self._reason is None:
            self._notice(f"batch {batch}: nothing is left to run")

    async def _stopped(self, batch: str, stop: BatchStop) -> None:
        """A batch without money is stopped everywhere; what this worker lacks, others may have."""
        if stop.exit_code == exits.BUDGET:
            self._notice(f"batch {batch}: stopped: {stop.message}")
            await self._queue.stop(batch, stop)
        else:
            await self._refuse(batch, stop.message)

    async def _refuse(self, batch: str, reason: str) -> None:
        self._notice(f"batch {batch}: this worker cannot run it: {reason}")
        await self._queue.refuse(batch, reason)

    def _share(self) -> None:
        """Let the batches that run have equal parts of the requests at once."""
        for runner in self._runners.values():
            runner.share(max(1, self._concurrency // len(self._runners)))


def _nothing() -> None:
    pass
