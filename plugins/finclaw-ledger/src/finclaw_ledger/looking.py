"""`ledger_accounts`, `ledger_balance`, `ledger_transactions`: what stands in the books."""

from __future__ import annotations

import asyncio
import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.balances import Standing, standings
from finclaw_ledger.books import Booking, Books
from finclaw_ledger.current_books import books_of
from finclaw_ledger.numbers import total
from finclaw_ledger.period import coverage, period_of
from finclaw_ledger.results import BOOKS_NEEDED, SIGNS, cite, latest, omissions, row_of
from finclaw_ledger.wording import private

_MAX_ROWS = 500
_MAX_ACCOUNTS = 200


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which bookings are asked for; sizes are without sign."""

    text: str | None
    least: Decimal
    most: Decimal | None

    def fits(self, item: Booking) -> bool:
        """Whether a booking is one of them."""
        if abs(item.amount) < self.least or (self.most is not None and abs(item.amount) > self.most):
            return False
        if self.text is None:
            return True
        # What is hidden from results cannot be searched for, either.
        words = f"{private(item.payee)} {private(item.memo)} {item.category or ''} {item.symbol or ''}"
        return self.text.strip().casefold() in words.casefold()


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def ledger_accounts(ctx: ToolContext) -> FinanceResult:
    """The user's own bank and broker accounts, their currencies, and the dates the books cover."""
    return await asyncio.to_thread(_accounts, await books_of(ctx))


def _accounts(books: Books) -> FinanceResult:
    own = books.by_account()
    rows: list[dict[str, object]] = []
    for name in books.accounts():
        mine = own[name]
        first, last = books.covered(name)
        currencies = {item.currency for item in mine} | {item.currency for item in books.held if item.account == name}
        rows.append(
            {
                "account": name,
                "currencies": sorted(currencies),
                "first": first,
                "last": last,
                "bookings": len(mine),
                "files": sorted({books.files[item.file].ref for item in mine})[:10],
            }
        )
    return FinanceResult(
        data={"accounts": rows[:_MAX_ACCOUNTS]},
        as_of=latest(books.own(), books.cap),
        sources=cite(books, books.own()),
        warnings=(*books.warnings, *omissions(books, books.own())),
        truncated=len(rows) > _MAX_ACCOUNTS,
    )


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
    return await asyncio.to_thread(_balance, await books_of(ctx), account, date, currency)


def _balance(books: Books, account: str | None, date: dt.date | None, currency: str | None) -> FinanceResult:
    names = books.accounts(account)
    found, unavailable = standings(books, names, date)
    if currency is not None:
        found = [one for one in found if one.currency == currency.strip().upper()]
    if not found:
        when = f" on {date}" if date else ""
        what = f" in {currency.strip().upper()[:8]}" if currency else ""
        raise no_data(f"no balance{what}{when}; the books cover {coverage(books, names)}")
    used = [item for one in found for item in one.items]
    return FinanceResult(
        data={"balances": [_standing(books, one) for one in found], "total": _totals(found)},
        as_of=(date or max(one.day for one in found)).isoformat(),
        units={"balance": "currency of the row"},
        method=Method(
            name="balance",
            convention="stated by the file, plus later bookings; else the sum of all bookings, which is a balance only "
            "where `basis` is that; nothing is converted",
            n=len(used),
        ),
        sources=cite(books, used),
        warnings=(*books.warnings, *unavailable, *_unknown(found), *omissions(books, used)),
    )


def _standing(books: Books, one: Standing) -> dict[str, object]:
    row: dict[str, object] = {
        "account": one.account,
        "currency": one.currency,
        "balance": None if one.balance is None else plain_number(one.balance),
        "change": None if one.balance is not None else plain_number(one.change),
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
    account: str | None = None,
    payee: str | None = None,
    min_amount: Decimal | None = None,
    max_amount: Decimal | None = None,
    limit: int = 50,
) -> FinanceResult:
    """Bookings of the user's accounts, newest first, each with file and line; sums of all that match.

    Args:
        ctx: given by finclaw.
        start: first booking date.
        end: last one.
        account: by default all.
        payee: part of payee, memo or category.
        min_amount: least size, without sign.
        max_amount: greatest size.
        limit: rows, up to 500.
    """
    if not 1 <= limit <= _MAX_ROWS:
        raise no_data(f"limit {limit} is not between 1 and {_MAX_ROWS}", code="BAD_INPUT")
    wanted = _Wanted(payee, min_amount or Decimal(0), max_amount)
    return await asyncio.to_thread(_transactions, await books_of(ctx), (start, end, account), wanted, limit)


def _transactions(
    books: Books, window: tuple[dt.date | None, dt.date | None, str | None], wanted: _Wanted, limit: int
) -> FinanceResult:
    period = period_of(books, *window)
    inside = [item for item in books.own() if item.account in period.accounts and period.holds(item)]
    found = [item for item in inside if wanted.fits(item)]
    shown = found[: -limit - 1 : -1]
    return FinanceResult(
        data={
            "period": [period.start, period.end],
            "covered": period.covered,
            "count": len(found),
            "sums": _sums(found),
            "rows": [row_of(books, item) for item in shown],
        },
        as_of=period.reached.isoformat(),
        units={"amount": "currency of the row", "sums": "by currency"},
        method=Method(name="transactions", convention=f"booking dates; {SIGNS}", n=len(found)),
        sources=cite(books, found),
        warnings=(*period.warnings, *omissions(books, found)),
        truncated=len(found) > len(shown),
    )


def _sums(found: list[Booking]) -> dict[str, dict[str, str]]:
    sums = {}
    for currency in sorted({item.currency for item in found}):
        amounts = [item.amount for item in found if item.currency == currency]
        inward, outward = (total([one for one in amounts if (one > 0) is sign]) for sign in (True, False))
        sums[currency] = {"in": plain_number(inward), "out": plain_number(outward), "net": plain_number(total(amounts))}
    return sums
