"""Sessions are repaired and removed, through the real command."""

from __future__ import annotations

import json
import os
import pty
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.lock import session_lock
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.e2e.asking import OnTerminal
from tests.e2e.harness import Finclaw, Ran, call, refuse_constant

pytestmark = pytest.mark.by_agent

AT = datetime(2026, 1, 2, tzinfo=UTC)
TURNS = ({"text": "Let me look.", "tool_calls": [call("price", symbol="ACME")]}, {"text": "It is **12.34**. 한국어 🎉"})


def recorded(own: Finclaw, name: str = "talk", question: str = "What is ACME worth?") -> Path:
    ran = own("run", "-o", "ndjson", "--session", name, "-m", own.script(*TURNS), question)
    assert ran.code == 0, ran.stderr
    return own.home / "sessions" / f"{name}.jsonl"


def written(own: Finclaw, *messages: Message, name: str = "talk") -> Path:
    path = own.home / "sessions" / f"{name}.jsonl"
    writer = TranscriptWriter.create(path)
    writer.append("session", AT, "run_1", {"format": 1, "finclaw_version": "9.9"})
    for message in messages:
        writer.append("message", AT, "run_1", message_data(message))
    writer.close()
    return path


def append(path: Path, *records: tuple[str, JsonObject | str]) -> None:
    """Write more records, whatever they say."""
    lines = path.read_bytes().splitlines()
    tag = json.loads(lines[0])["s"]
    writer = TranscriptWriter.resume(path, tag=tag, next_seq=len(lines), size=path.stat().st_size)
    for kind, data in records:
        writer.append(kind, AT, "run_1", data)
    writer.close()


def damage(path: Path) -> bytes:
    damaged = path.read_bytes().replace(b"Let me look", b"Let me LOOK")
    path.write_bytes(damaged)
    return damaged


def names(own: Finclaw) -> list[str]:
    return sorted(path.name for path in (own.home / "sessions").iterdir())


def as_json(ran: Ran) -> dict[str, object]:
    found: dict[str, object] = json.loads(ran.stdout.decode("ascii"), parse_constant=refuse_constant)
    return found


@contextmanager
def at_terminal(own: Finclaw, *arguments: str) -> Iterator[OnTerminal]:
    leader, follower = pty.openpty()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), follower)
    process = own.start(*arguments, new_session=True, **streams)
    try:
        yield OnTerminal(process, leader)
    finally:
        process.kill()
        process.wait()
        os.close(leader)
        os.close(follower)


class TestRepair:
    def test_of_a_whole_session_it_says_that_there_is_nothing_to_mend(self, own: Finclaw):
        path = recorded(own)
        before = path.read_bytes()
        ran = own("sessions", "repair", "talk")
        assert (ran.code, ran.text) == (0, "talk: the file is not damaged.\n")
        assert path.read_bytes() == before

    def test_it_says_what_is_wrong_mends_the_file_and_keeps_the_damaged_one(self, own: Finclaw):
        path = recorded(own)
        damaged = damage(path)
        ran = own("sessions", "repair", "--json", "talk")
        found = as_json(ran)
        assert (ran.code, found["dry_run"]) == (0, False)
        assert {each["kind"] for each in found["damage"]} == {"invalid", "missing"}  # type: ignore[attr-defined]
        assert all(isinstance(each["offset"], int) and each["reason"] for each in found["damage"])  # type: ignore[attr-defined]
        assert Path(str(found["kept"])).read_bytes() == damaged
        assert own("replay", "talk").code == 0

    def test_a_second_repair_finds_nothing_to_do(self, own: Finclaw):
        damage(recorded(own))
        first = own("sessions", "repair", "talk")
        assert "its checksum does not fit" in first.text
        assert "It is repaired now. The damaged file is kept: " in first.text
        second = own("sessions", "repair", "talk")
        assert second.code == 0
        assert second.text.startswith("talk: the file is not damaged.\n")
        assert sum(".bak-" in name for name in names(own)) == 1

    def test_a_dry_run_says_the_same_changes_nothing_and_ends_with_10(self, own: Finclaw):
        path = recorded(own)
        damaged = damage(path)
        path.with_suffix(".lock").unlink()
        tried = own("sessions", "repair", "--dry-run", "--json", "talk")
        assert (tried.code, names(own), path.read_bytes()) == (10, ["talk.jsonl"], damaged)
        done = as_json(own("sessions", "repair", "--json", "talk"))
        assert as_json(tried) == {**done, "dry_run": True, "kept": None}
        assert own("sessions", "repair", "--dry-run", "talk").code == 0

    def test_what_is_mended_in_the_conversation_is_told(self, own: Finclaw):
        written(own, Message("user", "One?"), Message("tool", (ToolResultBlock("a", "7"),)))
        for options in ((), ("--dry-run",)):
            ran = own("sessions", "repair", "talk", *options)
            assert ran.code == 0
            assert "talk: the file is not damaged." in ran.text
            assert "The conversation is not whole (1 place)" in ran.text
            assert "orphan result: a" in ran.text

    def test_a_call_without_an_end_is_told(self, own: Finclaw):
        path = written(own, Message("user", "Pay."), Message("assistant", (ToolUseBlock("a", "pay", {}),)))
        append(path, ("tool_intent", {"key": "k", "call_id": "a", "name": "pay", "read_only": False}))
        ran = own("sessions", "repair", "talk")
        assert ran.text.endswith("when the last run ended: pay\nWhat became of these is unknown: pay\n")
        found = as_json(own("sessions", "repair", "--json", "talk"))
        assert (found["mended"], found["due"], found["unknown"]) == ([], ["pay"], ["pay"])

    def test_a_file_elsewhere_is_mended_where_it_is(self, own: Finclaw):
        path = recorded(own).rename(own.cwd / "other.jsonl")
        damage(path)
        found = as_json(own("sessions", "repair", "--json", "other.jsonl"))
        assert Path(str(found["kept"])).name.startswith("other.bak-")
        assert own("replay", "other.jsonl").code == 0

    def test_a_file_that_is_no_session_is_left_alone(self, own: Finclaw):
        (own.cwd / "notes.txt").write_text("mine\n")
        ran = own("sessions", "repair", "notes.txt")
        assert (ran.code, "holds no record of a session" in ran.stderr) == (2, True)
        assert sorted(path.name for path in own.cwd.glob("notes*")) == ["notes.txt"]

    def test_a_session_that_is_being_written_is_busy(self, own: Finclaw):
        path = recorded(own)
        damaged = damage(path)
        with session_lock(path):
            ran = own("sessions", "repair", "talk")
        assert (ran.code, "is being written" in ran.stderr) == (11, True)
        assert path.read_bytes() == damaged


