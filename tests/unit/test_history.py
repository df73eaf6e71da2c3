"""A session opens whatever happened to its file: what can be read goes on, and what was damaged is kept."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import pytest

from finclaw_cli.core.messages import OUTCOME_UNKNOWN, Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.context.count import Counted
from finclaw_cli.transcript.history import open_history
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.reader import Damage, read_file
from finclaw_cli.transcript.repair import ABORTED, UNAVAILABLE
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.unit.test_repair_conversation import problems
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


def intent(writer: TranscriptWriter, key: str, call_id: str, *, read_only: bool, idempotent: bool) -> None:
    data = {"key": key, "call_id": call_id, "name": "pay", "read_only": read_only, "idempotent": idempotent}
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
    assert (history.mended, history.damage, history.due, dict(history.unknown)) == ((), (), (), {})
    assert (history.status, history.is_unfinished) == ("completed", False)
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


@pytest.fixture
def cut_off(path: Path) -> TranscriptWriter:
    """The session goes on and asks for five calls: one paid, one may have, two are harmless, one never began."""
    writer = TranscriptWriter.resume(path, tag=open_history(path).tag, next_seq=8, size=path.stat().st_size)
    calls = tuple(ToolUseBlock(name, "pay", {}) for name in "pqrst")
    writer.append("agent.start", AT, "run_2", {})
    writer.append("message", AT, "run_2", message_data(Message("user", "Pay.")))
    writer.append("message", AT, "run_2", message_data(Message("assistant", calls)))
    for call in "pqrs":
        intent(writer, f"k-{call}", call, read_only=call == "r", idempotent=call == "s")
    writer.append(
        "tool_outcome", AT, "run_2", {"key": "k-p", "call_id": "p", "content": "paid" * 100, "is_error": False}
    )
    return writer


def test_calls_that_were_cut_off_are_due_with_what_was_kept_of_them(path: Path, cut_off: TranscriptWriter):
    history = open_history(path)
    assert [call.id for call in history.due] == ["p", "q", "r", "s", "t"]
    assert {call_id: (begun.key, begun.result is not None) for call_id, begun in history.earlier.items()} == {
        "p": ("k-p", True),
        "q": ("k-q", False),
        "r": ("k-r", False),
        "s": ("k-s", False),
    }
    assert (dict(history.unknown), history.status, history.is_unfinished) == ({"q": "pay"}, None, True)
    assert (history.mended, history.damage) == ((), ())


def test_where_nobody_takes_them_up_they_are_answered_by_what_is_known(path: Path, cut_off: TranscriptWriter):
    (closing,) = open_history(path).closing(200)
    assert isinstance(closing.content, tuple)
    paid, perhaps, *others = closing.content
    assert isinstance(paid, ToolResultBlock)
    assert paid.content.startswith("paid")
    assert len(paid.content) <= 300
    assert perhaps == ToolResultBlock("q", OUTCOME_UNKNOWN, is_error=True)
    assert [other.content for other in others if isinstance(other, ToolResultBlock)] == [UNAVAILABLE] * 3


def test_calls_of_a_run_that_was_ended_on_purpose_were_aborted(path: Path, cut_off: TranscriptWriter):
    cut_off.append("agent.result", AT, "run_2", {"status": "aborted", "exit_code": 130, "unknown": ["pay"]})
    (closing,) = open_history(path).closing(200)
    assert closing.content[-1] == ToolResultBlock("t", ABORTED, is_error=True)


@pytest.mark.parametrize(("exit_code", "told"), [(8, True), (130, False), (4, False)])
def test_what_is_unknown_was_told_when_the_exit_code_said_so(
    path: Path, cut_off: TranscriptWriter, exit_code: int, told: bool
):
    cut_off.append("agent.result", AT, "run_2", {"status": "completed", "exit_code": exit_code, "unknown": ["pay"]})
    cut_off.append("reported", AT, "run_2", {})
    assert (not open_history(path).unknown) == told


def test_what_is_unknown_is_not_reported_by_a_result_that_was_recorded_and_then_cut_off(
    path: Path, cut_off: TranscriptWriter
):
    cut_off.append("agent.result", AT, "run_2", {"status": "completed", "exit_code": 8, "unknown": ["pay"]})
    assert dict(open_history(path).unknown) == {"q": "pay"}


def test_an_outcome_that_was_recorded_as_unknown_stays_unknown_though_it_has_an_answer(
    path: Path, cut_off: TranscriptWriter
):
    words = {"content": "timed out", "is_error": True}
    cut_off.append("tool_outcome", AT, "run_2", {"key": "k-q", "call_id": "q", "unknown": True, **words})
    answer = tuple(ToolResultBlock(call, "timed out" if call == "q" else "7") for call in "pqrst")
    cut_off.append("message", AT, "run_2", message_data(Message("tool", answer)))
    assert dict(open_history(path).unknown) == {"q": "pay"}


def test_a_transactional_call_that_declared_to_be_idempotent_is_unknown_too(path: Path, cut_off: TranscriptWriter):
    facts = {"read_only": True, "idempotent": True, "transactional": True}
    cut_off.append("tool_intent", AT, "run_2", {"key": "k-s", "call_id": "s", "name": "order", **facts})
    history = open_history(path)
    assert (history.unknown["s"], history.earlier["s"].repeatable) == ("order", False)
    assert ToolResultBlock("s", OUTCOME_UNKNOWN, is_error=True) in history.closing(200)[0].content


@pytest.mark.parametrize("how", ["changed", "dropped"])
def test_where_the_record_that_a_call_began_may_be_lost_its_outcome_is_unknown(
    path: Path, cut_off: TranscriptWriter, how: str
):
    cut_off.close()
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"call_id":"q"' in line)
    lines[place] = lines[place].replace(b'"turn"', b'"tUrn"').replace(b'"pay"', b'"pAy"') if how == "changed" else b""
    path.write_bytes(b"".join(lines))
    for _ in range(2):  # also when it was mended before
        history = open_history(path)
        assert dict(history.unknown) == {"q": "pay", "t": "pay"}  # of the others the intents came after it
        assert (history.earlier["q"].key, history.earlier["q"].repeatable) == (None, None)
        assert history.earlier["p"].result is not None
        assert [call.id for call in history.due] == ["p", "q", "r", "s", "t"]


def test_damage_before_the_last_question_says_nothing_of_its_calls(path: Path, cut_off: TranscriptWriter):
    cut_off.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    assert dict(open_history(path).unknown) == {"q": "pay"}


def test_a_result_in_the_conversation_settles_a_call_whose_outcome_was_lost(path: Path, cut_off: TranscriptWriter):
    results = tuple(ToolResultBlock(call, OUTCOME_UNKNOWN if call == "t" else "7") for call in "pqrst")
    intent(cut_off, "k-t", "t", read_only=False, idempotent=False)
    cut_off.append("message", AT, "run_2", message_data(Message("tool", results)))
    assert dict(open_history(path).unknown) == {"t": "pay"}


def test_a_call_with_an_unknown_outcome_is_answered_by_an_error_where_the_user_went_on(
    path: Path, cut_off: TranscriptWriter
):
    cut_off.append("message", AT, "run_2", message_data(Message("user", "Hm.")))
    answers = open_history(path).messages[-2].content
    assert ToolResultBlock("q", OUTCOME_UNKNOWN, is_error=True) in answers
    assert ToolResultBlock("r", UNAVAILABLE, is_error=True) in answers


def test_a_message_that_cannot_be_read_is_set_aside_and_the_others_stay(path: Path):
    writer = TranscriptWriter.resume(path, tag=open_history(path).tag, next_seq=8, size=path.stat().st_size)
    writer.append("message", AT, "run_2", {"role": "user", "content": 7})
    writer.append("compaction", AT, "run_2", {"messages": 7})
    writer.close()
    history = open_history(path)
    assert history.messages == tuple(TALK)
    assert [each.what for each in history.mended] == ["set_aside", "set_aside"]
    assert [each.detail.startswith("a compaction: ") for each in history.mended] == [False, True]


def test_a_result_that_was_kept_of_a_call_is_an_error_where_it_was_one(path: Path, cut_off: TranscriptWriter):
    words = {"key": "k-q", "call_id": "q", "content": "refused", "is_error": True}
    cut_off.append("tool_outcome", AT, "run_2", words)
    earlier = open_history(path).earlier
    ends = {call_id: begun.result for call_id, begun in earlier.items() if begun.result is not None}
    assert {call_id: result.is_error for call_id, result in ends.items()} == {"p": False, "q": True}


@pytest.mark.parametrize(("resumed", "given_up"), [(True, ()), (False, ("pay",))])
def test_a_call_whose_outcome_is_unknown_is_given_up_where_it_is_not_taken_up(
    path: Path, cut_off: TranscriptWriter, resumed: bool, given_up: tuple[str, ...]
):
    assert open_history(path).given_up(resumed=resumed) == given_up


def counted_session(path: Path, *after: Message, usage: object) -> TranscriptWriter:
    """A session in which a second request was counted, then some more messages."""
    writer = TranscriptWriter.create(path)
    for message in TALK[:2]:
        writer.append("message", AT, "run_1", message_data(message))
    writer.append("message", AT, "run_1", message_data(TALK[2]))
    writer.append("request", AT, "run_1", {})
    for message in after:
        writer.append("message", AT, "run_1", message_data(message))
    writer.append("agent.turn_complete", AT, "run_1", {"usage": usage})
    return writer


def test_what_a_provider_has_counted_last_is_known_with_its_question_and_its_answer(tmp_path: Path):
    counted_session(tmp_path / "c.jsonl", TALK[3], usage={"input": 70, "output": 3}).close()
    counted = open_history(tmp_path / "c.jsonl").counted
    assert counted == Counted(asked=tuple(TALK[:3]), reply=TALK[3], usage=Usage(input=70, output=3))


@pytest.mark.parametrize("after", [[], [Message("user", "Hm.")]])
def test_a_count_without_its_answer_is_not_used(tmp_path: Path, after: list[Message]):
    counted_session(tmp_path / "c.jsonl", *after, usage={"input": 70, "output": 3}).close()
    assert open_history(tmp_path / "c.jsonl").counted is None


def test_an_answer_that_was_not_counted_is_known_by_no_count(tmp_path: Path):
    counted_session(tmp_path / "c.jsonl", TALK[3], usage=None).close()
    assert open_history(tmp_path / "c.jsonl").counted is None


def test_the_models_are_those_of_the_run_that_made_the_last_request(tmp_path: Path):
    writer = TranscriptWriter.create(tmp_path / "m.jsonl")
    for run, url in (("a", "http://one/"), ("b", None)):
        writer.append("run", AT, f"run_{run}", {"base_url": url})
        writer.append("agent.start", AT, f"run_{run}", {"models": [f"m-{run}", "other"]})
        if run == "a":
            writer.append("message", AT, "run_a", message_data(TALK[0]))
            writer.append("request", AT, "run_a", {})
    writer.close()
    history = open_history(tmp_path / "m.jsonl")
    assert (history.models, history.base_url) == (("m-a", "other"), "http://one/")


def test_a_question_without_an_answer_is_unfinished(tmp_path: Path):
    writer = TranscriptWriter.create(tmp_path / "q.jsonl")
    assert not open_history(tmp_path / "q.jsonl").is_unfinished
    writer.append("message", AT, "run_1", message_data(TALK[0]))
    writer.close()
    assert open_history(tmp_path / "q.jsonl").is_unfinished


def test_records_of_a_later_format_are_kept_and_passed_over(path: Path):
    lines = path.read_bytes().splitlines(keepends=True)
    body = lines[3].replace(b'"v":1', b'"v":2')[:-19]
    newer = body + b',"crc":"%08x"}\n' % crc32(body)
    path.write_bytes(b"".join([*lines[:2], b"garbage\n", newer, *lines[4:]]))
    history = open_history(path)
    assert [each.what for each in history.damage] == ["invalid", "missing"]
    (kept,) = [line for line in path.read_bytes().splitlines() if b'"v":2' in line]
    assert b'"seq":3' in kept  # behind a record that says that something is missing here
    assert open_history(path).damage == ()


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
        assert problems((*history.messages, *history.closing(100))) == [], seed
        words = [message.content for message in history.messages if message.role in {"user", "assistant"}]
        assert all(each in said or "unknown_tool" in str(each) for each in words), seed
        assert open_history(copy).damage == (), seed
