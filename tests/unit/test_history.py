"""A session opens whatever happened to its file: what can be read goes on, and what was damaged is kept."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.history import OUTCOME_UNKNOWN, open_history
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.reader import Damage, read_file
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.unit.test_mend import problems
from tests.unit.test_transcript_lines import MOST_MUTATIONS, mutated

AT = datetime(2026, 1, 2, tzinfo=UTC)
TALK = [
    Message("user", "One?"),
    Message("assistant", (TextBlock("Let me see."), ToolUseBlock("a", "t", {"x": 1}))),
    Message("tool", (ToolResultBlock("a", "7"),)),
    Message("assistant", (TextBlock("Seven."),)),
    Message("user", "Two?"),
    Message("assistant", (TextBlock("Eight."),)),
]


def intent(writer: TranscriptWriter, key: str, call_id: str, *, read_only: bool) -> None:
    data = {"key": key, "call_id": call_id, "name": "pay", "read_only": read_only}
    writer.append("tool_intent", AT, "run_1", data)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter.create(path)
    writer.append("session", AT, "run_1", {"format": 1})
    for message in TALK:
        writer.append("message", AT, "run_1", message_data(message))
    writer.append("agent.result", AT, "run_1", {"status": "completed"})
    writer.close()
    return path


def test_a_whole_session_opens_as_it_is(path: Path):
    before = path.read_bytes()
    history = open_history(path)
    assert history.messages == tuple(TALK)
    assert (history.mended, history.damage, history.unknown) == ((), (), ())
    assert (history.next_seq, history.size) == (8, len(before))
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["s.jsonl"]


def test_a_damaged_file_is_numbered_anew_and_the_damaged_one_kept(path: Path):
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:2], b"garbage\n", *lines[3:]])
    path.write_bytes(damaged)
    history = open_history(path)
    assert [each.what for each in history.damage] == ["invalid", "missing"]
    assert [each.what for each in history.mended] == ["orphan_result"]
    assert not [each for each in read_file(path) if isinstance(each, Damage)]
    (kept,) = path.parent.glob("s.bak-*")
    assert kept.read_bytes() == damaged
    assert path.stat().st_mode & 0o777 == 0o600
    assert open_history(path).damage == ()


def test_of_a_call_that_moves_money_and_never_ended_the_outcome_is_unknown(path: Path):
    writer = TranscriptWriter.resume(path, tag=open_history(path).tag, next_seq=8, size=path.stat().st_size)
    writer.append("message", AT, "run_2", message_data(Message("assistant", (ToolUseBlock("p", "pay", {}),))))
    intent(writer, "k1", "p", read_only=False)
    intent(writer, "k2", "q", read_only=True)
    writer.close()
    history = open_history(path)
    assert [each.key for each in history.unknown] == ["k1"]
    assert history.messages[-1].content == (ToolResultBlock("p", OUTCOME_UNKNOWN, is_error=True),)


def test_whatever_happens_to_the_file_it_opens_to_a_valid_conversation(path: Path, tmp_path: Path):
    content = path.read_bytes()
    said = [message.content for message in TALK]
    for seed in range(MOST_MUTATIONS // 10):
        chance = random.Random(seed)
        damaged = mutated(mutated(content, chance) or content, chance)
        copy = tmp_path / f"{seed}" / "s.jsonl"
        copy.parent.mkdir()
        copy.write_bytes(damaged)
        history = open_history(copy)
        assert problems(history.messages) == [], seed
        words = [message.content for message in history.messages if message.role in {"user", "assistant"}]
        assert all(each in said or "unknown_tool" in str(each) for each in words), seed
        assert open_history(copy).damage == (), seed
