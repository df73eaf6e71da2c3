"""The rows that returns and gains are computed from: trades and income of the books, or of a CSV of the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from finclaw_cli.sdk import FinanceResult, Source, ToolContext, no_data
from finclaw_cli.sdk.render import one_line
from finclaw_cli.sdk.tabular import BadOption, FileProblem
from finclaw_ledger.books import Booking, Books, cap_of
from finclaw_ledger.csvreader import Given
from finclaw_ledger.current_books import ask_books
from finclaw_ledger.entries import TRADES, Entry
from finclaw_ledger.formats import read_statement
from finclaw_ledger.intake import statement_file
from finclaw_ledger.names import shown_name
from finclaw_ledger.results import cite, omissions
from finclaw_ledger.selection import extents_of, own_bookings
from finclaw_ledger.statement import Statement
from finclaw_ledger.textfile import RawFile

_INCOME = frozenset({"dividend", "interest", "tax", "fee"})
_MOST_SHOWN = 5
_DOUBLE = (
    "books in beancount do not state the proceeds of a sale in one row; give a CSV of the workspace (path) with date, "
    "kind, symbol, quantity, price and fee"
)
ROWS = (
    "rows of the accounts that trade: purchases, sales, splits, dividends, interest, fees and taxes; deposits, "
    "withdrawals and cash are not part of it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trades:
    """Rows up to a day, the earliest first, and where each is from."""

    items: tuple[Booking, ...]
    cap: date
    """The last day that may be seen."""
    covered: dict[str, date]
    """By account of the books, the last day that its files cover."""
    place: Callable[[Booking], str]
    """Where a row is: `file:line`."""
    cite: Callable[[Sequence[Booking]], tuple[Source, ...]]
    warnings: Callable[[Sequence[Booking]], tuple[str, ...]]
    """What is odd about the files of some rows."""


async def ask_trades(
    ctx: ToolContext, given: tuple[str | None, str | None, str | None], question: Callable[[Trades], FinanceResult]
) -> FinanceResult:
    """Answer a question with trades; it is called in a thread.

    Args:
        ctx: of the call.
        given: the path of a CSV of the workspace, or None for the books; an account of the books, or None for all; the
            currency of a file that has no column for it.
        question: what is asked.

    Raises:
        ToolError: NO_DATA: there are no trades; BAD_INPUT: the file cannot be read as trades.
    """
    path, account, currency = given
    if path is not None:
        return await asyncio.to_thread(lambda: question(_of_file(path, currency, ctx)))
    return await ask_books(ctx, lambda books: question(_of_books(books, account)))


def _of_books(books: Books, account: str | None) -> Trades:
    if books.complete:
        raise no_data(_DOUBLE, code="BAD_INPUT")
    return booked_trades(books, books.accounts(account))


def booked_trades(books: Books, names: list[str]) -> Trades:
    """The trades of some accounts.

    Raises:
        ToolError: NO_DATA: there are none.
    """
    rows = own_bookings(books).of(names).where("kind <> 'payment'").bookings()
    return Trades(
        items=_of_accounts_that_trade(rows, "the books have no purchases or sales of securities"),
        cap=books.cap,
        covered={name: books.covered(name)[1] for name in names},
        place=books.place,
        cite=lambda items: cite(books, extents_of(items)),
        warnings=lambda items: (*books.warnings, *omissions(books, extents_of(items))),
    )


def _of_accounts_that_trade(rows: Iterable[Booking], problem: str) -> tuple[Booking, ...]:
    items = [item for item in rows if item.kind in TRADES or item.kind in _INCOME]
    trading = {item.account for item in items if item.kind in TRADES and item.symbol}
    if not trading:
        raise no_data(problem)
    return tuple(item for item in items if item.account in trading)


def _of_file(path: str, currency: str | None, ctx: ToolContext) -> Trades:
    raw = statement_file(ctx, path)
    name, cap = shown_name(raw.name), cap_of(ctx)
    statement = _read(raw, currency, ctx)
    if statement.rejected:
        bad = [f"line {row.line}: {row.reason}" for row in statement.rejected[:_MOST_SHOWN]]
        more = len(statement.rejected) - len(bad)
        rest = f" (and {more} more)" if more else ""
        raise no_data(one_line(f"{name}: nothing is counted, rows are bad: {'; '.join(bad)}{rest}"), code="BAD_INPUT")
    rows = [_booking(entry) for entry in statement.entries if entry.day <= cap]
    items = _of_accounts_that_trade(rows, f"{name} has no purchases or sales of securities up to {cap}")
    # A warning can be about a row of a later day.
    odd = tuple(statement.warnings) if len(rows) == len(statement.entries) else ()
    source = Source(id="s1", kind="file", ref=name, sha256=raw.sha256, rows=f"{len(items)} rows", licence="user")
    return Trades(
        items=items,
        cap=cap,
        covered={},
        place=lambda item: f"{name}:{item.line}",
        cite=lambda _: (source,),
        warnings=lambda _: odd,
    )


def _read(raw: RawFile, currency: str | None, ctx: ToolContext) -> Statement:
    try:
        return read_statement(raw, ctx.home, None, Given(account=shown_name(raw.name), currency=currency))
    except BadOption as error:
        raise no_data(one_line(str(error)), code="BAD_INPUT") from None
    except FileProblem as error:
        why = str(error).replace("say --currency, e.g. EUR", "give `currency`, which is that of the file then, too")
        hint = (
            "; finclaw ledger import has these options, and answers without path are from the books"
            if "--" in why
            else ""
        )
        raise no_data(one_line(f"{shown_name(raw.name)}: {why}{hint}"), code="BAD_INPUT") from None


def _booking(entry: Entry) -> Booking:
    return Booking(
        id=entry.line,
        day=entry.day,
        account=shown_name(entry.account),
        amount=entry.amount,
        currency=entry.currency,
        payee=entry.payee,
        memo=entry.memo,
        category=entry.category,
        kind=entry.kind,
        file=0,
        line=entry.line,
        symbol=entry.symbol,
        quantity=entry.quantity,
        price=entry.price,
        fee=entry.fee,
    )
