"""The files of sessions: their names, what cannot be read or written, and what is left of the records."""

from __future__ import annotations

import fcntl
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.environment import Environment, context_within
from finclaw_cli.core.errors import OutputFailed, SessionBusy, UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.transcript.history import mend_file, open_history
from finclaw_cli.transcript.lines import Damaged, decode, renumbered
from finclaw_cli.transcript.messages import NoMessage, message_data, message_of
from finclaw_cli.transcript.session import latest, open_session
from finclaw_cli.transcript.session_log import session_log
from finclaw_cli.transcript.store import SessionStore
from finclaw_cli.transcript.summary import summary_of
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.full_disk import full_after

AT = datetime(2026, 1, 2, tzinfo=UTC)


def write(path: Path, *records: tuple[str, JsonObject]) -> Path:
    writer = TranscriptWriter.create(path)
    for kind, data in records:
        writer.append(kind, AT, "run_1", data)
    writer.close()
    return path


def words(text: str) -> tuple[str, JsonObject]:
    return "message", message_data(Message("user", text))


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    store = SessionStore(tmp_path / "sessions")
    store.make()
    return store


@pytest.mark.parametrize("name", ["sk-ant-api03-" + "Ab3" * 15])
def test_a_name_with_a_key_in_it_is_refused(store: SessionStore, name: str) -> None:
    with pytest.raises(UsageError, match="has a key in it"):
        store.path(name)


@pytest.mark.parametrize("name", ["q3", "run_01hq3zj5x9k2m4n6p8", "the-long-name-of-a-session-about-taxes"])
def test_other_names_are_the_names_of_files(store: SessionStore, name: str) -> None:
    assert store.path(name).name == f"{name}.jsonl"


def test_a_folder_of_sessions_that_is_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("")
    with pytest.raises(UsageError, match="cannot be read"):
        SessionStore(tmp_path / "sessions").paths()


