"""The events of a served run are the lines of NDJSON, however they are read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.agent.scripts import Scripts
from tests.e2e.harness import checked_lines
from tests.e2e.warm import run_warm
from tests.serve.clients import Served, frames, serving

pytestmark = pytest.mark.asyncio
ANSWER = "All is well, 한국어 \N{GRINNING FACE} \u2028 \x1b[31m and the rest."


def replayed(home: Path, session: str, *options: str) -> bytes:
    """What `finclaw replay -o ndjson` prints."""
    env = {"FINCLAW_HOME": str(home), "PATH": "/usr/bin:/bin"}
    code, stdout, stderr = run_warm(("replay", "-o", "ndjson", *options, session), env=env, cwd=home, timeout_s=60)
    assert code == 0, stderr
    return stdout


async def test_server_sent_events_are_the_lines_that_replay_prints(
    served: Served, script: Scripts, without_plugins: Path
):
    run_id = await served.start(model=script({"text": ANSWER, "reasoning": "Hm."}))
    lines = await served.read(run_id)
    assert lines == await asyncio.to_thread(replayed, without_plugins, run_id)
    assert checked_lines(lines)[-1]["text"] == ANSWER


async def test_the_frames_of_a_websocket_are_the_same_lines(served: Served, script: Scripts):
    run_id = await served.start(model=script({"text": ANSWER, "delay_s": 0.001}))
    async with served.socket(f"/v1/runs/{run_id}/events") as socket:
        live = await frames(socket)
    async with served.socket(f"/v1/runs/{run_id}/events") as socket:
        recorded = await frames(socket)
        assert socket.close_code == 1000
    assert live == recorded == await served.read(run_id)


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ({"events": "all"}, ["--events", "all"]),
        ({"deltas": "false"}, ["--no-deltas"]),
        ({"events": "all", "deltas": "false"}, ["--events", "all", "--no-deltas"]),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
async def test_each_selection_of_events_has_its_own_numbers(
    served: Served, script: Scripts, without_plugins: Path, query: dict[str, str], options: list[str]
):
    run_id = await served.start(model=script({"text": ANSWER}))
    live = await served.read(run_id, **query)
    assert live == await asyncio.to_thread(replayed, without_plugins, run_id, *options)


async def test_the_id_of_an_event_is_its_seq(served: Served, script: Scripts):
    run_id = await served.start(model=script({"text": ANSWER}))
    events = [(event_id, json.loads(line)["seq"]) async for event_id, line in served.events(run_id)]
    assert [int(event_id) for event_id, _ in events] == [seq for _, seq in events] == list(range(len(events)))


async def test_a_later_server_gives_the_same_lines(script: Scripts, without_plugins: Path):
    async with serving() as first:
        run_id = await first.start(model=script({"text": ANSWER}))
        lines = await first.read(run_id)
    async with serving() as second:
        assert await second.read(run_id) == lines
        assert (await second.get(f"/v1/runs/{run_id}"))["status"] == "completed"


async def test_the_second_run_of_a_session_is_read_alone(served: Served, script: Scripts):
    model = script({"text": "One."})
    first = await served.start(model=model, session="talk")
    await served.result(first)
    second = await served.start(model=model, session="talk")
    lines = checked_lines(await served.read(second))
    assert {line["run_id"] for line in lines} == {second}
    assert {line["run_id"] for line in checked_lines(await served.read(first))} == {first}


async def test_a_run_that_was_killed_ends_with_a_result_line(served: Served, script: Scripts, without_plugins: Path):
    run_id = await served.start(model=script({"text": ANSWER}))
    whole = await served.read(run_id)
    path = without_plugins / "sessions" / f"{run_id}.jsonl"
    kept = path.read_bytes().splitlines(keepends=True)
    cut = [line for line in kept if b'"agent.result"' not in line][:-1]
    async with serving() as later:
        path.write_bytes(b"".join(cut) + b'{"v":1,"seq":')
        lines = checked_lines(await later.read(run_id))
        assert lines[:-1] == checked_lines(whole)[: len(lines) - 1]
        assert lines[-1]["error"]["code"] == "run_lost"
        assert lines[-1]["status"] == "error"
        run = await later.get(f"/v1/runs/{run_id}")
        ended = {name: lines[-1][name] for name in ("status", "exit_code", "session_id", "text", "error")}
        assert {name: run["result"][name] for name in ended} == ended
        assert (run["status"], run["finished"]) == ("error", lines[-1]["ts"])
        assert await later.read(run_id, after=lines[-1]["seq"]) == b""
