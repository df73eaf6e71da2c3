"""Requests that get no data and start nothing, whatever sent them: raw bytes on a socket, one a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from finclaw_cli.serve.limits import Limits
from tests.serve.clients import Served, serving
from tests.serve.hostile import CASES, Hostile

in_one_loop = pytest.mark.asyncio(loop_scope="module")
LIMITS = Limits(request_s=0.3, unknown_s=0.3, body_bytes=2_000, clients=2, absence_s=0.1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def strict() -> AsyncIterator[Served]:
    """One server for all of them."""
    async with serving(LIMITS) as server:
        yield server


async def answer_to(served: Served, sent: bytes) -> bytes:
    """All that the server answers until it closes the connection, or is quiet."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.server.port)
    answer = b""
    try:
        writer.write(sent)
        await writer.drain()
        async with asyncio.timeout(1):
            while piece := await reader.read(65_536):
                answer += piece
                if b"\r\n\r\n" in answer and b"connection: close" not in answer.lower():
                    break
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()
    return answer


def test_there_are_150_of_them() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 150


@in_one_loop
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_hostile_request_gets_no_data_and_starts_nothing(strict: Served, case: Hostile, tmp_path: Path):
    answer = await answer_to(strict, case.bytes(strict.server.port, strict.token))
    status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else None
    assert status in case.statuses, answer[:300]
    assert strict.token.encode() not in answer
    assert b"access-control" not in answer.lower()
    assert b'"run_id"' not in answer
    assert b"sessions" not in answer
    assert b"Traceback" not in answer
    assert await strict.get("/v1/runs") == []
    assert not (tmp_path / "home" / "sessions").exists()
