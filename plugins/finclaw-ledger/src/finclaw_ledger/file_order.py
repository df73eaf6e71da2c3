"""The order of files: known from what they hold, never from when they were imported."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class FileKey:
    """What puts the files of an account in order: the days they cover, how much they hold, and their bytes."""

    first: str
    last: str
    rows: int
    sha256: str
    ref: str


AccountFile = tuple[str, int]
"""The key of an account and the id of a file."""


def file_keys(connection: sqlite3.Connection) -> dict[AccountFile, FileKey]:
    """The key of each file for each account that it has bookings or balances of."""
    found = connection.execute(
        "SELECT p.account, p.source_id, p.first, p.last, p.rows, s.sha256, s.ref "
        "FROM spans p JOIN sources s ON s.id = p.source_id"
    )
    return {(account, source): FileKey(*facts) for account, source, *facts in found}


def ranks(connection: sqlite3.Connection) -> dict[AccountFile, int]:
    """The place of each file of each account among all files, the earliest first."""
    keys = file_keys(connection)
    place = {key: number for number, key in enumerate(sorted(set(keys.values())))}
    return {one: place[key] for one, key in keys.items()}
