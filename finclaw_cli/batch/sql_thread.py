"""One thread that makes all changes of a database: changes that wait together are one transaction."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from finclaw_cli.batch.sql import Database, Result, Work
from finclaw_cli.core.own_threads import in_own_thread

MOST_TOGETHER = 256


@dataclass(slots=True)
class _Job:
    work: Work[Any]
    future: asyncio.Future[Any]
    is_synced: bool
    result: object = None
    error: BaseException | None = None


def _nothing() -> None:
    pass


class SqlThread:
    """Makes changes in the order in which they are asked for, without blocking the event loop.

    Args:
        database: what is changed; used in the thread alone.
        committed: called after each transaction, before the callers go on.
    """

    def __init__(self, database: Database, committed: Callable[[], None] = _nothing) -> None:
        self._database = database
        self._committed = committed
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def change(self, work: Work[Result], *, is_synced: bool = False) -> Result:
        """Do some work in a transaction; once this returns, it is committed, and on the disk where it is synced.

        Work that shares a transaction with other work that failed is done again, alone: it has no other effects.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="finclaw-batch-queue", daemon=True)
            self._thread.start()
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, future, is_synced))
        return await asyncio.shield(future)

    async def aclose(self) -> None:
        """Close the database once all is done that was asked for."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            await in_own_thread(thread.join)

    def _serve(self) -> None:
        is_last = False
        while not is_last and (job := self._jobs.get()) is not None:
            jobs, is_last = self._together(job)
            self._carry_out(jobs)
            _deliver(jobs)
        self._database.close()

    def _together(self, first: _Job) -> tuple[list[_Job], bool]:
        jobs = [first]
        with suppress(Empty):
            while len(jobs) < MOST_TOGETHER:
                if (job := self._jobs.get_nowait()) is None:
                    return jobs, True
                jobs.append(job)
        return jobs, False

    def _carry_out(self, jobs: Sequence[_Job]) -> None:
        try:
            results = self._database.transact([job.work for job in jobs], is_synced=any(job.is_synced for job in jobs))
        except BaseException as error:  # noqa: BLE001 - the error of one of them, raised where its work was asked for
            self._fail(jobs, error)
            return
        for job, result in zip(jobs, results, strict=True):
            job.result = result
        try:
            self._committed()
        except BaseException as error:  # noqa: BLE001 - of a test
            for job in jobs:
                job.error = error

    def _fail(self, jobs: Sequence[_Job], error: BaseException) -> None:
        if len(jobs) == 1:
            jobs[0].error = error
            return
        for job in jobs:
            self._carry_out([job])


def _deliver(jobs: Sequence[_Job]) -> None:
    """Give the results to the callers, in their event loop; one that was closed meanwhile has no use for them."""

    def settle() -> None:
        for job in jobs:
            if job.future.done():
                continue
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)

    with suppress(RuntimeError):
        jobs[0].future.get_loop().call_soon_threadsafe(settle)