class TestRemoval:
    def test_a_session_goes_with_all_that_was_kept_of_it_but_its_lock(self, own: Finclaw):
        damage(recorded(own))
        own("sessions", "repair", "talk")
        (own.home / "sessions" / "talk.part").write_text("")
        recorded(own, "talk.bak-of-mine")
        ran = own("sessions", "rm", "--yes", "--json", "talk")
        assert ran.code == 0
        ((removed,),) = as_json(ran).values()  # type: ignore[misc]
        assert (removed["session"], len(removed["files"])) == ("talk", 3)
        assert names(own) == ["talk.bak-of-mine.jsonl", "talk.bak-of-mine.lock", "talk.lock"]

    def test_several_are_named_by_the_beginnings_of_their_names(self, own: Finclaw):
        for name in ("first", "second", "third"):
            recorded(own, name)
        ran = own("sessions", "rm", "-y", "fir", "second", "first")
        assert (ran.code, ran.text) == (0, "first: removed first.jsonl\nsecond: removed second.jsonl\n")
        assert [name for name in names(own) if name.endswith(".jsonl")] == ["third.jsonl"]

    def test_without_a_terminal_and_without_yes_nothing_is_removed(self, own: Finclaw):
        recorded(own)
        before = names(own)
        ran = own("sessions", "rm", "talk", stdin=b"yes\n")
        assert (ran.code, names(own)) == (2, before)
        assert "--yes" in ran.stderr

    @pytest.mark.parametrize("other", ["nothing", "t", "../talk", "talk.jsonl", "/etc/passwd", ""])
    def test_all_are_removed_or_none(self, own: Finclaw, other: str):
        recorded(own)
        recorded(own, "two")
        before = names(own)
        assert (own("sessions", "rm", "--yes", "talk", other).code, names(own)) == (2, before)

    def test_a_session_that_is_being_written_is_kept_with_those_named_beside_it(self, own: Finclaw):
        recorded(own)
        busy = recorded(own, "busy")
        before = names(own)
        with session_lock(busy):
            ran = own("sessions", "rm", "--yes", "talk", "busy")
        assert (ran.code, names(own)) == (11, before)

    def test_a_file_elsewhere_is_never_removed(self, own: Finclaw):
        recorded(own)
        mine = own.cwd / "tal"
        mine.write_text("mine")
        ran = own("sessions", "rm", "--yes", "tal")
        assert (ran.code, mine.read_text()) == (2, "mine")
        assert own("sessions", "rm", "--yes", "talk").code == 0

    def test_a_link_goes_and_what_it_leads_to_stays(self, own: Finclaw):
        path = recorded(own)
        elsewhere = path.rename(own.cwd / "elsewhere.jsonl")
        path.symlink_to(elsewhere)
        assert own("sessions", "rm", "--yes", "talk").code == 0
        assert elsewhere.exists()
        assert not path.is_symlink()

    @pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
    @pytest.mark.parametrize(("typed", "left"), [(b"yes\n", 0), (b"y\n", 0), (b"no\n", 1), (b"\n", 1), (b"\x04", 1)])
    def test_on_a_terminal_it_asks_once_and_only_a_yes_is_one(self, own: Finclaw, typed: bytes, left: int):
        recorded(own)
        with at_terminal(own, "sessions", "rm", "tal") as it:
            it.until(b"  talk\r\nRemove this session? yes or no:")
            it.type(typed)
            assert it.end() == 0
        assert sum(name.endswith(".jsonl") for name in names(own)) == left
        assert (b"nothing was removed" in it.seen) == bool(left)
