"""A session that is held more than once in one process, and the processes that its lock names."""

from __future__ import annotations

import errno
import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.errors import SessionBusy
from finclaw_cli.transcript import lock_note
from finclaw_cli.transcript.lock import holder_of, is_held, session_lock
from finclaw_cli.transcript.lock_note import Holder
from finclaw_cli.transcript.session import Session, open_session
from finclaw_cli.transcript.store import SessionStore

NOTE = b'{"pid": 7, "host": "elsewhere", "since": "2026-01-02T00:00:00Z"}'


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return open_session(SessionStore(tmp_path / "sessions"), "talk", has_name=True)


def is_free(session: Session) -> bool:
    try:
        with session_lock(session.path, timeout_s=0):
            return True
    except SessionBusy:
        return False


def test_a_session_that_is_held_again_is_free_after_the_outer_holder_too(session: Session) -> None:
    inner = session.again()
    inner.close()
    assert not is_free(session)
    session.close()
    assert is_free(session)


def test_holders_let_go_in_any_order(session: Session) -> None:
    second = session.again()
    third = second.again()
    for holder in (session, third):
        holder.close()
        assert not is_free(session)
    second.close()
    assert is_free(session)


def test_a_holder_that_lets_go_twice_releases_no_other_one(session: Session) -> None:
    second = session.again()
    session.close()
    session.close()
    assert not is_free(session)
    second.close()


def test_a_holder_that_has_let_go_cannot_hold_it_again(session: Session) -> None:
    session.close()
    with pytest.raises(RuntimeError, match="not held any more"):
        session.again()


def test_a_session_that_was_opened_twice_is_no_second_holder(session: Session) -> None:
    assert not is_free(session)
    session.close()


def test_the_holder_is_this_process_with_the_time_of_its_start(session: Session) -> None:
    holder = holder_of(session.path)
    assert holder == session.lock.holder
    assert holder is not None
    assert holder.pid == os.getpid()
    assert holder.started is not None
    assert holder.started < holder.since <= timestamp(datetime.now(UTC))
    session.close()


def test_a_system_that_has_no_times_of_starts_has_none_in_the_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock_note, "_PROC", tmp_path)
    lock_note._started.cache_clear()
    assert Holder.this().started is None
    lock_note._started.cache_clear()


def test_the_note_of_an_earlier_version_names_its_process_without_a_start() -> None:
    holder = Holder.of(NOTE)
    assert holder is not None
    assert (holder.pid, holder.host, holder.started) == (7, "elsewhere", None)


@pytest.mark.parametrize("note", [b"", b"[]", b"{}", b'{"pid": "x"}', b"\xff"])
def test_a_note_that_is_none_names_no_process(note: bytes) -> None:
    assert Holder.of(note) is None


def test_the_lock_of_a_process_that_died_is_not_in_use_and_its_holder_is_stale(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.with_suffix(".lock").write_bytes(NOTE)
    assert not is_held(path)
    with session_lock(path) as held:
        assert held.stale == Holder.of(NOTE)
        assert is_held(path)
    assert not is_held(path)


def test_a_marker_is_a_session_in_use(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.with_suffix(".held").write_text("")
    assert is_held(path)
    assert holder_of(path) is None


def test_a_file_system_without_locks_and_no_marker_is_not_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    (tmp_path / "s.lock").write_bytes(NOTE)
    monkeypatch.setattr(fcntl, "flock", refused)
    assert not is_held(tmp_path / "s.jsonl")
