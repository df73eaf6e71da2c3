"""Served runs: refused, cancelled, limited, followed all together."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from finclaw_cli.serve import runs
from finclaw_cli.serve.limits import Limits
from tests.agent.scripts import Scripts
from tests.e2e.harness import checked_lines
from tests.serve.clients import SSE, Served, frames, serving

pytestmark = pytest.mark.asyncio
ENDLESS = {"text": "x" * 100_000, "delta_chars": 1, "delay_s": 0.001}


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"model": "no-such-provider:x"}, (400, "unknown_model")),
        ({"tools": ["no_such_tool"]}, (404, "unknown_tool")),
        ({"model": "openai:gpt-5"}, (422, "no_credentials")),
        ({"policy": ["missing.toml"]}, (400, "bad_policy")),
        ({"schema": "/dev/zero"}, (400, "bad_schema")),  # no file is read for a client
        ({"prompt": None, "resume": True, "session": "no-such-session"}, (404, "unknown_session")),
    ],
    ids=str,
)
async def test_what_cannot_begin_is_refused_before_there_is_a_run(
    served: Served, script: Scripts, without_plugins: Path, body: dict[str, object], refusal: tuple[int, str]
):
    refused = await served.http.post("/v1/runs", json={"prompt": "x", "model": script({"text": "One."}), **body})
    assert (refused.status_code, refused.json()["error"]["code"]) == refusal
    assert await served.get("/v1/runs") == []
    assert list((without_plugins / "sessions").glob("*")) == []


async def test_a_burst_of_readers_opens_no_more_streams_than_allowed(without_plugins: Path, script: Scripts):
    async with serving(Limits(clients=4)) as served:
        run_id = await served.start(model=script(ENDLESS))
        path = f"/v1/runs/{run_id}/events"

        async def answered() -> int:
            async with served.http.stream("GET", path, headers=SSE) as answer:
                begun.append(answer)
                if answer.status_code == 200:
                    await ended.wait()
                return answer.status_code

        begun, ended = list[object](), asyncio.Event()
        async with asyncio.TaskGroup() as group:
            readers = [group.create_task(answered()) for _ in range(20)]
            while len(begun) < 20:  # noqa: ASYNC110 - it is about polling
                await asyncio.sleep(0.01)
            ended.set()
        await served.http.post(f"/v1/runs/{run_id}/cancel")
    assert sorted(reader.result() for reader in readers) == [200] * 4 + [503] * 16


async def test_a_run_that_is_cancelled_ends_as_by_ctrl_c_and_is_resumable(served: Served, script: Scripts):
    run_id = await served.start(model=script(ENDLESS))
    async for _, line in served.events(run_id):
        if json.loads(line)["type"] == "agent.delta":
            break
    cancelled = await served.http.post(f"/v1/runs/{run_id}/cancel")
    assert cancelled.status_code == 202
    result = await served.result(run_id)
    assert (result["status"], result["exit_code"], result["error"]["code"]) == ("aborted", 130, "interrupted")
    assert (await served.http.post(f"/v1/runs/{run_id}/cancel")).status_code == 409
    again = await served.start(None, session=run_id, resume=True, model=script({"text": "Then."}))
    assert (await served.result(again))["text"] == "Then."


async def test_a_line_over_the_websocket_interrupts_the_run(served: Served, script: Scripts):
    run_id = await served.start(model=script(ENDLESS))
    async with served.socket(f"/v1/runs/{run_id}/events") as socket:
        await socket.send('{"type":"interrupt"}')
        lines = checked_lines(b"".join([frame.encode() async for frame in socket]))
    assert lines[-1]["exit_code"] == 130


async def test_more_runs_than_allowed_are_refused(without_plugins: Path, script: Scripts):
    async with serving(Limits(runs=1)) as served:
        run_id = await served.start(model=script(ENDLESS))
        refused = await served.http.post("/v1/runs", json={"prompt": "x", "model": script({"text": "One."})})
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_runs")
        await served.http.post(f"/v1/runs/{run_id}/cancel")
        await served.ended(run_id)
        await served.start(model=script({"text": "One."}))


async def test_more_readers_than_allowed_are_refused(without_plugins: Path, script: Scripts):
    async with serving(Limits(clients=1)) as served:
        run_id = await served.start(model=script(ENDLESS))
        async with served.socket(f"/v1/runs/{run_id}/events") as socket:
            await socket.recv()
            refused = await served.http.get(f"/v1/runs/{run_id}/events", headers=SSE)
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "too_many_clients")
            await socket.send('{"type":"interrupt"}')
        await served.read(run_id)


async def test_more_starts_a_minute_than_allowed_are_refused(without_plugins: Path, script: Scripts):
    async with serving(Limits(starts_a_minute=1)) as served:
        body = {"prompt": "x", "model": script({"text": "One."})}
        answers = [(await served.http.post("/v1/runs", json=body)).status_code for _ in range(2)]
    assert answers == [202, 429]


async def test_all_runs_are_followed_in_one_stream_that_resumes_after_any_event(served: Served, script: Scripts):
    model = script({"text": "One two three four five six.", "delta_chars": 2, "delay_s": 0.001})
    read = list[tuple[str, bytes]]()
    ended, event_id = 0, ""
    begun = asyncio.create_task(start_soon(served, model, 3))
    while ended < 3:
        headers = {**SSE, **({"last-event-id": event_id} if event_id else {})}
        async with served.http.stream("GET", "/v1/events", headers=headers) as stream:
            most, lines = len(read) + 7, stream.aiter_lines()
            async for text in lines:
                name, _, value = text.partition(": ")
                if name == "id":
                    event_id = value
                elif name == "data":
                    read.append((event_id, value.encode() + b"\n"))
                    ended += '"agent.result"' in value
                if len(read) == most or ended == 3:
                    break
    for run_id in await begun:
        own = [(name, line) for name, line in read if name.startswith(run_id)]
        assert [name for name, _ in own] == [f"{run_id}:{seq}" for seq in range(len(own))]
        assert b"".join(line for _, line in own) == await served.read(run_id)
    gone = await served.http.get("/v1/events", headers={**SSE, "last-event-id": "run_x:1"})
    assert gone.status_code == 410


async def start_soon(served: Served, model: str, count: int) -> list[str]:
    await asyncio.sleep(0.05)  # after the reader has connected
    return [await served.start(model=model) for _ in range(count)]


async def test_the_options_of_a_run_are_those_of_the_command(served: Served, script: Scripts):
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    run_id = await served.start(
        model=script({"text": '{"n": 3}'}), schema=schema, max_turns=3, max_cost=0.5, timeout=20, tools=["none"]
    )
    lines = checked_lines(await served.read(run_id))
    assert lines[-1]["output"] == {"n": 3}
    assert lines[0]["limits"]["max_turns"] == 3
    assert lines[0]["limits"]["max_cost_usd"] == "0.5"


async def test_the_events_of_earlier_runs_are_read_from_their_transcripts(
    served: Served, script: Scripts, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runs, "KEPT_WITH_EVENTS", 1)
    model = script({"text": "One two three."})
    first = await served.start(model=model)
    lines = await served.read(first)
    for _ in range(2):
        await served.read(await served.start(model=model))
    assert await served.read(first) == lines
    async with served.socket(f"/v1/runs/{first}/events?after=1") as socket:
        assert await frames(socket) == b"".join(lines.splitlines(keepends=True)[2:])


async def test_settings_that_change_hold_for_the_next_run(served: Served, script: Scripts, without_plugins: Path):
    model = script({"text": "One."})
    first = await served.start(model=model)
    settings = without_plugins / "config.toml"
    settings.write_text(f"max_turns = 5\n{settings.read_text()}")
    second = await served.start(model=model)
    turns = [checked_lines(await served.read(run))[0]["limits"]["max_turns"] for run in (first, second)]
    assert turns[0] != turns[1] == 5


async def test_no_secret_is_in_any_answer(served: Served, script: Scripts, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789abcdef")
    run_id = await served.start(
        f"Is sk-secret-0123456789abcdef or {served.token} good?", model=script({"text": f"No: {served.token}"})
    )
    shown = [(await served.read(run_id)).decode()]
    paths = ("runs", "sessions", f"sessions/{run_id}", f"sessions/{run_id}/html", "settings", "sessions?query=good")
    shown += [(await served.http.get(f"/v1/{path}")).text for path in paths]
    assert "REDACTED" in shown[0]
    for text in shown:
        assert "sk-secret" not in text
        assert served.token not in text
