"""The lock of a session in one process: waiting for it, file systems that cannot lock, notes of writers that died."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from finclaw_cli.core.errors import SessionBusy
from finclaw_cli.transcript.lock import hold_file, recover_dead, session_lock

WAIT_S = 10.0
NOTE = b'{"pid": 7, "host": "elsewhere", "since": "2026-01-02T00:00:00Z"}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


@contextmanager
def flock(path: Path) -> Iterator[int]:
    """A lock on a file by a descriptor of its own, as another process would have it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the file system refuse each lock with an error."""

    def refuse(number: int) -> None:
        def refused(*_: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(fcntl, "flock", refused)

    return refuse


class TestWaiting:
    def test_a_lock_that_becomes_free_in_time_is_had_and_given_back(self, path: Path) -> None:
        place = path.with_suffix(".lock")
        with flock(place) as descriptor:
            release = threading.Timer(0.05, fcntl.flock, (descriptor, fcntl.LOCK_UN))
            release.start()
            with session_lock(path, timeout_s=WAIT_S) as held:
                assert held.waited_s > 0
                assert place.read_bytes() == held.note
            release.join()
        assert place.read_bytes() == b""
        with session_lock(path, timeout_s=0):
            pass

    def test_the_note_of_another_holder_stays_when_a_lock_is_given_back(self, path: Path) -> None:
        place = path.with_suffix(".lock")
        with session_lock(path):
            place.write_bytes(NOTE)
        assert place.read_bytes() == NOTE

    def test_a_lock_that_is_not_free_in_time_is_busy(self, path: Path) -> None:
        with flock(path.with_suffix(".lock")), pytest.raises(SessionBusy), session_lock(path, timeout_s=0.01):
            pass

    def test_a_file_that_was_removed_before_it_was_locked_is_made_again(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place, lock = path.with_suffix(".lock"), fcntl.flock

        def removed_first(descriptor: int, operation: int) -> None:
            monkeypatch.setattr(fcntl, "flock", lock)
            place.unlink()
            lock(descriptor, operation)

        monkeypatch.setattr(fcntl, "flock", removed_first)
        with session_lock(path) as held:
            assert place.read_bytes() == held.note

    def test_a_folder_in_the_place_of_the_lock_is_an_error(self, path: Path) -> None:
        path.with_suffix(".lock").mkdir()
        with pytest.raises(IsADirectoryError), session_lock(path):
            pass


class TestWithoutLocks:
    def test_a_marker_is_held_and_removed(self, path: Path, failing: Callable[[int], None]) -> None:
        failing(errno.ENOLCK)
        with session_lock(path) as held:
            assert held.by_marker == path.with_suffix(".held")
            assert held.by_marker.exists()
        assert not path.with_suffix(".held").exists()

    def test_a_marker_of_another_machine_is_busy_and_named(self, path: Path, failing: Callable[[int], None]) -> None:
        failing(errno.ENOLCK)
        marker = path.with_suffix(".held")
        marker.write_text("7\nelsewhere.example\n")
        with pytest.raises(SessionBusy, match=str(marker)), session_lock(path, timeout_s=0.01):
            pass
        assert marker.exists()


class TestTranscripts:
    """The lock of the transcript itself."""

    def test_one_that_another_writer_holds_is_busy(self, path: Path) -> None:
        with flock(path), path.open("a") as file, pytest.raises(SessionBusy):
            hold_file(file.fileno(), path)

    def test_one_that_was_replaced_is_busy(self, path: Path) -> None:
        with path.open("a") as file:
            path.with_suffix(".new").write_text("")
            path.with_suffix(".new").replace(path)
            with pytest.raises(SessionBusy):
                hold_file(file.fileno(), path)

    def test_a_file_system_without_locks_holds_none(self, path: Path, failing: Callable[[int], None]) -> None:
        failing(errno.EOPNOTSUPP)
        with path.open("a") as one, path.open("a") as other:
            hold_file(one.fileno(), path)
            hold_file(other.fileno(), path)

    def test_another_error_is_passed_on(self, path: Path, failing: Callable[[int], None]) -> None:
        failing(errno.EIO)
        with path.open("a") as file, pytest.raises(OSError, match="Input/output"):
            hold_file(file.fileno(), path)


class TestDeadWriters:
    def test_each_is_recovered_once(self, path: Path) -> None:
        place = path.with_suffix(".lock")
        place.write_bytes(NOTE)
        recovered: list[Path] = []
        for _ in range(2):
            recover_dead(path.parent, recovered.append)
        assert recovered == [path]
        assert json.loads(place.read_bytes()) == {**json.loads(NOTE), "settled": True}

    def test_one_whose_lock_is_held_is_alive(self, path: Path) -> None:
        path.with_suffix(".lock").write_bytes(NOTE)
        recovered: list[Path] = []
        with flock(path.with_suffix(".lock")):
            recover_dead(path.parent, recovered.append)
        assert recovered == []
        assert path.with_suffix(".lock").read_bytes() == NOTE

    def test_one_that_gave_its_lock_back_needs_nothing(self, path: Path) -> None:
        recovered: list[Path] = []
        with session_lock(path):
            recover_dead(path.parent, recovered.append)
        recover_dead(path.parent, recovered.append)
        assert recovered == []
        assert path.with_suffix(".lock").read_bytes() == b""
