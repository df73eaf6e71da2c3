"""What the recordings of earlier versions do not have, and what was made otherwise of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.reader import read_file
from finclaw_cli.transcript.recording import RunRecording, runs_of
from finclaw_cli.transcript.repair import UNKNOWN_TOOL, Repair
from finclaw_cli.transcript.versions import fields_of_version, is_of_version
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.unit.test_history import AT

FALLBACK: JsonObject = {"turn": 1, "reason": "no", "from_strategy": "summarize", "to_strategy": "truncate-tools"}
USAGE: JsonObject = {"input": 1, "cache_write": 0, "total": 1}


@pytest.mark.parametrize(("version", "names"), [(1, 2), (2, 2), (3, 4)])
def test_a_fallback_has_its_strategies_since_version_3(version: int, names: int) -> None:
    assert len(fields_of_version(version, "context.compact_fallback", FALLBACK)) == names


def test_the_total_of_usage_is_left_out_of_version_1_wherever_it_stands() -> None:
    given: JsonObject = {"usage": USAGE, "compaction": {"count": 1, "usage": USAGE}}
    without: JsonObject = {"input": 1, "cache_write": 0}
    assert fields_of_version(1, "agent.result", given) == {
        "usage": without,
        "compaction": {"count": 1, "usage": without},
    }
    assert fields_of_version(2, "agent.result", given) == given


def test_announced_calls_are_not_of_version_1() -> None:
    announced: JsonObject = {"status": "announced"}
    assert [is_of_version(version, "agent.tool_call", announced) for version in (1, 2)] == [False, True]


def test_the_figures_of_an_answer_are_compared_since_version_4() -> None:
    assert [is_of_version(version, "agent.number_check", {}) for version in (2, 3, 4)] == [False, False, True]
    counted: JsonObject = {"numbers": {"found": 1}}
    assert [fields_of_version(version, "agent.result", counted) for version in (3, 4)] == [{}, counted]


def runs(path: Path, version: int) -> Iterator[RunRecording]:
    """A result whose call was lost, with the record of its intent, and a run of a version after it."""
    writer = TranscriptWriter.create(path)
    writer.append("session", AT, "run_1", {"format": 1})
    writer.append("message", AT, "run_1", message_data(Message("user", "Pay.")))
    writer.append("tool_intent", AT, "run_1", {"key": "k", "call_id": "a", "name": "pay", "input": '{"amount":"7"}'})
    writer.append("message", AT, "run_1", message_data(Message("tool", (ToolResultBlock("a", "paid"),))))
    writer.append("message", AT, "run_1", message_data(Message("assistant", "So.")))
    writer.append("run", AT, "run_2", {"events_version": version})
    writer.close()
    return (run for run in runs_of(read_file(path)) if isinstance(run, RunRecording))


@pytest.mark.parametrize(
    ("version", "call", "detail"),
    [(2, ToolUseBlock("a", UNKNOWN_TOOL, {}), "a"), (3, ToolUseBlock("a", "pay", {"amount": "7"}), "pay (a)")],
)
def test_a_result_without_its_call_takes_it_from_its_intent_since_version_3(
    tmp_path: Path, version: int, call: ToolUseBlock, detail: str
) -> None:
    *_, run = runs(tmp_path / "s.jsonl", version)
    assert run.before.messages[1].tool_calls == (call,)
    assert run.before.mended == (Repair("orphan_result", detail, 3),)
