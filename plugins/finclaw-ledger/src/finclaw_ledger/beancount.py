"""Books kept with beancount, read by its own program `bean-query`, which is run and never imported."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import io
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

from finclaw_cli.sdk import find_program, no_data, run_process
from finclaw_cli.sdk.render import bounded, plain_number
from finclaw_ledger.beancount_copy import LedgerCopy, copy_as_of
from finclaw_ledger.books import BookFile, Books, Side
from finclaw_ledger.names import shown_name
from finclaw_ledger.open_books import posted_books
from finclaw_ledger.wording import cleaned

PROGRAM = "bean-query"
_MAX_OUTPUT = 50_000_000
_MAX_ERRORS = 5
_COLUMNS = "date, account, payee, narration, str(number), currency, str(cost_number), cost_currency, filename, lineno"
_WIDTH = 10
_FILE = 8
_SIDES: dict[str, Side] = {"Assets": "own", "Liabilities": "own", "Expenses": "expense", "Income": "income"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The rows of a query with their header, and the program's messages."""

    header: list[str]
    rows: list[list[str]]
    complaints: tuple[str, ...]


@asynccontextmanager
async def open_as_of(path: Path, cap: date) -> AsyncIterator[LedgerCopy]:
    """The file as it was on a day, as long as the context lasts.

    Raises:
        ToolError: NOT_CONFIGURED: a file cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="finclaw-") as folder:
        yield await asyncio.to_thread(copy_as_of, path, cap, Path(folder))


async def ask(books: LedgerCopy, query: str) -> Answered:
    """Run one query over a beancount file.

    Raises:
        ToolError: NOT_CONFIGURED: the program is missing; BAD_INPUT: it does not understand the query.
    """
    program = find_program(PROGRAM)
    if program is None:
        raise no_data(
            f'{PROGRAM} is not installed; the user can run: pip install "finclaw-ledger[beancount]"',
            code="NOT_CONFIGURED",
        )
    with tempfile.TemporaryDirectory(prefix="finclaw-") as empty:
        ended = await run_process(
            [program, "-f", "csv", str(books.path), query],
            cwd=books.path.parent,
            env=_environment(empty, books),
            max_output_bytes=_MAX_OUTPUT,
        )
    complaints = books.original(ended.stderr.decode("utf-8", "replace"))
    if ended.code != 0:
        reason = next((line for line in reversed(complaints.splitlines()) if line.strip()), f"exit code {ended.code}")
        raise no_data(f"{PROGRAM}: {bounded(reason.removeprefix('beanquery.compiler.'), 300)}", code="BAD_INPUT")
    if ended.truncated:
        raise no_data(f"{PROGRAM} answered more than {_MAX_OUTPUT:,} bytes; ask for less", code="BAD_INPUT")
    header, *rows = _cells(ended.stdout.decode("utf-8", "replace"), books)
    return Answered(header=header, rows=rows, complaints=_complaints(complaints))


def _environment(empty: str, books: LedgerCopy) -> dict[str, str]:
    # No cache is written beside the user's file; nothing of the user's own start-up files is read.
    kept = {name: os.environ[name] for name in ("PATH", "VIRTUAL_ENV") if name in os.environ}
    if books.modules is not None:
        kept["PYTHONPATH"] = str(books.modules)
    return {**kept, "HOME": empty, "LANG": "C.UTF-8", "PYTHONUTF8": "1", "BEANCOUNT_DISABLE_LOAD_CACHE": "1"}


def _cells(text: str, books: LedgerCopy) -> list[list[str]]:
    try:
        table = csv.reader(io.StringIO(text, newline=""))
        rows = [[books.original(cell.strip()) for cell in row] for row in table if row]
    except csv.Error as error:
        raise no_data(f"{PROGRAM} answered no CSV: {error}", code="NOT_CONFIGURED") from None
    return rows or [[]]


def _complaints(complaints: str) -> tuple[str, ...]:
    lines = [bounded(line.strip(), 200) for line in complaints.splitlines() if line.strip()]
    return tuple(f"{PROGRAM}: {line}" for line in lines[:_MAX_ERRORS])


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """The postings of a beancount file up to a day."""

    rows: list[list[str]]
    files: dict[str, BookFile]
    """By their names in the rows."""
    complaints: tuple[str, ...]


async def beancount_postings(path: Path, cap: date) -> Postings:
    """All postings of a beancount file up to a day, the earliest first.

    Raises:
        ToolError: NOT_CONFIGURED, BAD_INPUT: see `ask`; NO_DATA: there are none.
    """
    async with open_as_of(path, cap) as books:
        answered = await ask(books, f"SELECT {_COLUMNS} WHERE date <= {cap.isoformat()}")
    if not answered.rows:
        raise no_data("; ".join((f"{shown_name(path.name)} holds no postings up to {cap}", *answered.complaints)))
    # Plugins of beancount may add postings out of order.
    rows = sorted(answered.rows, key=lambda row: row[0])
    names = sorted({row[_FILE] for row in rows if len(row) == _WIDTH})
    files = await asyncio.to_thread(lambda: {name: _file(name, path) for name in names})
    return Postings(rows=rows, files=files, complaints=answered.complaints)


@contextmanager
def beancount_books(postings: Postings, cap: date) -> Iterator[Books]:
    """Open postings as books, for as long as the context lasts.

    Raises:
        ToolError: NOT_CONFIGURED: a row is no posting.
    """
    numbers = {name: number for number, name in enumerate(postings.files, 1)}
    rows = (_posting(row, numbers) for row in postings.rows)
    files = {numbers[name]: file for name, file in postings.files.items()}
    with posted_books(rows, files, cap, list(postings.complaints)) as books:
        yield books


def _posting(row: list[str], numbers: dict[str, int]) -> tuple[object, ...]:
    try:
        if len(row) != _WIDTH:
            raise ValueError(len(row))  # noqa: TRY301 - reported like other errors of a row
        day, account, payee, narration, number, currency, cost, cost_currency, filename, line = row
        side = _side(account)
        return (
            date.fromisoformat(day).isoformat(), account, cleaned(payee), cleaned(narration), _finite(number), currency,
            _finite(cost) if cost else None, cost_currency if cost else None, numbers[filename], int(line),
            account if side in {"expense", "income"} else None, side,
        )  # fmt: skip
    except (ValueError, InvalidOperation):
        shown = bounded(", ".join(row), 160)
        raise no_data(f"{PROGRAM} answered a row that is no posting: {shown}", code="NOT_CONFIGURED") from None


def _finite(text: str) -> str:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(text)
    return plain_number(number)


def _side(account: str) -> Side:
    return _SIDES.get(account.partition(":")[0], "other")


def _file(name: str, main: Path) -> BookFile:
    path = Path(name)
    shown = path.relative_to(main.parent) if path.is_relative_to(main.parent) else Path(path.name)
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest() if path.is_file() else None
    except OSError:
        digest = None
    return BookFile(ref=shown_name(str(shown)), sha256=digest)
