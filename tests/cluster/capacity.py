"""What an item takes of a cluster, for docs/explanation/capacity.md. The server writes to the disk as a real one does.

`python -m tests.cluster.capacity items` runs items with three workers, and prints what each takes;
`python -m tests.cluster.capacity queue PROCESSES RUNS TURNS` how many items a second the queue alone takes, with so many
runs at once in each process, of so many turns; `python -m tests.cluster.capacity looks ITEMS` how long a worker looks at the queue with so many items.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path

from finclaw_cli.batch.buckets import Need, Taken, Taker
from finclaw_cli.batch.queue import Claim, NewItem, Outcome
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.migration import migrate
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.core.budget import AmountRange
from tests.batch.model_server import ModelServer
from tests.cluster.kills import Trial
from tests.cluster.postgres import OWNER, WORKER, PostgresServer

FEW, MANY = 300, 1500
"""Items of two trials: what each further item takes is their difference."""
OF_QUEUE = 2000
BATCH = BUCKET = "b"
MONEY = AmountRange(most_usd=Decimal("0.01"), enough_usd=Decimal("0.01"), least_usd=Decimal("0.001"))


@contextmanager
def database() -> Iterator[tuple[PostgresServer, DatabaseAddress]]:
    """A server with tables, which counts statements."""
    server = PostgresServer(fsync="on", shared_preload_libraries="pg_stat_statements")
    try:
        with closing(server.connected("postgres")) as made:
            made.execute("CREATE EXTENSION pg_stat_statements")
        migrate(DatabaseAddress(conninfo=server.url("postgres", OWNER), name="test"), [WORKER])
        yield server, DatabaseAddress(conninfo=server.url("postgres"), name="test")
    finally:
        server.remove()


def figure(server: PostgresServer, query: str) -> float:
    """The one number that a query gives."""
    with closing(server.connected("postgres")) as made:
        ((value,),) = made.execute(query.encode()).fetchall()
    return float(str(value or 0))


def cpu_s(parent: int) -> float:
    """CPU seconds of a process and its children, also of those that have ended."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if path.parent.name == str(parent):
            ticks += sum(map(int, fields[11:15]))
        elif fields[1] == str(parent):
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def used(server: PostgresServer) -> dict[str, float]:
    """What was used until now; statements but those of transcripts are made under the lock of the queue."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    of_workers = f"FROM pg_stat_statements WHERE userid = '{WORKER}'::regrole AND query"
    return {
        "workers, CPU ms": 1000 * (of_children.ru_utime + of_children.ru_stime),
        "database, CPU ms": 1000 * cpu_s(server.pid),
        "statements": figure(server, f"SELECT sum(calls) {of_workers} NOT LIKE '%records%'"),
        "transactions": figure(server, f"SELECT sum(calls) {of_workers} LIKE '%advisory%'"),
        "statements of transcripts": figure(server, f"SELECT sum(calls) {of_workers} LIKE '%records%'"),
        "database, bytes": figure(server, "SELECT pg_database_size('postgres')"),
        "write-ahead log, bytes": figure(server, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"),
    }


async def trial(items: int) -> dict[str, float]:
    """What some items of two turns and one payment use."""
    with database() as (server, address), tempfile.TemporaryDirectory() as folder:
        before = used(server)
        async with ModelServer(0.05) as model:
            ended = await Trial(Path(folder), address, model, items).run(0, 0)
        assert ended.status.states["ok"] == items, ended.status
        return {name: value - before[name] for name, value in used(server).items()}


async def one_item() -> None:
    """Print what each further item uses."""
    few, many = await trial(FEW), await trial(MANY)
    for name, value in many.items():
        print(f"{name}: {(value - few[name]) / (MANY - FEW):,.1f} an item")


async def drive(queue: PostgresQueue, runs: int, turns: int) -> None:
    """Make the changes of runs with a limit of money and rate limits, as many at once, until no item waits."""
    await queue.buckets.choose(BUCKET, {"requests": 10**9, "input": 10**12, "output": 10**12})

    async def run(claim: Claim) -> None:
        await queue.begin(claim, f"batch-{claim.batch}-{claim.line}", "run")
        for _ in range(turns):
            taken = await queue.buckets.take(BUCKET, Taker(id=BATCH), Need(input=1000, output=100))
            assert isinstance(taken, Taken)
            reserved = await queue.reserve(claim, MONEY)
            assert isinstance(reserved, Decimal)
            await queue.settle(claim, reserved, Decimal("0.001"))
            await queue.buckets.settle(BUCKET, taken, Need(input=1100, output=90))
        await queue.finish(claim, Outcome(state="ok", exit_code=0, reason=None, result={"answer": "x" * 500}))

    under_way: set[asyncio.Task[None]] = set()
    while (claims := await queue.claim(BATCH, runs - len(under_way))) or under_way:
        under_way |= {asyncio.create_task(run(claim)) for claim in claims}
        done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    await queue.aclose()


def of_queue(processes: int, *runs: str) -> None:
    """Print how many items a second the queue takes, without runs."""
    with database() as (server, address):
        asyncio.run(submit(address, OF_QUEUE))
        command = [sys.executable, "-m", "tests.cluster.capacity", "drive", address.conninfo, *runs]
        before, began = used(server), time.monotonic()
        started = [subprocess.Popen(command) for _ in range(processes)]
        assert sum(process.wait() for process in started) == 0
        wall_s = time.monotonic() - began
        print(f"{OF_QUEUE / wall_s:.0f} items a second")
        for name, value in used(server).items():
            change = value - before[name]
            print(f"{name}: {change / OF_QUEUE:,.1f} an item, {change / wall_s:,.0f} a second")


async def submit(address: DatabaseAddress, items: int) -> None:
    """Submit a batch."""
    queue = PostgresQueue(address)
    lines = [NewItem(id=str(line), name=str(line), line=line, input="{}", session=None) for line in range(items)]
    await queue.submit_to_workers(BATCH, lines, Decimal(1_000_000), {})
    await queue.aclose()


async def looks(items: int) -> None:
    """Print how long what each worker asks once a second takes, with so many items in the database."""
    with database() as (server, address):
        await submit(address, items)
        with closing(server.connected("postgres")) as made:
            made.execute("ANALYZE")
        queue = PostgresQueue(address)
        await queue.join()
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "batches to run": queue.to_run,
            "other versions": queue.of_other_versions,
            "counts": lambda: queue.status(BATCH),
            "claim": lambda: queue.claim(BATCH, 8),
        }
        for name, look in asked.items():
            times = []
            for _ in range(5):
                began = time.monotonic()
                await look()
                times.append(time.monotonic() - began)
            print(f"{name}: {1000 * sorted(times)[2]:.1f} ms")
        await queue.aclose()


def main() -> None:
    match sys.argv[1:]:
        case ["items"]:
            asyncio.run(one_item())
        case ["queue", processes, runs, turns]:
            of_queue(int(processes), runs, turns)
        case ["looks", items]:
            asyncio.run(looks(int(items)))
        case ["drive", conninfo, runs, turns]:
            asyncio.run(drive(PostgresQueue(DatabaseAddress(conninfo=conninfo, name="test")), int(runs), int(turns)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
