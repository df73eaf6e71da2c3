"""What goes wrong with the ledger's file is said in words, with what to do next; what was there stays as it was."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from finclaw_cli.usage.failures import LedgerBusy, LedgerFailed
from finclaw_cli.usage.store import Ledger
from tests.permissions import needs_permissions
from tests.unit.test_ledger import ONE, ledger, path, total

__all__ = ["ledger", "path"]


def refusal(ledger: Ledger) -> LedgerFailed:
    with pytest.raises(LedgerFailed) as writing:
        ledger.record(ONE)
    assert str(ledger.path) in writing.value.message
    assert writing.value.hint
    return writing.value


def test_a_file_that_is_no_database_is_refused(ledger: Ledger, path: Path):
    path.parent.mkdir()
    path.write_text("What is this? " * 500)
    assert refusal(ledger).code == "ledger_damaged"
    with pytest.raises(LedgerFailed, match="it is no database"):
        total(path)
    assert path.read_text().startswith("What")


def test_a_database_of_another_program_is_refused(ledger: Ledger, path: Path):
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    assert "something else" in refusal(ledger).message


def test_a_ledger_of_a_newer_version_is_refused(ledger: Ledger, path: Path):
    ledger.record(ONE)
    ledger.close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    assert refusal(ledger).code == "ledger_newer"


@pytest.mark.parametrize(
    "make", [Path.mkdir, lambda path: path.symlink_to("/dev/null"), os.mkfifo], ids=["folder", "link", "pipe"]
)
def test_what_is_no_regular_file_is_refused(ledger: Ledger, path: Path, make):
    path.parent.mkdir()
    make(path)
    assert "not a regular file" in refusal(ledger).message
    with pytest.raises(LedgerFailed, match="not a regular file"):
        total(path)


def test_a_file_in_the_place_of_its_folder_is_said(ledger: Ledger, path: Path):
    path.parent.write_text("")
    assert refusal(ledger).code == "ledger_denied"


@needs_permissions
def test_a_folder_that_cannot_be_written_is_said(ledger: Ledger, path: Path):
    path.parent.mkdir(mode=0o500)
    assert refusal(ledger).code == "ledger_denied"


@needs_permissions
def test_a_ledger_in_a_folder_that_cannot_be_written_can_be_read(ledger: Ledger, path: Path):
    ledger.record(ONE)
    ledger.close()
    path.parent.chmod(0o500)
    assert total(path).requests == 1


def test_an_empty_file_becomes_a_ledger(ledger: Ledger, path: Path):
    path.parent.mkdir()
    path.touch()
    ledger.record(ONE)
    assert total(path).requests == 1


def test_a_full_disk_is_said_and_what_was_written_stays(ledger: Ledger, path: Path):
    ledger.record(ONE)
    with ledger.transaction() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerFailed, match="the disk is full") as raised:
        ledger.record_all(replace(ONE, turn=turn) for turn in range(2, 1_000))
    assert raised.value.code == "ledger_full"
    assert total(path).requests == 1


def test_a_ledger_that_somebody_keeps_is_busy(ledger: Ledger, path: Path):
    ledger.record(ONE)
    other = Ledger(path)
    with other.transaction(), pytest.raises(LedgerBusy, match="it is locked"):
        ledger.record(ONE)
    other.close()


def test_a_change_that_fails_leaves_nothing_behind(ledger: Ledger, path: Path):
    ledger.record(ONE)
    with pytest.raises(AttributeError):
        ledger.record(replace(ONE, turn=2), None)  # type: ignore[arg-type]
    ledger.record(replace(ONE, turn=3))
    assert total(path).requests == 2
