"""Records of a run are kept back until it has done something."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.transcript.pending import PendingWriter

AT = datetime(2026, 1, 2, tzinfo=UTC)


class Opened:
    """A writer, and what it was opened with."""

    def __init__(self) -> None:
        self.opened: list[tuple[datetime, str]] = []
        self.records: list[tuple[object, ...]] = []
        self.closed = 0

    def open(self, at: datetime, run_id: str) -> Opened:
        self.opened.append((at, run_id))
        return self

    def append(self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False) -> None:
        self.records.append((kind, at, run_id, data, durable))

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def file() -> Opened:
    return Opened()


@pytest.fixture
def writer(file: Opened) -> PendingWriter:
    """A writer with two records that are pending, of different times."""
    writer = PendingWriter(file.open)
    writer.append("run", AT, "run_1", {"n": 1})
    writer.append("message", AT + timedelta(seconds=1), "run_2", {"n": 2}, durable=True)
    return writer


def test_a_run_that_does_nothing_writes_nothing(writer: PendingWriter, file: Opened) -> None:
    writer.close()
    assert (file.opened, file.records, file.closed) == ([], [], 0)


@pytest.mark.parametrize("kind", ["request", "tool_intent", "tool_outcome", "agent.tool_call", "agent.approval"])
def test_what_a_run_does_is_written_after_what_is_pending(writer: PendingWriter, file: Opened, kind: str) -> None:
    writer.append(kind, AT, "run_2", {"n": 3})
    assert file.opened == [(AT, "run_1")]
    assert file.records == [
        ("run", AT, "run_1", {"n": 1}, False),
        ("message", AT + timedelta(seconds=1), "run_2", {"n": 2}, True),
        (kind, AT, "run_2", {"n": 3}, False),
    ]


def test_what_follows_is_written_at_once(writer: PendingWriter, file: Opened) -> None:
    for kind in ("request", "message", "agent.result"):
        writer.append(kind, AT, "run_1", {"n": 3})
    assert [each[0] for each in file.records] == ["run", "message", "request", "message", "agent.result"]
    assert len(file.opened) == 1


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize(("error", "written"), [(None, 3), ({"code": "no_key"}, 0)])
def test_a_result_is_written_where_it_is_an_answer(
    writer: PendingWriter, file: Opened, error: JsonObject | None, written: int, as_text: bool
) -> None:
    result: JsonObject = {"error": error}
    writer.append("agent.result", AT, "run_1", json.dumps(result) if as_text else result)
    assert len(file.records) == written


def test_the_file_is_closed_where_it_was_opened(writer: PendingWriter, file: Opened) -> None:
    writer.append("request", AT, "run_1", {})
    writer.close()
    assert file.closed == 1
