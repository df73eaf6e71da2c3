"""Writing a statement into the books, so that they come out alike in whatever order files are imported.

A booking that is in several files is kept as the earliest of them has it, and a balance that several files state for a
day as the latest has it; see `file_order`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain

from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.file_order import AccountFile, FileKey, file_keys
from finclaw_ledger.identity import FIELDS, Stored, stored
from finclaw_ledger.met import Known, Met
from finclaw_ledger.outlays import find_outlays
from finclaw_ledger.statement import Balance, Statement
from finclaw_ledger.store import filling
from finclaw_ledger.tally import Span
from finclaw_ledger.textfile import RawFile
from finclaw_ledger.transfers import pair_touched
from finclaw_ledger.wording import alias

_OPTIONAL = "".join(f", nullif(?{at}, '')" for at in range(10, 15))
_VALUES = "?1" + ", ?" * 8 + _OPTIONAL + ", ?15"
_ROWS_AT_ONCE = 25
_COLUMNS = ", ".join(f"nullif(column{at}, '')" if at in range(10, 15) else f"column{at}" for at in range(1, 16))
_INSERT = f"""
INSERT INTO entries ({FIELDS}, source_id, category_source)
SELECT {_COLUMNS}, nullif(column16, ''), {{source}}, CASE WHEN column16 = '' THEN NULL ELSE {{source}} END
FROM (VALUES {{rows}})
"""  # noqa: S608 - constants
_REPLACE = f"""
UPDATE entries SET ({FIELDS}, source_id) = ({_VALUES}, category, {{source}}) WHERE identity = ?1
"""  # noqa: S608 - constants
_CATEGORISE = "UPDATE entries SET category = ?, category_source = ? WHERE identity = ?"
_BALANCE = "INSERT OR REPLACE INTO balances VALUES (?, ?, ?, ?, ?, ?)"


def account_keys(statement: Statement) -> set[str]:
    """The keys of all accounts of a statement."""
    booked = statement.entries.tally.spans.keys() | {balance.account for balance in statement.balances}
    return booked | {key for key, _, _ in statement.spans}


def write_statement(connection: sqlite3.Connection, raw: RawFile, statement: Statement, met: Met) -> None:
    """Put a statement into the books, and count what they have already; the caller holds the transaction."""
    _name_accounts(connection, sorted(account_keys(statement)))
    source = _write_source(connection, raw, statement)
    _write_spans(connection, statement, source)
    keys = file_keys(connection)
    with filling(connection):
        for new, known in met.met(connection, stored(statement.entries)):
            _insert(connection, new, source)
            _write_known(connection, keys, known, source)
    _write_balances(connection, keys, statement.balances, source)
    pair_touched(connection, source)
    find_outlays(connection)
    connection.execute(
        "DELETE FROM sources WHERE id = ? AND rejected = 0 AND NOT EXISTS (SELECT 1 FROM entries WHERE source_id = id) "
        "AND NOT EXISTS (SELECT 1 FROM balances WHERE source_id = id) "
        "AND NOT EXISTS (SELECT 1 FROM spans WHERE source_id = id)",
        (source,),
    )


def _insert(connection: sqlite3.Connection, rows: Sequence[Stored], source: int) -> None:
    """Insert many rows by one statement, which takes a third less time than each by its own."""
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        batch = rows[first : first + _ROWS_AT_ONCE]
        connection.execute(_inserting(source, len(batch)), list(chain.from_iterable(batch)))


@lru_cache(maxsize=2)
def _inserting(source: int, rows: int) -> str:
    values = f"(?{', ?' * FIELDS.count(',')})"
    return _INSERT.format(source=source, rows=", ".join([values] * rows))


def _write_source(connection: sqlite3.Connection, raw: RawFile, statement: Statement) -> int:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    cursor = connection.execute(
        "INSERT INTO sources (ref, sha256, how, retrieved_at) VALUES (?, ?, ?, ?)",
        (raw.name, raw.sha256, statement.how, now),
    )
    # The last reading of the same bytes is the one that counts: a better profile may have read all rows.
    connection.execute("UPDATE sources SET rejected = ? WHERE sha256 = ?", (len(statement.rejected), raw.sha256))
    return int(cursor.lastrowid or 0)


def _write_spans(connection: sqlite3.Connection, statement: Statement, source: int) -> None:
    connection.executemany(
        "INSERT INTO spans (account, source_id, first, last, rows) VALUES (?, ?, ?, ?, ?)",
        [
            (key, source, span.first.isoformat(), span.last.isoformat(), span.count)
            for key, span in _spans(statement).items()
        ],
    )


def _spans(statement: Statement) -> dict[str, Span]:
    """What the file covers of each account: the dates that it states, and those of its bookings."""
    found = dict(statement.entries.tally.spans)
    for key, first, last in statement.spans:
        stated = Span(first, last, 0)
        found[key] = found[key].with_(stated) if key in found else stated
    for balance in statement.balances:
        # A balance may be of a day that the bookings do not reach; alone it covers its day.
        found.setdefault(balance.account, Span(balance.day, balance.day, 0))
    return found


def _write_known(
    connection: sqlite3.Connection, keys: dict[AccountFile, FileKey], known: list[Known], source: int
) -> None:
    """Keep bookings that the books have as the earliest of their files has them, with the category of the first."""
    replaced: list[tuple[object, ...]] = []
    categorised: list[tuple[object, ...]] = []
    for row, (owner, given, given_by) in known:
        identity, account, category = row[0], row[3], row[-1]
        mine = keys[account, source]
        if _is_earlier(mine, keys.get((account, owner))):
            replaced.append(row[:-1])
        if category and (given is None or (given_by and _is_earlier(mine, keys.get((account, given_by))))):
            categorised.append((category, source, identity))
    connection.executemany(_REPLACE.format(source=source), replaced)
    connection.executemany(_CATEGORISE, categorised)


def _is_earlier(mine: FileKey, other: FileKey | None) -> bool:
    """Whether a file comes before another; not where nothing is known of that, as in books of earlier versions."""
    return other is not None and mine < other


def _write_balances(
    connection: sqlite3.Connection, keys: dict[AccountFile, FileKey], stated: list[Balance], source: int
) -> None:
    query = "SELECT account, currency, day, source_id FROM balances"
    owners = {(account, currency, day): owner for account, currency, day, owner in connection.execute(query)}
    # Of several that a file states for a day, as on each page of a statement, the last one closes it.
    for one in stated:
        place = (one.account, one.currency, one.day.isoformat())
        owner = owners.get(place)
        if owner is None or not _is_earlier(keys[one.account, source], keys.get((one.account, owner))):
            connection.execute(_BALANCE, (*place, plain_number(one.amount), source, one.line))


def _name_accounts(connection: sqlite3.Connection, keys: list[str]) -> None:
    known = dict(connection.execute("SELECT key, name FROM accounts").fetchall())
    taken = set(known.values())
    for key in keys:
        if key in known:
            continue
        name, number = alias(key), 1
        while name in taken:
            number += 1
            name = f"{alias(key)} ({number})"
        taken.add(name)
        connection.execute("INSERT INTO accounts VALUES (?, ?)", (key, name))
