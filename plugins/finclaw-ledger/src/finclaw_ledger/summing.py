"""`spending` and `income_statement`: what was spent and earned in a period."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, tool
from finclaw_cli.sdk.periods import AskedDays, known_days
from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.books import Books
from finclaw_ledger.coverage import covered_days
from finclaw_ledger.current_books import ask_books
from finclaw_ledger.numbers import EXACT
from finclaw_ledger.outlays import By, Grouped, earned_and_spent, outlays, spent_by
from finclaw_ledger.results import BOOKS_NEEDED, cite, omissions


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def spending(
    ctx: ToolContext,
    *,
    start: dt.date | None = None,
    end: dt.date | None = None,
    period: str | None = None,
    by: By = "category",
) -> FinanceResult:
    """What the user spent, by category, payee or month and currency; positive numbers.

    Args:
        ctx: given by finclaw.
        start: first booking date.
        end: last one.
        period: e.g. "last month", "2024-Q1".
        by: how it is grouped.
    """
    asked = known_days(ctx, period, start, end)
    return await ask_books(ctx, lambda books: _spending(books, asked, by))


def _spending(books: Books, asked: AskedDays, by: By) -> FinanceResult:
    days = covered_days(books, asked)
    found = outlays(books, days)
    spent = spent_by(found, by)
    return FinanceResult(
        data={"period": [days.start, days.end], "covered": days.covered, "spending": spent.shown},
        as_of=days.reached.isoformat(),
        units={"spending": "by currency, positive = spent"},
        method=Method(name="spending", convention=found.convention, n=spent.count),
        sources=cite(books, spent.extents),
        warnings=(*found.warnings, *spent.warnings, *omissions(books, spent.extents)),
        truncated=spent.is_cut,
        period=days.period,
    )


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def income_statement(
    ctx: ToolContext, *, start: dt.date | None = None, end: dt.date | None = None, period: str | None = None
) -> FinanceResult:
    """What the user earned and spent in a period, by category and currency, and what was left.

    Args:
        ctx: given by finclaw.
        start: first booking date.
        end: last one.
        period: e.g. "last month", "2024-Q1".
    """
    asked = known_days(ctx, period, start, end)
    return await ask_books(ctx, lambda books: _income_statement(books, asked))


def _income_statement(books: Books, asked: AskedDays) -> FinanceResult:
    days = covered_days(books, asked)
    found = outlays(books, days)
    earned, spent = earned_and_spent(found)
    extents = [*earned.extents, *spent.extents]
    return FinanceResult(
        data={
            "period": [days.start, days.end],
            "covered": days.covered,
            "income": earned.shown,
            "expenses": spent.shown,
            "net": _net(earned, spent),
        },
        as_of=days.reached.isoformat(),
        units={"income": "by currency, positive", "expenses": "by currency, positive", "net": "income - expenses"},
        method=Method(name="income_statement", convention=found.convention, n=earned.count + spent.count),
        sources=cite(books, extents),
        warnings=(*found.warnings, *earned.warnings, *spent.warnings, *omissions(books, extents)),
        truncated=earned.is_cut or spent.is_cut,
        period=days.period,
    )


def _net(earned: Grouped, spent: Grouped) -> dict[str, str]:
    nothing = {"total": "0"}
    return {
        currency: plain_number(
            EXACT.subtract(
                Decimal(str(earned.shown.get(currency, nothing)["total"])),
                Decimal(str(spent.shown.get(currency, nothing)["total"])),
            )
        )
        for currency in sorted({*earned.shown, *spent.shown})
    }
