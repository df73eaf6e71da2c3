"""Workers that are killed and stopped again and again, with a tool whose effects are counted outside.

`python -m tests.cluster.kills ITEMS KILLS STOPS RESTARTS` makes a long trial with three workers, and prints what it
came to: KILLS are by SIGKILL, STOPS by SIGSTOP for longer than a lease, RESTARTS are crashes of the server.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from finclaw_cli.batch.queue import DEADLY, BatchStatus
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.migration import migrate
from finclaw_cli.cluster.process import WorkerProcess
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.submitted import SubmittedBatch
from tests.batch.kills import approve, pay
from tests.batch.model_server import ModelServer
from tests.cluster.postgres import OWNER, WORKER, PostgresServer

WORKERS = 3
CONCURRENCY = 8
LEASE_S = 3.0
MODEL = "openai-chat:m"


@dataclass
class Ended:
    """What a trial came to."""

    status: BatchStatus
    paid: Counter[str]
    """How often each order was paid."""
    requests: int
    """How many requests the model's server got."""
    taken_back_s: list[float] = field(default_factory=list)
    """How long after its death the items of each worker were taken back."""

    deadly: int = 0
    """How many items were running when three workers died, and are failed for that."""

    @property
    def doubles(self) -> int:
        """How many orders were paid more than once."""
        return sum(count > 1 for count in self.paid.values())

    @property
    def lost(self) -> int:
        """How many items ended well without having paid, or ended as something else than ok, unknown or deadly."""
        states = self.status.states
        return (
            self.status.items - states["ok"] - states["unknown"] - self.deadly + max(0, states["ok"] - len(self.paid))
        )


class Trial:
    """Some workers, a batch of items that each pay once, and what happens to the workers."""

    def __init__(self, folder: Path, address: DatabaseAddress, server: ModelServer, items: int) -> None:
        self._folder = folder
        self._address = address
        self._server = server
        self._items = items
        self._workers: list[Process] = []
        self._homes: list[Path] = []
        self._stopped: list[asyncio.Task[None]] = []
        self._waits: list[asyncio.Task[float]] = []

    async def run(self, kills: int, stops: int, restart: Callable[[], None] | None = None, restarts: int = 0) -> Ended:
        """Kill, stop and restart after equal shares of the work, and let the batch end."""
        for _ in range(WORKERS):
            await self._begin()
        home = self._home()
        queue = PostgresQueue(self._address)
        prompts = [f"pay {number}" for number in range(self._items)]
        batch = SubmittedBatch(queue, prompts, home=home, model=MODEL, max_cost="1000")
        running = asyncio.create_task(batch.run())
        events = [*["kill"] * kills, *["stop"] * stops, *["restart"] * restarts]
        events = [events[place::7][at] for place in range(7) for at in range(len(events[place::7]))]
        for number, event in enumerate(events, 1):
            await self._until(2 * self._items * number // (len(events) + 1), running)
            if event == "restart" and restart is not None:
                await asyncio.to_thread(restart)
            else:
                await self._end_one(queue, number % WORKERS, event)
        status = await running
        ended = await queue.items(batch.id, 0, self._items)
        deadly = sum(each.reason == DEADLY for each in ended)
        taken_back = [await wait for wait in self._waits]
        await self._finish()
        await queue.aclose()
        paid = Counter(
            chain.from_iterable(
                (home / "paid").read_text().splitlines() for home in self._homes if (home / "paid").exists()
            )
        )
        return Ended(
            status=status, paid=paid, requests=self._server.asked.total(), taken_back_s=taken_back, deadly=deadly
        )

    def _home(self) -> Path:
        made = self._folder / f"home{len(self._homes)}"
        made.mkdir(mode=0o700)
        self._homes.append(made)
        return made

    async def _begin(self) -> None:
        environment = {**os.environ, "FINCLAW_HOME": str(self._home()), "OPENAI_API_KEY": "k"}
        arguments = "-m", "tests.cluster.kills", self._server.url, self._address.conninfo
        self._workers.append(await asyncio.create_subprocess_exec(sys.executable, *arguments, env=environment))

    async def _until(self, requests: int, running: asyncio.Task[BatchStatus]) -> None:
        """Wait until the model's server has had so many requests."""
        while self._server.asked.total() < requests and not running.done():
            self._server.arrived.clear()
            arriving = asyncio.create_task(self._server.arrived.wait())
            await asyncio.wait([arriving, running], return_when=asyncio.FIRST_COMPLETED)
            arriving.cancel()

    async def _end_one(self, queue: PostgresQueue, place: int, event: str) -> None:
        process = self._workers.pop(place)
        if event == "kill":
            process.kill()
            self._waits.append(asyncio.create_task(_taken_back(queue, process.pid)))
        else:
            process.send_signal(signal.SIGSTOP)
            self._stopped.append(asyncio.create_task(self._go_on(process)))
        await self._begin()

    async def _go_on(self, process: Process) -> None:
        """Let a worker go on that others take for dead."""
        await asyncio.sleep(LEASE_S * 2)
        process.send_signal(signal.SIGCONT)
        self._workers.append(process)

    async def _finish(self) -> None:
        for stopped in self._stopped:
            await stopped
        for process in self._workers:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        for process in self._workers:
            await process.wait()


async def _taken_back(queue: PostgresQueue, pid: int) -> float:
    """How long it takes until a worker that was killed is gone from the database."""
    began = time.monotonic()
    while any(worker.id.startswith(f"pid-{pid}-") for worker in await queue.workers()):  # noqa: ASYNC110 - other processes change it
        await asyncio.sleep(0.1)
    return time.monotonic() - began


def work(url: str, conninfo: str) -> None:
    """Be a worker until SIGTERM comes."""
    process = WorkerProcess(
        DatabaseAddress(conninfo=conninfo, name="test"), CONCURRENCY, lambda _: None, lease_s=LEASE_S,
        host=f"pid-{os.getpid()}",
        base_url=url, tools=[pay], approver=approve, no_plugins=True,
        models={MODEL: {"input_usd": "1", "output_usd": "1"}},
    )  # fmt: skip

    async def run() -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, process.stop)
        await process.run()

    asyncio.run(run())


async def trial(folder: Path, items: int, kills: int, stops: int, restarts: int) -> Ended:
    """Make a trial with a server of its own."""
    postgres = PostgresServer()
    try:
        migrate(DatabaseAddress(conninfo=postgres.url("postgres", OWNER), name="test"), [WORKER])
        address = DatabaseAddress(conninfo=postgres.url("postgres"), name="test")
        async with ModelServer(0.05) as server:
            return await Trial(folder, address, server, items).run(kills, stops, postgres.restart, restarts)
    finally:
        postgres.remove()


def main() -> None:
    if sys.argv[1].startswith("http"):
        work(*sys.argv[1:])
        return
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        ended = asyncio.run(trial(Path(folder), *map(int, sys.argv[1:])))
    states = {state: count for state, count in ended.status.states.items() if count}
    print(f"{time.monotonic() - began:.0f} s, {ended.doubles} doubles, {ended.lost} lost, {states}")
    print(f"{ended.requests} requests for {ended.status.items} items; spent {ended.status.spent_usd} USD")
    print(f"{ended.deadly} items failed as three workers died while they ran")
    if ended.taken_back_s:
        print(f"taken back after {min(ended.taken_back_s):.1f} to {max(ended.taken_back_s):.1f} s")


if __name__ == "__main__":
    main()
