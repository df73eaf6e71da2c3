"""Records of a session that cannot be read, or stand for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.transcript.history import open_history
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.unit.test_history import AT, TALK


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter.create(path)
    writer.append("session", AT, "run_1", {"format": 1})
    for message in TALK:
        writer.append("message", AT, "run_1", message_data(message))
    writer.close()
    return path


def resumed(path: Path) -> TranscriptWriter:
    history = open_history(path)
    return TranscriptWriter.resume(path, tag=history.tag, next_seq=history.next_seq, size=history.size)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("message", {"role": "user", "content": [{"type": "hologram"}]}),
        ("message", {"role": "user", "content": ["text"]}),
        ("compaction", {"messages": []}),
        ("compaction", {"messages": ["text"]}),
    ],
)
def test_a_record_of_the_conversation_that_cannot_be_read_is_set_aside(path: Path, kind: str, data: dict[str, object]):
    writer = resumed(path)
    writer.append(kind, AT, "run_2", data)
    writer.close()
    history = open_history(path)
    assert [each.what for each in history.mended] == ["set_aside"]
    assert history.messages == tuple(TALK)


def test_what_is_left_of_a_compacted_conversation_takes_its_place(path: Path):
    writer = resumed(path)
    writer.append("compaction", AT, "run_2", {"messages": [message_data(message) for message in TALK[4:]]})
    writer.close()
    assert open_history(path).messages == tuple(TALK[4:])
