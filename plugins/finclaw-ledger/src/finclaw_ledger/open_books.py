"""Opening the books: what was imported, or the postings of a double-entry file, as one kind of table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path

from finclaw_cli.sdk import no_data
from finclaw_ledger.books import BookFile, Books, Held
from finclaw_ledger.conditions import register
from finclaw_ledger.file_order import ranks
from finclaw_ledger.names import shown_name
from finclaw_ledger.outlays import find_outlays
from finclaw_ledger.problems import MEND, StoreProblem
from finclaw_ledger.store import ASCII_COLUMN, EXACT_COLUMNS, FILE_NAME, reading, stored_files, writing
from finclaw_ledger.transfers import is_out_of_date, pair_all

NOTHING_YET = "no books have been imported yet; the user can run: finclaw ledger import FILE --guess"
_RANKS = """
CREATE TEMP TABLE ranks (account TEXT, file INTEGER, rank INTEGER, PRIMARY KEY (account, file)) WITHOUT ROWID
"""
# The rows of one day are in the order of their files, and then as they stand in the file. The plus keeps SQLite from
# taking the index of days for a condition that nearly all rows fulfil.
_SEEN = """
CREATE TEMP VIEW seen AS
SELECT e.*, 'own' AS side, NULL AS lot, NULL AS lot_currency,
    (SELECT rank FROM ranks r WHERE r.account = e.account AND r.file = e.source_id) AS rank
FROM entries e WHERE +e.day <= '{cap}'
"""
_POSTINGS = f"""
CREATE TABLE seen (
    id INTEGER PRIMARY KEY, account TEXT, day TEXT, seq INTEGER, amount TEXT, currency TEXT, payee TEXT, memo TEXT,
    category TEXT, kind TEXT, balance TEXT, symbol TEXT, quantity TEXT, price TEXT, fee TEXT, source_id INTEGER,
    line INTEGER, side TEXT, lot TEXT, lot_currency TEXT, rank INTEGER, {EXACT_COLUMNS}, {ASCII_COLUMN}
)
"""
_POSTING = """
INSERT INTO seen (
    day, account, payee, memo, amount, currency, lot, lot_currency, source_id, line, category, side, seq, kind, rank
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'payment', 0)
"""
# The least account, and then each time the next greater one: an index has them in order.
_ACCOUNTS = """
WITH RECURSIVE found (account) AS (
    SELECT min(account) FROM entries
    UNION ALL SELECT (SELECT min(account) FROM entries e WHERE e.account > found.account) FROM found
    WHERE found.account IS NOT NULL
) SELECT account FROM found WHERE account IS NOT NULL
"""


@contextmanager
def stored_books(home: Path, cap: date) -> Iterator[Books]:
    """Open what was imported, for as long as the context lasts.

    Raises:
        ToolError: NO_DATA: nothing was; NOT_CONFIGURED: the store cannot be read.
    """
    try:
        with ExitStack() as stack:
            connection = _opened(home, stack)
            if connection is None:
                raise no_data(NOTHING_YET)
            yield _stored(connection, home, cap)
    except StoreProblem as error:
        raise no_data(str(error), code="NOT_CONFIGURED") from None


def _opened(home: Path, stack: ExitStack) -> sqlite3.Connection | None:
    """The books, to read; where other rules have found their transfers and outlays, these are found anew first."""
    connection = stack.enter_context(reading(home))
    if connection is None or not is_out_of_date(connection):
        return connection
    stack.close()
    with writing(home) as changed:
        pair_all(changed)
        find_outlays(changed)
    return stack.enter_context(reading(home))


def _stored(connection: sqlite3.Connection, home: Path, cap: date) -> Books:
    damaged = f"{home / FILE_NAME} holds something that is no booking; {MEND}"
    register(connection)
    connection.execute(_RANKS)
    connection.executemany("INSERT INTO ranks VALUES (?, ?, ?)", [(*key, at) for key, at in ranks(connection).items()])
    connection.execute(_SEEN.format(cap=cap.isoformat()))
    names: dict[str, str] = dict(connection.execute("SELECT key, name FROM accounts").fetchall())
    try:
        if not {account for (account,) in connection.execute(_ACCOUNTS)} <= names.keys():
            raise LookupError("a booking of no account")  # noqa: TRY301 - reported like other damage
        return Books(
            cap=cap,
            connection=connection,
            names=names,
            spans=_spans(connection, names, cap),
            files={
                number: BookFile(ref=shown_name(ref), sha256=sha, retrieved_at=at, left_out=int(out))
                for number, ref, sha, at, out in stored_files(connection)
            },
            held=_held(connection, names, cap),
            damaged=damaged,
        )
    except (ValueError, ArithmeticError, TypeError, LookupError):
        raise no_data(damaged, code="NOT_CONFIGURED") from None


def _spans(connection: sqlite3.Connection, names: dict[str, str], cap: date) -> dict[str, list[tuple[date, date]]]:
    rows = connection.execute(
        "SELECT account, first, last FROM spans WHERE first <= ? ORDER BY first", (cap.isoformat(),)
    )
    spans: dict[str, list[tuple[date, date]]] = {}
    for key, first, last in rows:
        spans.setdefault(names[key], []).append((date.fromisoformat(first), min(date.fromisoformat(last), cap)))
    return spans


def _held(connection: sqlite3.Connection, names: dict[str, str], cap: date) -> list[Held]:
    rows = connection.execute(
        "SELECT account, currency, day, amount, source_id, line FROM balances WHERE day <= ? ORDER BY day",
        (cap.isoformat(),),
    )
    return [
        Held(
            account=names[key],
            currency=currency,
            day=date.fromisoformat(day),
            amount=Decimal(amount),
            file=source,
            line=line,
        )
        for key, currency, day, amount, source, line in rows
    ]


@contextmanager
def posted_books(
    postings: Iterable[tuple[object, ...]], files: dict[int, BookFile], cap: date, warnings: list[str]
) -> Iterator[Books]:
    """Open the postings of a double-entry file, in memory, for as long as the context lasts.

    Args:
        postings: day, account, payee, memo, amount, currency, what one unit cost and in which currency, file, line,
            category and side of each, the earliest first; at least one.
        files: by their numbers in the postings.
        cap: the last day of them.
        warnings: what is odd about the file.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        register(connection)
        connection.execute(_POSTINGS)
        connection.execute("BEGIN")
        connection.executemany(_POSTING, ((*posting, number) for number, posting in enumerate(postings)))
        connection.execute("CREATE INDEX seen_days ON seen (day)")
        first, last = connection.execute("SELECT min(day), max(day) FROM seen").fetchone()
        whole = (date.fromisoformat(first), date.fromisoformat(last))
        accounts = dict(connection.execute("SELECT DISTINCT account, side FROM seen").fetchall())
        yield Books(
            cap=cap,
            connection=connection,
            names={name: name for name in accounts},
            spans={name: [whole] for name, side in accounts.items() if side == "own"},
            files=files,
            complete=True,
            warnings=warnings,
        )
