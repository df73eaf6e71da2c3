"""Idempotency keys: each starts one run, also across restarts of the server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
import pytest

from tests.agent.scripts import Scripts
from tests.serve.clients import Line, Served, serving

pytestmark = pytest.mark.asyncio
KEY = {"idempotency-key": "a b c"}


async def post(served: Served, body: Line, key: str = "a b c") -> httpx2.Response:
    return await served.http.post("/v1/runs", json=body, headers={"idempotency-key": key})


async def test_the_same_key_and_body_give_the_same_run(served: Served, script: Scripts):
    body = {"prompt": "x", "model": script({"text": "One."})}
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(post(served, body)) for _ in range(5)]
    assert len({each.result().text for each in asked}) == 1
    assert len(await served.get("/v1/runs")) == 1
    another = await post(served, {**body, "prompt": "y"})
    assert (another.status_code, another.json()["error"]["code"]) == (409, "key_reused")


async def test_a_key_whose_body_was_refused_can_be_used_again(served: Served, script: Scripts):
    assert (await post(served, {"prompt": "x", "max_turns": 0})).status_code == 400
    assert (await post(served, {"prompt": "x", "model": script({"text": "One."})})).status_code == 202


@pytest.mark.parametrize("session", [None, "talk"])
async def test_a_later_server_gives_the_same_run_and_starts_nothing(
    without_plugins: Path, script: Scripts, session: str | None
):
    body = {"prompt": "x", "model": script({"text": "One."}), **({"session": session} if session else {})}
    async with serving() as first:
        started = await post(first, body)
        await first.ended(started.json()["run_id"])
        await first.ended((await post(first, body, "another key")).json()["run_id"])
    async with serving() as later:
        again = await post(later, body)
        assert (again.status_code, again.json()) == (202, started.json())
        assert await later.get("/v1/runs") == []
        reused = await post(later, {**body, "prompt": "y"})
        assert (reused.status_code, reused.json()["error"]["code"]) == (409, "key_reused")
        new = await post(later, body, "a key that was not used")
        assert new.json()["run_id"] != started.json()["run_id"]
        await later.ended(new.json()["run_id"])


async def test_the_run_of_a_key_that_was_killed_with_its_server_is_not_started_again(
    without_plugins: Path, script: Scripts
):
    body = {"prompt": "x", "model": script({"text": "One."})}
    async with serving() as first:
        run_id = (await post(first, body)).json()["run_id"]
        await first.ended(run_id)
    path = without_plugins / "sessions" / f"{run_id}.jsonl"
    path.write_bytes(b"".join(line for line in path.read_bytes().splitlines(keepends=True) if b"result" not in line))
    async with serving() as later:
        assert (await post(later, body)).json()["run_id"] == run_id
        assert (await later.get(f"/v1/runs/{run_id}"))["result"]["error"]["code"] == "run_lost"


async def test_a_key_is_not_in_the_transcript_in_clear(served: Served, without_plugins: Path, script: Scripts):
    run_id = (await post(served, {"prompt": "x", "model": script({"text": "One."})}, "sk-key-of-mine")).json()["run_id"]
    await served.ended(run_id)
    recorded = (without_plugins / "sessions" / f"{run_id}.jsonl").read_text()
    assert '"request":{"key":"' in recorded
    assert "sk-key-of-mine" not in recorded
