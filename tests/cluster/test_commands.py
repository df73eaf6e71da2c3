"""`finclaw worker` and `finclaw batch --cluster` as processes."""

from __future__ import annotations

import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from finclaw_cli.batch.outcome import BatchStop
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.schema import VERSION
from finclaw_cli.core import exits
from tests.batch.model_server import ModelServer
from tests.batch.queues import new_items
from tests.cluster.postgres import OWNER, PostgresServer
from tests.cluster.workers import PLAIN, Machine, lines, results


@pytest.fixture
def machine(tmp_path: Path, server: ModelServer, postgres: PostgresServer, database: str) -> Machine:
    return Machine(tmp_path / "here", server.url, postgres.url(database), PLAIN)


@pytest.fixture
async def worker(tmp_path: Path, server: ModelServer, postgres: PostgresServer, database: str) -> AsyncIterator[None]:
    far = Machine(tmp_path / "far", server.url, postgres.url(database), PLAIN)
    process = await far.start("worker")
    yield
    process.send_signal(signal.SIGTERM)
    _, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert not list((far.folder / "cluster").iterdir())


@pytest.mark.usefixtures("worker")
async def test_a_batch_is_run_by_a_worker_and_followed(machine: Machine) -> None:
    code, out, err = await machine.run("batch", "-", "--cluster", "--ordered", stdin=lines("a", "b"))
    assert (code, [each["result"]["text"] for each in results(out)]) == (exits.OK, ["re: a", "re: b"]), err
    code, again, _ = await machine.run("batch", "-", "--cluster", "--ordered", stdin=lines("a", "b"))
    assert (code, again) == (exits.OK, out)
    code, listed, _ = await machine.run("batch", "list", "--cluster", "--json")
    assert json.loads(listed)[0]["states"]["ok"] == 2
    code, kept, _ = await machine.run("batch", "results", "--cluster", "--ordered")
    assert kept == out


@pytest.mark.usefixtures("worker")
async def test_sessions_of_a_batch_are_brought_here(machine: Machine) -> None:
    await machine.run("batch", "-", "--cluster", stdin=lines("a", session="mine"))
    code, fetched, _ = await machine.run("batch", "fetch", "--cluster", "--json")
    assert (code, json.loads(fetched)["written"]) == (exits.OK, ["mine"])
    assert json.loads((await machine.run("batch", "fetch", "--cluster", "--json"))[1])["unchanged"] == ["mine"]
    code, _, err = await machine.run("replay", "mine", "--verify")
    assert code == exits.OK, err
    session = machine.folder / "sessions" / "mine.jsonl"
    session.write_bytes(b"another")
    code, fetched, err = await machine.run("batch", "fetch", "--cluster", "--json")
    assert (json.loads(fetched)["left"], session.read_bytes()) == (["mine"], b"another")


async def test_following_may_end_and_the_batch_goes_on(machine: Machine) -> None:
    process = await machine.start("batch", "-", "--cluster")
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(lines("a"))
    process.stdin.close()
    while b"no worker runs" not in await process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    await process.communicate()
    assert process.returncode == -signal.SIGINT
    worker = await machine.start("worker")
    code, out, _ = await machine.run("batch", "-", "--cluster", stdin=lines("a"))
    assert (code, [each["attempts"] for each in results(out)]) == (exits.OK, [1])
    worker.send_signal(signal.SIGTERM)
    await worker.communicate()


async def test_what_only_one_machine_has_is_no_option_of_a_batch(machine: Machine) -> None:
    code, _, err = await machine.run("batch", "-", "--cluster", "--policy", "rules.toml", stdin=lines("a"))
    assert code == exits.USAGE
    assert "policy: is set on the workers" in err


async def test_tables_are_made_by_their_owner(machine: Machine, postgres: PostgresServer, database: str) -> None:
    owner = Machine(machine.folder.parent / "owner", "http://127.0.0.1:9/v1", postgres.url(database, OWNER), PLAIN)
    code, out, _ = await owner.run("worker", "--migrate", "--grant", "worker")
    assert (code, out) == (exits.OK, "finclaw at 127.0.0.1: the tables are of version 1; worker may use them\n")


async def test_the_status_names_what_a_batch_waits_for(machine: Machine, address: DatabaseAddress) -> None:
    queue = PostgresQueue(address)
    await queue.submit_to_workers("b", new_items(1), None, {})
    await queue.stop("b", BatchStop(exit_code=exits.BUDGET, message="the money is spent"))
    await queue.aclose()
    _, out, _ = await machine.run("batch", "status", "--cluster")
    assert out.splitlines()[-2:] == ["stopped: the money is spent", "no worker runs: finclaw worker starts one"]
    _, out, _ = await machine.run("batch", "status", "--cluster", "--json")
    assert json.loads(out)["cluster"]["version"] == VERSION


async def test_workers_are_listed(machine: Machine) -> None:
    code, out, _ = await machine.run("worker", "--list", "--json")
    assert (code, json.loads(out)) == (exits.OK, [])
