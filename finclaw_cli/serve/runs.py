"""The runs of a server: started, found again by their keys, cancelled, ended."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from http import HTTPStatus

import anyio.lowlevel

from finclaw_cli.app.budget_store import user_ledger
from finclaw_cli.core.json_text import JsonObject, dump_line
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.serve.all_events import AllEvents
from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.follow import KEEP_ALIVE_S
from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.problems import Problem
from finclaw_cli.serve.run_plan import planned
from finclaw_cli.serve.served_run import ServedRun, Shared
from finclaw_cli.serve.shared_installed import SharedInstalled
from finclaw_cli.serve.wanted_run import WantedRun, wanted_run

KEPT = 200
"""How many runs that have ended are listed."""
KEPT_WITH_EVENTS = 16
"""Of how many of them the latest events are kept, for readers that are about to read the end."""
KEPT_KEYS = 1_000
"""How many idempotency keys are remembered."""


class Runs:
    """All runs that this server has started."""

    def __init__(
        self, installed: SharedInstalled, approvals: Approvals, limits: Limits, report: Callable[[str], None]
    ) -> None:
        self._installed = installed
        self._limits = limits
        self._report = report
        self._ledger = user_ledger(report)
        self.events = AllEvents()
        """The events of all runs."""
        self._shared = Shared(ledger=self._ledger, approvals=approvals, events=self.events, report=report)
        self._runs: OrderedDict[str, ServedRun] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way = 0
        self._by_key: OrderedDict[str, tuple[str, asyncio.Task[ServedRun]]] = OrderedDict()
        self.is_closed = False

    def __iter__(self) -> Iterator[ServedRun]:
        """The runs, the latest one first."""
        return reversed(self._runs.values())

    def find(self, run_id: str) -> ServedRun | None:
        """The run of that id, if this server has started it and still knows it."""
        return self._runs.get(run_id)

    async def beat(self) -> None:
        """Let idle connections show, from time to time, that they live; never returns."""
        while True:
            await asyncio.sleep(KEEP_ALIVE_S)
            self.events.beat()
            for run in self._runs.values():
                run.live.beat()

    async def prepare(self) -> None:
        """Prepare what the first run needs, so that it does not wait for it."""
        await in_own_thread(self._installed.prepare, self._report)
        await anyio.lowlevel.checkpoint()  # loads what streams of events stand on

    async def start(self, body: JsonObject, key: str | None) -> ServedRun:
        """Start the run that a body describes, or return the one that was started with the same key.

        Raises:
            Problem: the body is wrong, the key was used with another one, or too many runs are under way.
            FinclawError: a setting has a wrong value.
        """
        if key is None:
            return await self._start(wanted_run(body))
        digest = hashlib.sha256(dump_line(body).encode("ascii")).hexdigest()
        known = self._by_key.get(key)
        if known is None:
            starting = asyncio.create_task(self._start(wanted_run(body)))
            known = self._by_key[key] = digest, starting
            starting.add_done_callback(lambda done: self._forget_failed(key, done))
        if known[0] != digest:
            raise Problem(HTTPStatus.CONFLICT, "key_reused", "the idempotency key was used with another body")
        return await asyncio.shield(known[1])

    async def end_all(self, reason: Cancellation) -> None:
        """End all runs, and wait for their ends; no other run starts."""
        self.is_closed = True
        for run in self._runs.values():
            run.cancel(reason)
        while self._tasks:
            await asyncio.wait(self._tasks)
        self.events.close()

    async def aclose(self) -> None:
        """Close the usage store."""
        await self._ledger.caught_up()
        self._ledger.ledger.close()

    async def _start(self, wanted: WantedRun) -> ServedRun:
        self._check_open()
        if self._under_way >= self._limits.runs:
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS, "too_many_runs", f"{self._limits.runs} runs are under way",
                "Try again when one has ended, or start the server with a higher --max-runs.",
            )  # fmt: skip
        self._under_way += 1
        try:
            plan = await in_own_thread(planned, wanted, self._installed, self._report)
            try:
                self._check_open()
                run = ServedRun(plan, wanted.prompt, self._shared)
            except BaseException:
                if plan.session is not None:
                    plan.session.close()
                raise
        except BaseException:
            self._under_way -= 1
            raise
        self._begin(run)
        return run

    def _check_open(self) -> None:
        if self.is_closed:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "stopping", "the server is being stopped")

    def _begin(self, run: ServedRun) -> None:
        self._runs[run.run_id] = run
        task = asyncio.create_task(run.answer())
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._under_way -= 1
        ended = [run for run in self._runs.values() if run.finished is not None]
        for run in ended[:-KEPT_WITH_EVENTS]:
            if not run.is_recorded:
                run.drop_events()
        for run in ended[:-KEPT]:
            del self._runs[run.run_id]

    def _forget_failed(self, key: str, starting: asyncio.Task[ServedRun]) -> None:
        if starting.cancelled() or starting.exception() is not None:
            self._by_key.pop(key, None)
        elif len(self._by_key) > KEPT_KEYS:
            self._by_key.popitem(last=False)
