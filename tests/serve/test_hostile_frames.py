"""Frames of a WebSocket that no client should send: the connection ends, the run and the server go on."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from tests.agent.scripts import Scripts
from tests.serve.clients import Served

pytestmark = pytest.mark.asyncio
MASK = b"\x00\x00\x00\x00"
FRAMES = {
    "not masked": b"\x81\x02{}",
    "of a reserved kind": b"\x83\x80" + MASK,
    "with reserved bits": b"\xf1\x80" + MASK,
    "that continues nothing": b"\x80\x80" + MASK,
    "that is too long": b"\x81\xff" + (2**40).to_bytes(8, "big") + MASK,
    "longer than allowed": b"\x81\xff" + (70_000).to_bytes(8, "big") + MASK + b"x" * 70_000,
    "that is not UTF-8": b"\x81\x82" + MASK + b"\xff\xfe",
    "of bytes": b"\x82\x82" + MASK + b"{}",
    "of a long ping": b"\x89\xfe" + (200).to_bytes(2, "big") + MASK + b"x" * 200,
    "of HTTP": b"GET /v1/runs HTTP/1.1\r\n\r\n",
    "that closes with a wrong code": b"\x88\x82" + MASK + b"\x00\x01",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
async def test_a_wrong_frame_ends_the_connection_alone(served: Served, script: Scripts, frame: bytes):
    run_id = await served.start(model=script({"text": "x" * 5_000, "delta_chars": 10, "delay_s": 0.001}))
    reader, writer = await asyncio.open_connection("127.0.0.1", served.server.port)
    lines = (
        f"GET /v1/runs/{run_id}/events HTTP/1.1", f"Host: 127.0.0.1:{served.server.port}", "Connection: Upgrade",
        "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Authorization: Bearer {served.token}",
    )  # fmt: skip
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 101 ")
    writer.write(frame)
    read = b""
    with suppress(ConnectionResetError):  # what was not read was thrown away
        while piece := await reader.read(65_536):
            read += piece
    assert b'"agent.result"' not in read
    writer.close()
    assert (await served.result(run_id))["exit_code"] == 0
