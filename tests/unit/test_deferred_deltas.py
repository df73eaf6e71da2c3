"""Deltas are written to a transcript together, before the next other record and before the event loop waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.full_disk import full_after

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
DELTA = {"turn": 1, "attempt": 1, "text": "words", "kind": "text"}
pytestmark = pytest.mark.asyncio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "talk.jsonl"


@pytest.fixture
def writer(path: Path) -> Iterator[TranscriptWriter]:
    opened = TranscriptWriter.create(path)
    yield opened
    opened.close()


def kinds(path: Path) -> list[str]:
    return [json.loads(line)["type"] for line in path.read_text("utf-8").splitlines()]


def size_of(path: Path) -> int:
    return path.stat().st_size


def stream(writer: TranscriptWriter, deltas: int) -> None:
    for _ in range(deltas):
        writer.append("agent.delta", AT, "run_1", DELTA)


async def test_deltas_are_written_when_the_event_loop_goes_on(writer: TranscriptWriter, path: Path):
    stream(writer, 3)
    assert size_of(path) == 0
    await asyncio.sleep(0)
    assert kinds(path) == ["agent.delta"] * 3


async def test_another_record_is_written_with_the_deltas_before_it(writer: TranscriptWriter, path: Path):
    stream(writer, 2)
    writer.append("message", AT, "run_1", {"role": "assistant", "content": "words"})
    assert kinds(path) == ["agent.delta", "agent.delta", "message"]


async def test_so_many_deltas_at_once_are_written_without_waiting(writer: TranscriptWriter, path: Path):
    stream(writer, 2_000)
    assert size_of(path) > 64 * 1024


async def test_a_transcript_that_is_closed_has_all_its_deltas(writer: TranscriptWriter, path: Path):
    stream(writer, 3)
    writer.close()
    assert kinds(path) == ["agent.delta"] * 3


async def test_deltas_that_could_not_be_written_fail_the_next_record(writer: TranscriptWriter, path: Path):
    stream(writer, 1)
    await asyncio.sleep(0)
    size = size_of(path)
    with full_after(size + 10):
        stream(writer, 2)
        await asyncio.sleep(0)
        with pytest.raises(OutputFailed):
            writer.append("message", AT, "run_1", {"role": "assistant", "content": "words"})
    assert size_of(path) == size
