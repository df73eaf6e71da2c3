"""Errors of the usage store's file, in finclaw's words; SQLite's own errors go no further."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.core import exits
from finclaw_cli.core.errors import FinclawError

_PRIMARY = 0xFF  # the rest of SQLite's code has more than is needed

_REBUILD = "Move that file away; `finclaw cost rebuild` makes a new one from the transcripts."
_FREE = "Make room on that disk; `finclaw cost rebuild` then adds what is missing, from the transcripts."
_ALLOW = "See who owns the file and its folder, or set FINCLAW_HOME to a folder that you can write."
_WAIT = "Another process keeps it; try again when that one is done."
_REASONS: dict[int, tuple[str, str, str]] = {
    sqlite3.SQLITE_FULL: ("ledger_full", "the disk is full", _FREE),
    sqlite3.SQLITE_IOERR: ("ledger_io", "the disk does not do what it is asked", _FREE),
    sqlite3.SQLITE_READONLY: ("ledger_denied", "it cannot be written", _ALLOW),
    sqlite3.SQLITE_CANTOPEN: ("ledger_denied", "it cannot be opened", _ALLOW),
    sqlite3.SQLITE_PERM: ("ledger_denied", "it cannot be opened", _ALLOW),
    sqlite3.SQLITE_AUTH: ("ledger_denied", "it cannot be opened", _ALLOW),
    sqlite3.SQLITE_BUSY: ("ledger_busy", "it is locked", _WAIT),
    sqlite3.SQLITE_LOCKED: ("ledger_busy", "it is locked", _WAIT),
    sqlite3.SQLITE_NOTADB: ("ledger_damaged", "it is no database", _REBUILD),
    sqlite3.SQLITE_CORRUPT: ("ledger_damaged", "it is damaged", _REBUILD),
    sqlite3.SQLITE_ERROR: ("ledger_damaged", "it does not hold what a ledger holds", _REBUILD),
}


class LedgerFailed(FinclawError):
    """The ledger cannot be read or written; runs and transcripts are not touched by that."""

    code = "ledger_failed"
    exit_code = exits.UNEXPECTED


class LedgerBusy(LedgerFailed):
    """Another process has kept the ledger for too long."""

    code = "ledger_busy"
    exit_code = exits.BUSY


@contextmanager
def said_plainly(path: Path) -> Iterator[None]:
    """Say what goes wrong inside as a failure of the ledger.

    Raises:
        LedgerFailed: in place of an error of SQLite's or of the system's.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _failure(path, error) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise LedgerFailed(f"the ledger {path} cannot be used: {why}", hint=_ALLOW, code="ledger_denied") from error


def _failure(path: Path, error: sqlite3.Error) -> LedgerFailed:
    number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY
    code, why, hint = _REASONS.get(number, ("ledger_failed", "SQLite cannot go on", _REBUILD))
    kind = LedgerBusy if code == LedgerBusy.code else LedgerFailed
    return kind(f"the ledger {path} cannot be used: {why} ({error})", hint=hint, code=code)


def not_a_ledger(path: Path, why: str) -> LedgerFailed:
    """Something else stands in the ledger's place."""
    return LedgerFailed(f"{path} is no ledger: {why}", hint=_REBUILD, code="ledger_damaged")


def too_new(path: Path, version: int) -> LedgerFailed:
    """A later finclaw has made the file; this one must not guess at it."""
    return LedgerFailed(
        f"the ledger {path} was made by a newer finclaw (its format is {version})",
        hint="Update finclaw, or set FINCLAW_HOME to another folder.",
        code="ledger_newer",
    )


def still_kept(path: Path, seconds: float) -> LedgerBusy:
    """The lock of the usage store was not released in time."""
    return LedgerBusy(f"the ledger {path} has been locked for {seconds:g} s", hint=_WAIT)