def test_sessions_written_at_one_time_are_in_the_order_of_their_names(store: SessionStore) -> None:
    for name, written in (("b", 2), ("c", 2), ("a", 2), ("d", 1)):
        write(store.path(name), words("Hello"))
        os.utime(store.path(name), ns=(written, written))
    assert [path.name for path in store.paths()] == ["c.jsonl", "b.jsonl", "a.jsonl", "d.jsonl"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_no_text_is_no_session(store: SessionStore) -> None:
    write(store.path("talk"), words("Hello"))
    Path(os.fsdecode(os.fsencode(store.path("talk").parent) + b"/caf\xe9.jsonl")).write_text("")
    assert [path.name for path in store.paths()] == ["talk.jsonl"]


def test_a_name_with_a_known_secret_in_it_is_refused(store: SessionStore) -> None:
    secrets = KnownSecrets()
    secrets.add("hunter2hunter2")
    with pytest.raises(UsageError, match="has a key in it"):
        context_within(Environment(variables={}, secrets=secrets)).run(store.path, "hunter2hunter2")


class TestFinding:
    def test_the_path_of_a_file_is_a_session(self, store: SessionStore, tmp_path: Path) -> None:
        path = write(tmp_path / "copy.jsonl", words("One?"))
        assert store.find(str(path)) == path

    def test_a_whole_name_is_a_session(self, store: SessionStore) -> None:
        path = write(store.path("tax"), words("One?"))
        write(store.path("taxes"), words("One?"))
        assert store.find("tax") == path

    def test_the_path_of_a_folder_is_none(self, store: SessionStore, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="is no regular file"):
            store.find(str(tmp_path))

    def test_the_beginning_of_one_name_is_a_session(self, store: SessionStore) -> None:
        path = write(store.path("taxes"), words("One?"))
        assert store.find("tax") == path

    @pytest.mark.parametrize(("name", "error"), [("t", "begins the names of 2 sessions: "), ("x", "no session 'x'")])
    def test_the_beginning_of_several_names_or_of_none_is_refused(
        self, store: SessionStore, name: str, error: str
    ) -> None:
        for each in ("taxes", "talk"):
            write(store.path(each), words("One?"))
        with pytest.raises(UsageError, match=error):
            store.find(name)


def test_the_latest_of_no_sessions_is_none(store: SessionStore) -> None:
    with pytest.raises(UsageError, match="there is no session yet"):
        latest(store)


def test_the_latest_session_may_be_one_that_is_damaged(store: SessionStore) -> None:
    os.utime(write(store.path("old"), words("One?")), (1, 1))
    store.path("new").write_text("no record\n")
    assert latest(store) == "new"


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file of /proc")
def test_the_latest_session_may_be_one_that_cannot_be_read(store: SessionStore) -> None:
    os.utime(write(store.path("old"), words("One?")), (1, 1))
    store.path("new").symlink_to("/proc/self/mem")  # whose first byte no process may read
    assert latest(store) == "new"


def test_a_short_name_that_is_like_a_key_is_the_name_of_a_file(store: SessionStore) -> None:
    assert store.path("sk-1").name == "sk-1.jsonl"


def test_a_summary_of_a_file_without_records_has_no_status(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("no record\n" * 3)
    found = summary_of(tmp_path / "s.jsonl")
    assert (found.began, found.question, found.status) == (None, "", None)


def test_a_file_that_was_written_since_it_was_read_is_not_resumed(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", words("One?"))
    history = open_history(path)
    with pytest.raises(SessionBusy, match="was written while it was read"):
        TranscriptWriter.resume(path, tag=history.tag, next_seq=history.next_seq, size=history.size - 1)


def test_a_file_that_is_held_is_not_resumed(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", words("One?"))
    history = open_history(path)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(SessionBusy, match="is being written by another process"):
            TranscriptWriter.resume(path, tag=history.tag, next_seq=history.next_seq, size=history.size)


def test_a_damaged_file_stays_as_it_is_where_it_cannot_be_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", words("One?"))
    path.write_bytes(damaged := b"garbage\n" + path.read_bytes())
    with full_after(10), pytest.raises(OSError, match="File too large"):
        mend_file(path)
    assert (path.read_bytes(), [each.name for each in tmp_path.iterdir()]) == (damaged, ["s.jsonl"])


async def test_a_session_that_cannot_be_begun_fails_when_its_first_request_is_kept(store: SessionStore) -> None:
    session = open_session(store, "talk", has_name=True)
    session.path.mkdir()
    failures: list[OutputFailed] = []
    log = session_log(session, {}, clock=SystemClock(), secrets=KnownSecrets(), on_failed=failures.append)
    await log.add_request(
        ModelRequest(model="m", messages=(Message("user", "One?"),)), provider="acme", turn=1, attempt=1
    )
    session.close()
    assert len(failures) == 1


def test_a_session_that_is_no_file_is_refused(store: SessionStore) -> None:
    store.path("talk").mkdir()
    with pytest.raises(UsageError, match="is no regular file"):
        open_session(store, "talk", has_name=True)


def test_a_session_that_was_damaged_or_cut_off_has_warnings(store: SessionStore) -> None:
    call = {"type": "tool_use", "id": "a", "name": "t", "input": {}, "invalid": None}
    asking = ("message", {"role": "assistant", "content": [call]})
    path = write(store.path("talk"), words("One?"), asking)
    path.write_bytes(b"garbage\n" + path.read_bytes())
    session = open_session(store, "talk", has_name=True)
    session.lock.by_marker = path
    codes = [code for code, _ in session.warnings(resumed=False)]
    assert codes[:3] == ["session_lock", "session_mended", "session_mended"]
    session.close()


def test_a_session_whose_payment_has_no_known_end_has_a_warning(store: SessionStore) -> None:
    intent = ("tool_intent", {"key": "k", "call_id": "c", "name": "pay"})
    write(store.path("talk"), words("Pay."), intent)
    session = open_session(store, "talk", has_name=True)
    assert "a run ended while pay was running" in dict(session.warnings(resumed=False))["outcome_unknown"]
    session.close()


def test_an_outcome_without_words_is_passed_over(tmp_path: Path) -> None:
    intent = ("tool_intent", {"key": "k", "call_id": "c", "name": "pay"})
    path = write(tmp_path / "s.jsonl", words("Pay."), intent, ("tool_outcome", {"call_id": "c", "content": 7}))
    assert dict(open_history(path).unknown) == {"c": "pay"}


def test_a_call_whose_input_is_no_object_makes_no_message() -> None:
    call = {"type": "tool_use", "id": "a", "name": "t", "input": [], "invalid": None}
    with pytest.raises(NoMessage):
        message_of({"role": "assistant", "content": [call]})


def test_what_is_no_record_is_not_numbered_anew(tmp_path: Path) -> None:
    line = decode(write(tmp_path / "s.jsonl", words("One?")).read_bytes())
    line.raw = b"garbage\n"
    with pytest.raises(Damaged):
        renumbered(line, 1)
