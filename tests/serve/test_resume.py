"""Readers that lose their connection, or do not keep up, go on without a gap and without a line twice."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import InvalidStatus

from finclaw_cli.serve import live_events
from tests.agent.scripts import Scripts
from tests.e2e.harness import checked_lines
from tests.serve.clients import SSE, Line, Served, frames

pytestmark = pytest.mark.asyncio
WORDS = " ".join(f"word{number}" for number in range(300))
SLOWLY: Line = {"text": WORDS, "delta_chars": 8, "delay_s": 0.001}


def seq_of(line: bytes) -> int:
    return int(json.loads(line)["seq"])


async def read_in_pieces(served: Served, run_id: str, chance: random.Random, cuts: int, *, by_socket: bool) -> bytes:
    """Read a run to its end, with so many connections that are cut at random places."""
    read, after = list[bytes](), -1
    for cut in range(cuts + 1):
        most = chance.randrange(0, 12) if cut < cuts else None
        async for line in piece(served, run_id, after, most, by_socket=by_socket):
            read.append(line)
            after = seq_of(line)
    return b"".join(read)


async def piece(served: Served, run_id: str, after: int, most: int | None, *, by_socket: bool):
    if by_socket:
        async with served.socket(f"/v1/runs/{run_id}/events?after={after}") as connection:
            count = 0
            async for frame in connection:
                yield frame.encode()
                count += 1
                if count == most:
                    connection.transport.abort()
                    return
        return
    count = 0
    async for _, line in served.events(run_id, {"last-event-id": str(after)}):
        yield line
        count += 1
        if count == most:
            return


async def test_two_hundred_random_disconnects_lose_and_double_nothing(served: Served, script: Scripts):
    run_id = await served.start(model=script(SLOWLY))
    chance = random.Random(1)
    async with asyncio.TaskGroup() as group:
        readers = [
            group.create_task(read_in_pieces(served, run_id, chance, 50, by_socket=place % 2 == 0))
            for place in range(4)
        ]
    whole = await served.read(run_id)
    assert [reader.result() == whole for reader in readers] == [True] * 4
    checked_lines(whole)


async def test_after_any_line_the_rest_follows(served: Served, script: Scripts):
    run_id = await served.start(model=script({"text": "One two three."}))
    lines = (await served.read(run_id)).splitlines(keepends=True)
    for place in range(-1, len(lines)):
        assert await served.read(run_id, after=place) == b"".join(lines[place + 1 :])


async def test_what_is_no_longer_in_memory_comes_from_the_transcript(
    served: Served, script: Scripts, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(live_events, "MOST_KEPT", 20)
    run_id = await served.start(model=script(SLOWLY))
    await asyncio.sleep(0)
    begun = [line async for line in piece(served, run_id, -1, 100, by_socket=False)]
    rest = b""
    while not rest.endswith(b"\n") or b'"agent.result"' not in rest.splitlines()[-1]:
        after = seq_of((rest or begun[-1]).splitlines()[-1])
        rest += await served.read(run_id, after=after)
    assert b"".join(begun) + rest == await served.read(run_id)


async def test_a_reader_that_does_not_keep_up_is_closed_with_a_code_and_goes_on(
    served: Served, script: Scripts, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(live_events, "MOST_KEPT", 20)
    run_id = await served.start(model=script({"text": "x" * 2_000_000, "delta_chars": 10_000, "delay_s": 0.001}))
    small = socket.create_connection(("127.0.0.1", served.server.port))
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    async with served.socket(f"/v1/runs/{run_id}/events", max_queue=1, sock=small) as slow:
        first = (await slow.recv()).encode()
        await served.ended(run_id)
        read = first + await frames(slow)
        assert slow.close_code == 1013
    last = seq_of(read.splitlines()[-1])
    assert read + await served.read(run_id, after=last) == await served.read(run_id)


async def test_several_readers_of_a_run_get_the_same_lines(served: Served, script: Scripts):
    run_id = await served.start(model=script(SLOWLY))
    async with asyncio.TaskGroup() as group:
        readers = [group.create_task(served.read(run_id)) for _ in range(6)]
    assert len({reader.result() for reader in readers}) == 1


async def test_a_reader_that_has_all_lines_gets_no_more(served: Served, script: Scripts):
    run_id = await served.start(model=script({"text": "One."}))
    lines = checked_lines(await served.read(run_id))
    last = {**SSE, "last-event-id": str(lines[-1]["seq"])}
    assert (await served.http.get(f"/v1/runs/{run_id}/events", headers=last)).status_code == 204


async def test_a_stream_whose_first_lines_cannot_be_read_any_more_is_cut_off(
    served: Served, script: Scripts, monkeypatch: pytest.MonkeyPatch, without_plugins: Path
):
    monkeypatch.setattr(live_events, "MOST_KEPT", 5)
    run_id = await served.start(model=script({**SLOWLY, "delay_s": 0.01}), session="gone")
    async with served.socket(f"/v1/runs/{run_id}/events") as socket:
        for _ in range(10):
            await socket.recv()
        (without_plugins / "sessions" / "gone.jsonl").unlink()
        with pytest.raises(httpx2.RemoteProtocolError):
            await served.read(run_id)
    await served.http.post(f"/v1/runs/{run_id}/cancel")


@pytest.mark.parametrize("turn", [SLOWLY, {"text": "One."}], ids=["under way", "ended"])
async def test_a_place_that_no_reader_can_have_reached_is_refused(served: Served, script: Scripts, turn: Line):
    run_id = await served.start(model=script(turn))
    if turn is not SLOWLY:
        await served.ended(run_id)
    altered = {**SSE, "last-event-id": "1000000"}
    answer = await served.http.get(f"/v1/runs/{run_id}/events", headers=altered)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_cursor")
    with pytest.raises(InvalidStatus, match="400"):
        async with served.socket(f"/v1/runs/{run_id}/events?after=1000000"):
            pass
