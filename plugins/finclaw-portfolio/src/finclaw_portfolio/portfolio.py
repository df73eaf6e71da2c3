"""`portfolio` and `ledger_portfolio`: what the user's positions are worth, what they gained, and what to trade."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_analytics.numbers import bad_input, decimal_within
from finclaw_cli.sdk import FinanceResult, Method, ToolContext, tool
from finclaw_ledger.current_books import ask_books
from finclaw_ledger.results import BOOKS_NEEDED
from finclaw_portfolio.amounts import currency_code
from finclaw_portfolio.booked import booked_positions
from finclaw_portfolio.positions import Positions, given_positions, pasted_positions, read_positions
from finclaw_portfolio.prices import market_context, numbered
from finclaw_portfolio.rebalance import METHOD, Limits
from finclaw_portfolio.targets import rebalance
from finclaw_portfolio.valuation import Valuation, valuation
from finclaw_portfolio.valued import CONVENTION, UNITS, as_data

_EXAMPLE = {"positions": {"CASH": "1000.50"}, "currency": "EUR"}
_BOOKS_EXAMPLE = {"currency": "EUR", "targets": {"ACME": "0.6", "GLOBEX": "0.4"}, "sell": False}
_LARGEST = Decimal(10) ** 15


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What to answer about positions."""

    currency: str | None
    as_of: date | None
    targets: Mapping[str, Decimal] | None
    limits: Limits


@tool(group="finance", read_only=True, idempotent=True, timeout=30, examples=(_EXAMPLE,))
def portfolio(
    ctx: ToolContext,
    *,
    path: str | None = None,
    table: str | None = None,
    positions: dict[str, Decimal] | None = None,
    costs: dict[str, Decimal] | None = None,
    currency: str | None = None,
    as_of: date | None = None,
    targets: dict[str, Decimal] | None = None,
    contribution: Decimal = Decimal(0),
    sell: bool = True,
    whole_units: bool = True,
    min_trade: Decimal = Decimal(0),
) -> FinanceResult:
    """Value, gain and weight of the user's positions in one currency; with targets also what to trade. Places no order.

    Args:
        ctx: given by finclaw.
        path: CSV of the workspace with symbol, quantity and, if known, cost or purchase price, currency and date.
        table: instead, the text of such a CSV, word for word as the user gave it.
        positions: instead, quantity by symbol.
        costs: what the positions cost in all, by symbol.
        currency: to value in; by default that of all prices.
        as_of: use nothing later.
        targets: part of the whole by symbol, 0 to sell all of it; what is left to 1 stays cash.
        contribution: money to add, or to take out where negative.
        sell: whether anything may be sold to reach the targets.
        whole_units: whether only whole units can be traded.
        min_trade: smallest amount of a trade.
    """
    asked = _asked(currency, as_of, targets, _limits(contribution, min_trade, sell=sell, whole=whole_units))
    return _answer(_held(ctx, path, table, (positions, costs, asked.currency)), asked, market_context(ctx))


@tool(
    group="data",
    sensitive=True,
    read_only=True,
    idempotent=True,
    timeout=60,
    needs=BOOKS_NEEDED,
    examples=(_BOOKS_EXAMPLE,),
)
async def ledger_portfolio(
    ctx: ToolContext,
    *,
    account: str | None = None,
    currency: str | None = None,
    as_of: date | None = None,
    targets: dict[str, Decimal] | None = None,
    contribution: Decimal = Decimal(0),
    sell: bool = True,
    whole_units: bool = True,
    min_trade: Decimal = Decimal(0),
) -> FinanceResult:
    """As portfolio, of the securities and cash in the user's books, with their lots.

    Args:
        ctx: given by finclaw.
        account: by default all that trade.
        currency: as in portfolio, like the others.
        as_of: use nothing later.
        targets: part by symbol.
        contribution: money to add.
        sell: may be sold.
        whole_units: only whole ones.
        min_trade: smallest trade.
    """
    asked = _asked(currency, as_of, targets, _limits(contribution, min_trade, sell=sell, whole=whole_units))
    market = market_context(ctx)
    return await ask_books(ctx, lambda books: _answer(booked_positions(books, market, account, as_of), asked, market))


def _held(
    ctx: ToolContext,
    path: str | None,
    table: str | None,
    given: tuple[dict[str, Decimal] | None, dict[str, Decimal] | None, str | None],
) -> Positions:
    """The positions of the one that is given: a file, its text, or quantities with their costs and currency."""
    quantities, costs, currency = given
    match path, table, quantities:
        case str(), None, None:
            return read_positions(path, ctx)
        case None, str(), None:
            return pasted_positions(table)
        case None, None, dict():
            return given_positions(quantities, costs, currency)
        case _:
            raise bad_input("give one of path, table and positions")


def _limits(contribution: Decimal, minimum: Decimal, *, sell: bool, whole: bool) -> Limits:
    decimal_within("contribution", contribution, -_LARGEST, _LARGEST)
    decimal_within("min_trade", minimum, Decimal(0), _LARGEST)
    return Limits(contribution=Fraction(contribution), minimum=Fraction(minimum), sell=sell, whole=whole)


def _asked(currency: str | None, as_of: date | None, targets: dict[str, Decimal] | None, limits: Limits) -> _Asked:
    return _Asked(currency=currency_code(currency), as_of=as_of, targets=targets, limits=limits)


def _answer(held: Positions, asked: _Asked, ctx: ToolContext) -> FinanceResult:
    found = valuation(held.items, asked.currency, ctx, asked.as_of, held.left_out)
    data = as_data(found)
    if asked.targets is not None:
        data["rebalance"] = rebalance(found, asked.targets, asked.limits, ctx, asked.as_of)
    trading = f"; {METHOD}" if asked.targets is not None else ""
    return FinanceResult(
        data=data,
        as_of=found.day.isoformat(),
        units=UNITS,
        method=Method(name="portfolio_value", convention=CONVENTION + trading, n=len(found.holdings)),
        sources=numbered([*held.sources, *found.sources]),
        warnings=_warnings(held, found),
    )


def _warnings(held: Positions, found: Valuation) -> tuple[str, ...]:
    left_out = (f"{symbol} has no value: {reason}" for symbol, reason in found.left_out.items())
    partial = (f"value and gain are without {', '.join(found.incomplete)}",) if found.incomplete else ()
    return tuple(dict.fromkeys([*held.warnings, *partial, *left_out, *found.warnings]))
