"""The runs of a server: started, found again by their keys, cancelled, ended."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from http import HTTPStatus

import anyio.lowlevel

from finclaw_cli.app.budget_store import user_ledger
from finclaw_cli.app.plan import Plan
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.serve.all_events import AllEvents
from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.follow import KEEP_ALIVE_S
from finclaw_cli.serve.keys import KeyedRequest, Keys, Started, keyed
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
        self._keys = Keys()
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

    async def prepare_keys(self) -> None:
        """Read the idempotency keys of earlier servers, which can take seconds the first time."""
        await self._keys.prepare()

    async def start(self, body: JsonObject, key: str | None) -> Started:
        """Start the run that a body describes, or return the one that was started with the same key.

        Raises:
            Problem: the body is wrong, the key was used with another one, or too many runs are under way.
            FinclawError: a setting has a wrong value, or the run cannot begin.
        """
        wanted = wanted_run(body)
        if key is None:
            return await self._start(wanted, None)
        request = keyed(key, body)
        return await self._keys.started(request, lambda: self._start(wanted, request))

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

    async def _start(self, wanted: WantedRun, request: KeyedRequest | None) -> Started:
        self._check_open()
        if self._under_way >= self._limits.runs:
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS, "too_many_runs", f"{self._limits.runs} runs are under way",
                "Try again when one has ended, or start the server with a higher --max-runs.",
            )  # fmt: skip
        self._under_way += 1
        try:
            run = self._made(await in_own_thread(planned, wanted, self._installed, self._report), wanted, request)
        except BaseException:
            self._under_way -= 1
            raise
        self._begin(run)
        return Started(run.run_id, run.session_id)

    def _made(self, plan: Plan, wanted: WantedRun, request: KeyedRequest | None) -> ServedRun:
        try:
            self._check_open()
            _check_possible(plan)
            return ServedRun(plan, wanted.prompt, request, self._shared)
        except BaseException:
            if plan.session is not None:
                plan.session.close()
            raise

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


def _check_possible(plan: Plan) -> None:
    if plan.error is not None:
        raise plan.error
