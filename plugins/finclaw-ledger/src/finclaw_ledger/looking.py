"""`ledger_accounts`, `ledger_balance`, `ledger_transactions`: what stands in the books."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.periods import AskedDays, known_days
from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.balances import Standing, standings
from finclaw_ledger.books import Books
from finclaw_ledger.conditions import has_text, size_is
from finclaw_ledger.coverage import coverage, covered_days
from finclaw_ledger.current_books import ask_books
from finclaw_ledger.numbers import plus, total
from finclaw_ledger.results import BOOKS_NEEDED, SIGNS, cite, omissions, row_of
from finclaw_ledger.selection import NOTHING, OUT, Selection, Summary, own_bookings

_MAX_ROWS = 500
_MAX_ACCOUNTS = 200
_MAX_FILES = 10


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def ledger_accounts(ctx: ToolContext) -> FinanceResult:
    """The user's own bank and broker accounts, their currencies, and the dates the books cover."""
    return await ask_books(ctx, _accounts)


def _accounts(books: Books) -> FinanceResult:
    own = own_bookings(books)
    extents = own.summary().extents
    names = books.accounts()
    return FinanceResult(
        data={"accounts": [account_row(books, name) for name in names[:_MAX_ACCOUNTS]]},
        as_of=(own.last_day() or books.cap).isoformat(),
        sources=cite(books, extents),
        warnings=(*books.warnings, *omissions(books, extents)),
        truncated=len(names) > _MAX_ACCOUNTS,
    )


def account_row(books: Books, name: str) -> dict[str, object]:
    """An account with its currencies, the days that are covered, and the files of its bookings."""
    first, last = books.covered(name)
    mine = own_bookings(books).of([name])
    found = mine.summary()
    booked = {currency for currency, _ in found.sums}
    return {
        "account": name,
        "currencies": sorted({*booked, *(item.currency for item in books.held if item.account == name)}),
        "first": first,
        "last": last,
        "bookings": found.count,
        "files": sorted({books.files[one.file].ref for one in found.extents})[:_MAX_FILES],
    }


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def ledger_balance(
    ctx: ToolContext, *, account: str | None = None, date: dt.date | None = None, currency: str | None = None
) -> FinanceResult:
    """What the user's accounts held at the end of a day, and the total by currency.

    Args:
        ctx: given by finclaw.
        account: by default all.
        date: by default the last one covered.
        currency: by default all.
    """
    return await ask_books(ctx, lambda books: _balance(books, account, date, currency))


def _balance(books: Books, account: str | None, date: dt.date | None, currency: str | None) -> FinanceResult:
    names = books.accounts(account)
    found, unavailable = standings(books, names, date)
    if currency is not None:
        found = [one for one in found if one.currency == currency.strip().upper()]
    if not found:
        when = f" on {date}" if date else ""
        what = f" in {currency.strip().upper()[:8]}" if currency else ""
        raise no_data(f"no balance{what}{when}; the books cover {coverage(books, names)}")
    extents = [extent for one in found for extent in one.extents]
    return FinanceResult(
        data={"balances": [_standing(books, one) for one in found], "total": _totals(found)},
        as_of=(date or max(one.day for one in found)).isoformat(),
        units={"balance": "currency of the row"},
        method=Method(
            name="balance",
            convention="stated by the file, plus later bookings; else the sum of all bookings, which is a balance only "
            "where `basis` is that; nothing is converted",
            n=sum(one.count for one in found),
        ),
        sources=cite(books, extents),
        warnings=(*books.warnings, *unavailable, *_unknown(found), *omissions(books, extents)),
    )


def _standing(books: Books, one: Standing) -> dict[str, object]:
    row: dict[str, object] = {
        "account": one.account,
        "currency": one.currency,
        "balance": None if one.balance is None else plain_number(one.balance),
        "change": None if one.balance is not None or one.change is None else plain_number(one.change),
        "basis": one.basis,
        "date": one.day,
        "source": books.place(one.last),
    }
    return {name: value for name, value in row.items() if name == "balance" or value is not None}


def _totals(found: list[Standing]) -> dict[str, str | None]:
    totals: dict[str, str | None] = {}
    for currency in sorted({one.currency for one in found}):
        parts = [one.balance for one in found if one.currency == currency]
        known = [part for part in parts if part is not None]
        totals[currency] = plain_number(total(known)) if len(known) == len(parts) else None
    return totals


def _unknown(found: list[Standing]) -> tuple[str, ...]:
    names = sorted({one.account for one in found if one.balance is None})
    if not names:
        return ()
    return (f"no file states a balance of {', '.join(names)}: `change` is only what the bookings sum to",)


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def ledger_transactions(
    ctx: ToolContext,
    *,
    start: dt.date | None = None,
    end: dt.date | None = None,
    period: str | None = None,
    account: str | None = None,
    payee: str | None = None,
    min_amount: Decimal | None = None,
    max_amount: Decimal | None = None,
    limit: int = 50,
) -> FinanceResult:
    """The user's bookings, newest first, each with file and line; sums of all that match.

    Args:
        ctx: given by finclaw.
        start: first booking date.
        end: last one.
        period: e.g. "last month", "2024-Q1".
        account: by default all.
        payee: part of it, memo or category.
        min_amount: least size.
        max_amount: greatest size.
        limit: rows, up to 500.
    """
    if not 1 <= limit <= _MAX_ROWS:
        raise no_data(f"limit {limit} is not between 1 and {_MAX_ROWS}", code="BAD_INPUT")

    def wanted(bookings: Selection) -> Selection:
        if min_amount is not None:
            bookings = bookings.fitting(size_is(">=", min_amount))
        if max_amount is not None:
            bookings = bookings.fitting(size_is("<=", max_amount))
        return bookings if payee is None else bookings.fitting(has_text(payee)).looked_up()

    asked = known_days(ctx, period, start, end)
    return await ask_books(ctx, lambda books: _transactions(books, (asked, account), wanted, limit))


def _transactions(
    books: Books,
    window: tuple[AskedDays, str | None],
    wanted: Callable[[Selection], Selection],
    limit: int,
) -> FinanceResult:
    days = covered_days(books, *window)
    found = wanted(days.of(own_bookings(books).of(days.accounts)))
    summary = found.summary(OUT)
    return FinanceResult(
        data={
            "period": [days.start, days.end],
            "covered": days.covered,
            "count": summary.count,
            "sums": _sums(summary),
            "rows": [row_of(books, item) for item in found.bookings(limit, newest_first=True)],
        },
        as_of=days.reached.isoformat(),
        units={"amount": "currency of the row", "sums": "by currency"},
        method=Method(name="transactions", convention=f"booking dates; {SIGNS}", n=summary.count),
        sources=cite(books, summary.extents),
        warnings=(*days.warnings, *omissions(books, summary.extents)),
        truncated=summary.count > limit,
        period=days.period,
    )


def _sums(summary: Summary) -> dict[str, dict[str, str]]:
    sums = summary.sums
    shown = {}
    for currency in sorted({currency for currency, _ in sums}):
        inward, outward = (sums.get((currency, sign), NOTHING).amount for sign in (0, 1))
        net = plus(inward, outward)
        shown[currency] = {"in": plain_number(inward), "out": plain_number(outward), "net": plain_number(net)}
    return shown
