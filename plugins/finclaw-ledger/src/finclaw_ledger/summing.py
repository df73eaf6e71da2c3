"""`spending` and `income_statement`: what was spent and earned in a period."""

from __future__ import annotations

import asyncio
import datetime as dt
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, tool
from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.books import Books
from finclaw_ledger.current_books import books_of
from finclaw_ledger.numbers import total
from finclaw_ledger.outlays import By, Outlays, grouped, is_cut, outlays
from finclaw_ledger.period import period_of
from finclaw_ledger.results import BOOKS_NEEDED, cite, omissions


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def spending(
    ctx: ToolContext, *, start: dt.date | None = None, end: dt.date | None = None, by: By = "category"
) -> FinanceResult:
    """What the user spent, by category, payee or month and currency; positive numbers.

    Args:
        ctx: given by finclaw.
        start: first booking date.
        end: last one.
        by: how it is grouped.
    """
    return await asyncio.to_thread(_spending, await books_of(ctx), start, end, by)


def _spending(books: Books, start: dt.date | None, end: dt.date | None, by: By) -> FinanceResult:
    period = period_of(books, start, end)
    found = outlays(books, period)
    return FinanceResult(
        data={
            "period": [period.start, period.end],
            "covered": period.covered,
            "spending": grouped(books, found.spent, by, -1),
        },
        as_of=period.reached.isoformat(),
        units={"spending": "by currency, positive = spent"},
        method=Method(name="spending", convention=found.convention, n=len(found.spent)),
        sources=cite(books, found.spent),
        warnings=(*found.warnings, *omissions(books, found.spent)),
        truncated=is_cut(found.spent, by),
    )


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def income_statement(start: dt.date, end: dt.date, ctx: ToolContext) -> FinanceResult:
    """What the user earned and spent in a period, by category and currency, and what was left.

    Args:
        start: first booking date.
        end: last one.
        ctx: given by finclaw.
    """
    return await asyncio.to_thread(_income_statement, await books_of(ctx), start, end)


def _income_statement(books: Books, start: dt.date, end: dt.date) -> FinanceResult:
    period = period_of(books, start, end)
    found = outlays(books, period)
    return FinanceResult(
        data={
            "period": [period.start, period.end],
            "covered": period.covered,
            "income": grouped(books, found.earned, "category", 1),
            "expenses": grouped(books, found.spent, "category", -1),
            "net": _net(found),
        },
        as_of=period.reached.isoformat(),
        units={"income": "by currency, positive", "expenses": "by currency, positive", "net": "income - expenses"},
        method=Method(name="income_statement", convention=found.convention, n=len(found.all)),
        sources=cite(books, found.all),
        warnings=(*found.warnings, *omissions(books, found.all)),
        truncated=is_cut(found.spent, "category") or is_cut(found.earned, "category"),
    )


def _net(found: Outlays) -> dict[str, str]:
    amounts: dict[str, list[Decimal]] = {}
    for item in found.all:
        amounts.setdefault(item.currency, []).append(item.amount)
    return {currency: plain_number(total(amounts[currency])) for currency in sorted(amounts)}
