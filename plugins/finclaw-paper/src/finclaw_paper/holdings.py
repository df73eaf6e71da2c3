"""Positions and their cost, worked out from the fills and from the splits since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_paper.book import Fill, cash_moved, shares_moved
from finclaw_paper.money import plus, whole_parts
from finclaw_paper.problems import refused
from finclaw_paper.splits import Splits


@dataclass(slots=True, kw_only=True)
class Holding:
    """One symbol: shares (below zero when short), and what they cost on average, fees not counted."""

    symbol: str
    shares: Fraction = Fraction(0)
    """In shares as they are on the day of the call."""
    cost: Fraction = Fraction(0)
    """Signed like `shares`: what the shares now held were bought (or sold short) for."""
    first: date = date.max
    """The session of the earliest fill."""
    is_known: bool = True
    """Whether it is known how many shares of the day the fills have become."""

    @property
    def qty(self) -> Decimal:
        """The shares, in the parts that can be traded; what a split leaves below that is dropped."""
        return whole_parts(self.shares)

    @property
    def average(self) -> Fraction | None:
        """What one share cost; None where none is held, or their number is not known."""
        return self.cost / self.shares if self.qty and self.is_known else None


@dataclass(slots=True, kw_only=True)
class Recomputed:
    """The account as its fills make it. Money in the account's currency."""

    cash: Decimal
    fees: Decimal = Decimal(0)
    holdings: dict[str, Holding] = field(default_factory=dict)

    def held(self) -> list[Holding]:
        """The positions that are open, or may be, by symbol."""
        return [one for _, one in sorted(self.holdings.items()) if one.qty or not one.is_known]


def recomputed(starting_cash: Decimal, fills: Iterable[Fill], splits: Splits | None = None) -> Recomputed:
    """Add up the fills, in their order; without `splits` in the shares that were traded."""
    books = Recomputed(cash=starting_cash)
    for fill in fills:
        books.cash = plus(books.cash, cash_moved(fill))
        books.fees = plus(books.fees, fill.fee)
        holding = books.holdings.setdefault(fill.symbol, Holding(symbol=fill.symbol))
        factor = Fraction(1) if splits is None else splits.factor(fill)
        if factor is None:
            holding.is_known = False
        _move(holding, fill, factor or Fraction(1))
    return books


def held_of(symbol: str, fills: Iterable[Fill], splits: Splits) -> Decimal:
    """The shares held of a symbol, as they are counted on the day of the call.

    Raises:
        ToolError: ORDER_REFUSED: a split leaves open how many there are.
    """
    mine = [fill for fill in fills if fill.symbol == symbol]
    found = recomputed(Decimal(0), mine, splits).holdings.get(symbol)
    if found is not None and not found.is_known:
        raise refused(shares_unknown(symbol))
    return found.qty if found else Decimal(0)


def shares_unknown(symbol: str) -> str:
    """Why the shares of a symbol cannot be counted."""
    return (
        f"how many shares of {symbol} are held is not known: they were traded before a split, and the stored prices do "
        "not show in which shares; import prices as traded, with their splits (finclaw data check shows what is odd)"
    )


def _move(holding: Holding, fill: Fill, factor: Fraction) -> None:
    """Average cost: what is added brings its own cost, what is taken away leaves at the average."""
    moved, price = Fraction(shares_moved(fill)) * factor, Fraction(fill.price) / factor
    before, after = holding.shares, holding.shares + moved
    grows = before == 0 or (before > 0) == (moved > 0)
    crosses = before != 0 and after != 0 and (before > 0) != (after > 0)
    if grows:
        holding.cost += moved * price
    elif crosses:
        holding.cost = after * price
    else:
        holding.cost *= after / before
    holding.shares = after
    holding.first = min(holding.first, fill.session)
