"""A long session is kept and listed as cheaply as a short one."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from finclaw_cli.core.events.agent import AgentToolCall, Emitted
from finclaw_cli.transcript.reader import read_file
from finclaw_cli.transcript.replay import events_of
from finclaw_cli.transcript.summary import summary_of
from finclaw_cli.transcript.writer import TranscriptWriter

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
DELTA = {"turn": 1, "attempt": 1, "text": "some words " * 20, "kind": "text"}
KIB = 1024


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "talk.jsonl"


@pytest.fixture
def writer(path: Path) -> Iterator[TranscriptWriter]:
    opened = TranscriptWriter.create(path)
    opened.append("session", AT, "run_1", {"format": 1})
    opened.append("message", AT, "run_1", {"role": "user", "content": "How did ACME do?"})
    yield opened
    opened.close()


def append(writer: TranscriptWriter, records: int) -> None:
    for _ in range(records):
        writer.append("agent.delta", AT, "run_1", DELTA)


def peak_bytes(work: Callable[[], object]) -> int:
    """The most memory that something takes at any moment; what is made once is there by then."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_thousands_of_records_leave_nothing_behind_in_memory(writer: TranscriptWriter):
    assert peak_bytes(lambda: append(writer, 5_000)) < 8 * KIB


def test_a_long_session_is_listed_from_its_two_ends(writer: TranscriptWriter, path: Path):
    append(writer, 5_000)
    assert path.stat().st_size > 1_000 * KIB
    assert peak_bytes(lambda: summary_of(path)) < 64 * KIB


def test_a_result_that_is_longer_than_the_first_look_is_found(writer: TranscriptWriter, path: Path):
    append(writer, 100)
    writer.append("agent.result", AT, "run_1", {"status": "completed", "text": "x" * 50 * KIB})
    assert (summary_of(path).question, summary_of(path).status) == ("How did ACME do?", "completed")


def test_a_long_session_is_replayed_record_by_record(writer: TranscriptWriter, path: Path):
    append(writer, 5_000)
    assert peak_bytes(lambda: sum(1 for _ in events_of(read_file(path)))) < 64 * KIB


@pytest.mark.parametrize(
    "written", ['{"n":[0.1,1e22,-0.0,5e-324,12345678901234567890123,1.7976931348623157e308]}', '{"half":"\\ud83d"}']
)
def test_what_was_recorded_is_replayed_to_the_last_digit(writer: TranscriptWriter, path: Path, written: str):
    called = f'{{"turn":1,"call_id":"c1","name":"price","status":"requested","input":{written}}}'
    writer.append("agent.tool_call", AT, "run_1", called)
    (replayed,) = events_of(read_file(path))
    assert isinstance(replayed, Emitted)
    assert isinstance(replayed.event, AgentToolCall)
    assert json.dumps(replayed.event.input, separators=(",", ":")) == json.dumps(
        json.loads(written), separators=(",", ":")
    )
