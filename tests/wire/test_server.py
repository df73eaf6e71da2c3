"""The loopback server itself: what other tests rely on."""

from __future__ import annotations

import httpx2

from tests.wire.server import Reply, VectorServer, json_reply, openai_sse, responses_sse, threaded


def test_a_thread_of_its_own_serves_code_that_blocks() -> None:
    with threaded(json_reply({"error": "busy"}, status=429), json_reply({}), repeat=False) as server:
        statuses = [httpx2.post(f"{server.url}/v1/x", json={"n": number}).status_code for number in range(3)]
    assert statuses == [429, 200, 500]
    assert server.bodies == [{"n": 0}, {"n": 1}, {"n": 2}]


async def test_a_body_is_split_where_it_was_told_to() -> None:
    body = openai_sse([{"a": 1}]) + responses_sse([{"type": "x"}])
    for split, pieces in (("whole", 1), ("events", 3), ((3, 9, 99999), 3), ("bytes", len(body))):
        async with (
            VectorServer(Reply(body=body, split=split)) as server,
            httpx2.AsyncClient() as client,
            client.stream("POST", server.url, json={}) as response,
        ):
            came = [piece async for piece in response.aiter_raw()]
        assert b"".join(came) == body
        assert len(came) == pieces
