"""Positions and their cost, worked out from the fills alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_paper.book import Fill, cash_moved, shares_moved
from finclaw_paper.money import plus


@dataclass(slots=True, kw_only=True)
class Holding:
    """One symbol: shares (below zero when short), and what they cost on average, fees not counted."""

    symbol: str
    qty: Decimal = Decimal(0)
    cost: Fraction = Fraction(0)
    """Signed like `qty`: what the shares now held were bought (or sold short) for."""
    since: date = date.min
    """The session of the last fill."""

    @property
    def average(self) -> Fraction | None:
        return self.cost / Fraction(self.qty) if self.qty else None


@dataclass(slots=True, kw_only=True)
class Recomputed:
    """The account as its fills make it. Money in the account's currency."""

    cash: Decimal
    fees: Decimal = Decimal(0)
    holdings: dict[str, Holding] = field(default_factory=dict)


def recomputed(starting_cash: Decimal, fills: Iterable[Fill]) -> Recomputed:
    """Add up the fills, in their order."""
    books = Recomputed(cash=starting_cash)
    for fill in fills:
        books.cash = plus(books.cash, cash_moved(fill))
        books.fees = plus(books.fees, fill.fee)
        _move(books.holdings.setdefault(fill.symbol, Holding(symbol=fill.symbol)), fill)
    return books


def _move(holding: Holding, fill: Fill) -> None:
    """Average cost: what is added brings its own cost, what is taken away leaves at the average."""
    moved, price = shares_moved(fill), Fraction(fill.price)
    before, after = holding.qty, plus(holding.qty, moved)
    grows = before == 0 or (before > 0) == (moved > 0)
    crosses = before != 0 and after != 0 and (before > 0) != (after > 0)
    if grows:
        holding.cost += Fraction(moved) * price
    elif crosses:
        holding.cost = Fraction(after) * price
    else:
        holding.cost *= Fraction(after) / Fraction(before)
    holding.qty = after
    holding.since = max(holding.since, fill.session)
