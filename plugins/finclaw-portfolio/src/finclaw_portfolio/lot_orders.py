"""Which lots a sale takes: the oldest, the newest, all at their average cost, or those that the user names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import takewhile
from typing import Literal

from finclaw_analytics.numbers import bad_input
from finclaw_cli.sdk.render import quoted
from finclaw_ledger.books import Booking
from finclaw_ledger.lots import Lot, Order, Pool, Wanted, oldest_first
from finclaw_portfolio.amounts import number

LotMethod = Literal["fifo", "lifo", "average", "specific"]
_MOST_SHOWN = 10
CONVENTION: Mapping[LotMethod, str] = {
    "fifo": "the oldest lots of the account are sold first",
    "lifo": "the newest lots of the account are sold first",
    "average": "a sold unit costs the average of all that the account holds; the oldest lots are sold first",
    "specific": "the lots that are named are sold; sales without named lots take the oldest of the account",
}


def newest_first(sale: Booking, lots: Sequence[Lot]) -> Wanted:  # noqa: ARG001 - every order is called alike
    """Last in, first out."""
    return ((lot, lot.units) for lot in reversed(lots))


def at_average_cost(sale: Booking, lots: Sequence[Lot]) -> Wanted:
    """The oldest first, after what was bought since the last sale has joined the pool of what is held."""
    pool = (lots[0].pool if lots else None) or Pool()
    for lot in takewhile(lambda lot: lot.pool is None, reversed(lots)):
        lot.join(pool)
    return oldest_first(sale, lots)


@dataclass(slots=True)
class Named:
    """The lots that the user names for each sale, as `place` or `place=units`."""

    lots: Mapping[str, Sequence[str]]
    """By the id of a sale, the ids of lots."""
    ids: Mapping[int, str]
    """Of each row, by its identity."""
    others: dict[str, None] = field(default_factory=dict)
    """Sales without named lots."""

    def __call__(self, sale: Booking, lots: Sequence[Lot]) -> Wanted:
        """The named lots, or the oldest.

        Raises:
            ToolError: BAD_INPUT: a lot is not held then, or those named are fewer units than were sold.
        """
        name = self.ids[id(sale)]
        if name not in self.lots:
            self.others[name] = None
            return oldest_first(sale, lots)
        held = {self.ids[id(lot.bought)]: lot for lot in lots}
        wanted = [_wanted(text, held, name) for text in self.lots[name]]
        if sum((min(most, lot.units) for lot, most in wanted), Fraction(0)) < Fraction(sale.quantity or 0):
            raise bad_input(f"sale {name}: the named lots have fewer units than were sold; {_shown(held)}")
        return wanted


def _wanted(text: str, held: Mapping[str, Lot], sale: str) -> tuple[Lot, Fraction]:
    lot, _, units = text.partition("=")
    if lot not in held:
        raise bad_input(f"sale {sale}: lot {quoted(lot)} is not held then; {_shown(held)}")
    try:
        return held[lot], Fraction(units) if units else held[lot].units
    except (ValueError, ZeroDivisionError):
        raise bad_input(f"sale {sale}: {quoted(text)} is no lot with a number of units, as {lot}=5") from None


def _shown(held: Mapping[str, Lot]) -> str:
    names = [f"{name} ({number(lot.units)} units)" for name, lot in list(held.items())[:_MOST_SHOWN]]
    return f"the lots held before it: {', '.join(names) or 'none'}"


def order_of(method: LotMethod, named: Named) -> Order:
    """The order of a method."""
    orders: dict[LotMethod, Order] = {
        "fifo": oldest_first, "lifo": newest_first, "average": at_average_cost, "specific": named
    }  # fmt: skip
    return orders[method]
