"""`finclaw_cli.sdk.store`: a plugin's file is private, versioned and shared; what it cannot use, it leaves as it is."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.store import Reason, StoreError, StoreFile
from tests.permissions import needs_permissions

FIRST = "CREATE TABLE notes (\n    text TEXT NOT NULL\n);\nCREATE INDEX notes_text ON notes (text);\n"
SECOND = """
ALTER TABLE notes ADD COLUMN day TEXT;
CREATE TRIGGER dated AFTER INSERT ON notes BEGIN
    UPDATE notes SET day = '2024-01-02' WHERE rowid = new.rowid;
END;
"""
OLD = StoreFile(
    name="notes.db",
    content="file of notes",
    distribution="finclaw-notes",
    table="notes",
    migrations=(FIRST,),
    application_id=0x6E6F7465,
    busy_s=0.1,
)
NOTES = replace(OLD, migrations=(FIRST, SECOND))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def write(store: StoreFile, home: Path, text: str) -> None:
    with store.writing(home) as connection:
        connection.execute("INSERT INTO notes (text) VALUES (?)", (text,))


def texts(store: StoreFile, home: Path) -> list[str] | None:
    with store.reading(home) as connection:
        return None if connection is None else [text for (text,) in connection.execute("SELECT text FROM notes")]


def read(home: Path, statement: str) -> list[tuple[object, ...]]:
    with NOTES.reading(home) as connection:
        assert connection is not None
        return connection.execute(statement).fetchall()


def sql(home: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(home / "notes.db", isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


def refusals(store: StoreFile, home: Path) -> list[StoreError]:
    """The errors of a reader and of a writer."""
    found = []
    for attempt in (lambda: texts(store, home), lambda: write(store, home, "x")):
        with pytest.raises(StoreError) as caught:
            attempt()
        assert "\n" not in str(caught.value)
        assert str(store.path(home)) in str(caught.value)
        found.append(caught.value)
    return found


def assert_refused(home: Path, reason: Reason, message: str) -> None:
    for error in refusals(NOTES, home):
        assert (error.reason, message in str(error)) == (reason, True), error


def test_reading_before_anything_was_written_creates_nothing(home: Path) -> None:
    assert texts(NOTES, home) is None
    assert not home.exists()


def test_a_new_file_is_private_versioned_and_has_a_log(home: Path) -> None:
    write(NOTES, home, "a")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (home, home / "notes.db")] == [0o700, 0o600]
    assert sql(home, "PRAGMA application_id") == [(NOTES.application_id,)]
    assert sql(home, "PRAGMA user_version") == [(2,)]
    assert sql(home, "PRAGMA journal_mode") == [("wal",)]


def test_a_file_that_others_may_read_is_closed_to_them_when_it_is_written(home: Path) -> None:
    write(NOTES, home, "a")
    (home / "notes.db").chmod(0o644)
    write(NOTES, home, "b")
    assert stat.S_IMODE((home / "notes.db").stat().st_mode) == 0o600


def test_an_older_file_gets_the_later_versions_and_keeps_its_rows(home: Path) -> None:
    write(OLD, home, "old")
    assert texts(NOTES, home) == ["old"]
    write(NOTES, home, "new")
    assert sql(home, "SELECT text, day FROM notes") == [("old", None), ("new", "2024-01-02")]


def test_an_older_file_that_can_be_read_as_it_is_stays_as_it_is_until_it_is_written(home: Path) -> None:
    lenient = replace(NOTES, readable_from=1)
    write(OLD, home, "old")
    assert texts(lenient, home) == ["old"]
    assert sql(home, "PRAGMA user_version") == [(1,)]
    write(lenient, home, "new")
    assert sql(home, "PRAGMA user_version") == [(2,)]


def test_a_migration_that_fails_changes_nothing(home: Path) -> None:
    write(OLD, home, "old")
    broken = replace(OLD, migrations=(FIRST, SECOND + "INSERT INTO missing VALUES (1);\n"))
    with pytest.raises(StoreError, match="no such table: missing"):
        write(broken, home, "new")
    assert texts(OLD, home) == ["old"]


def test_a_block_that_raises_writes_nothing(home: Path) -> None:
    write(NOTES, home, "a")

    def fail() -> None:
        with NOTES.writing(home) as connection:
            connection.execute("DELETE FROM notes")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert texts(NOTES, home) == ["a"]


def test_a_reader_sees_one_state_and_waits_for_no_writer(home: Path) -> None:
    write(NOTES, home, "a")
    with NOTES.reading(home) as connection, NOTES.writing(home) as writer:
        assert connection
        writer.execute("DELETE FROM notes")
        assert connection.execute("SELECT text FROM notes").fetchall() == [("a",)]


def test_a_reader_cannot_write(home: Path) -> None:
    write(NOTES, home, "a")
    with pytest.raises(StoreError, match="readonly"):
        read(home, "DELETE FROM notes")


def test_writers_that_begin_at_once_all_arrive(home: Path) -> None:
    patient = replace(NOTES, busy_s=30.0)
    threads = [threading.Thread(target=write, args=(patient, home, str(number))) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts(patient, home) or []) == [str(number) for number in range(8)]


def test_a_file_that_is_only_begun_is_empty_and_can_be_written(home: Path) -> None:
    home.mkdir()
    (home / "notes.db").touch()
    assert texts(NOTES, home) is None
    sql(home, "PRAGMA journal_mode = WAL")
    assert texts(NOTES, home) is None
    write(NOTES, home, "a")
    assert texts(NOTES, home) == ["a"]


def test_the_log_of_a_file_that_was_removed_is_not_read_into_a_new_one(home: Path) -> None:
    write(NOTES, home, "a")
    with NOTES.reading(home):
        write(NOTES, home, "b")
        left = (home / "notes.db-wal").read_bytes()
    (home / "notes.db").unlink()
    (home / "notes.db-wal").write_bytes(left)
    write(NOTES, home, "c")
    assert texts(NOTES, home) == ["c"]


def test_a_locked_file_is_busy(home: Path) -> None:
    write(NOTES, home, "a")
    with NOTES.writing(home), pytest.raises(StoreError, match="another process uses it") as caught:
        write(NOTES, home, "b")
    assert caught.value.reason == "busy"


def test_another_program_s_file_stays_as_it_is(home: Path) -> None:
    home.mkdir()
    sql(home, "CREATE TABLE theirs (x)")
    before = (home / "notes.db").read_bytes()
    assert_refused(home, "foreign", "is not a file of notes; move it away")
    assert (home / "notes.db").read_bytes() == before


@pytest.mark.parametrize(
    "statement", ["PRAGMA application_id = 7", "PRAGMA user_version = 0", "ALTER TABLE notes RENAME TO remarks"]
)
def test_a_file_without_id_version_or_table_is_not_the_plugin_s(home: Path, statement: str) -> None:
    write(NOTES, home, "a")
    sql(home, statement)
    assert_refused(home, "foreign", "is not a file of notes")


def test_a_newer_file_names_the_plugin_to_update(home: Path) -> None:
    write(NOTES, home, "a")
    sql(home, "PRAGMA user_version = 3")
    assert_refused(home, "newer", "was written by a newer finclaw-notes; update this one")


def test_a_file_that_is_no_database_is_damaged(home: Path) -> None:
    home.mkdir()
    (home / "notes.db").write_bytes(b"not a database at all" * 100)
    assert_refused(home, "damaged", "it is damaged: move it away")


def test_a_table_that_is_missing_is_damage(home: Path) -> None:
    write(NOTES, home, "a")
    with pytest.raises(StoreError, match="it is damaged") as caught:
        read(home, "SELECT * FROM others")
    assert caught.value.reason == "damaged"


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (Path.mkdir, "a directory"),
        (os.mkfifo, "no regular file"),
        (lambda path: path.symlink_to("elsewhere"), "a link"),
        (lambda path: path.symlink_to(__file__), "a link"),
    ],
    ids=["directory", "fifo", "dangling", "link"],
)
def test_what_is_no_regular_file_is_not_opened(home: Path, make: Callable[[Path], None], what: str) -> None:
    home.mkdir()
    make(home / "notes.db")
    assert_refused(home, "denied", f"is {what}")
    assert list(home.iterdir()) == [home / "notes.db"]


def test_a_link_is_followed_where_the_plugin_allows_it(home: Path, tmp_path: Path) -> None:
    linked = replace(NOTES, follow_links=True)
    elsewhere = tmp_path / "elsewhere"
    write(linked, elsewhere, "a")
    (elsewhere / "notes.db").chmod(0o640)
    home.mkdir()
    (home / "notes.db").symlink_to(elsewhere / "notes.db")
    write(linked, home, "b")
    assert texts(linked, home) == ["a", "b"]
    assert stat.S_IMODE((elsewhere / "notes.db").stat().st_mode) == 0o640


def test_a_folder_that_cannot_be_made_is_named(home: Path) -> None:
    home.write_text("")
    with pytest.raises(StoreError, match="cannot create") as caught:
        write(NOTES, home, "a")
    assert caught.value.reason == "denied"


@needs_permissions
@pytest.mark.parametrize(("folder", "file"), [(0o500, 0o600), (0o700, 0o400), (0o500, 0o400)])
def test_what_cannot_be_written_can_be_read(home: Path, folder: int, file: int) -> None:
    write(NOTES, home, "a")
    (home / "notes.db").chmod(file)
    home.chmod(folder)
    try:
        assert texts(NOTES, home) == ["a"]
    finally:
        home.chmod(0o700)


@needs_permissions
def test_a_file_that_cannot_be_written_is_denied(home: Path) -> None:
    write(NOTES, home, "a")
    (home / "notes.db").chmod(0o400)
    with pytest.raises(StoreError, match="readonly") as caught:
        write(NOTES, home, "b")
    assert caught.value.reason == "denied"


def test_a_plugin_raises_its_own_exception(home: Path) -> None:
    home.mkdir()
    (home / "notes.db").mkdir()
    own = replace(NOTES, failure=lambda error: LookupError(error.reason))
    with pytest.raises(LookupError, match="denied"):
        texts(own, home)


def test_the_error_can_leave_a_tool_as_it_is() -> None:
    assert issubclass(StoreError, ToolError)


def test_the_address_attaches_the_file(home: Path) -> None:
    write(NOTES, home, "a")
    with closing(sqlite3.connect("", uri=True)) as connection:
        connection.execute("ATTACH ? AS store", (NOTES.address(home, "ro"),))
        assert connection.execute("SELECT text FROM store.notes").fetchall() == [("a",)]
