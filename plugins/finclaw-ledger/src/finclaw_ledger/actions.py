"""Splits that an account's rows do not have: shares bought before one and shares bought after it do not add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from importlib.util import find_spec

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_ledger.books import Booking

# Brokers book a split some days after the first session with the new shares.
_NEAR = timedelta(days=7)
_PRICES = "finclaw_market"


@dataclass(slots=True)
class _Moves:
    """What one account did with one symbol, the earliest first."""

    steps: list[tuple[date, Fraction, Fraction]] = field(default_factory=list)
    """The day, by how much the units were multiplied, and how many were added."""
    splits: set[date] = field(default_factory=set)

    def held_before(self, day: date) -> bool:
        """Whether there were units before a day."""
        units = Fraction(0)
        for at, ratio, added in self.steps:
            if at < day:
                units = units * ratio + added
        return units != 0

    def is_exchange(self, day: date) -> bool:
        """Whether lots went out and came in on a day, which is how double-entry books write a split."""
        signs = {added > 0 for at, _, added in self.steps if at == day and added}
        return len(signs) > 1

    def has_split_near(self, day: date) -> bool:
        """Whether the account has the split of that day."""
        return any(abs(own - day) <= _NEAR for own in self.splits)


def recorded_splits(ctx: ToolContext, trades: Iterable[Booking], last: date) -> dict[str, list[date]]:
    """The days of splits by symbol that the price store records up to a day; none without finclaw-market.

    Raises:
        ToolError: NOT_CONFIGURED: the price store cannot be read.
    """
    if find_spec(_PRICES) is None:
        return {}
    from finclaw_market.closes import splits
    from finclaw_market.problems import StoreUnusable

    found: dict[str, list[date]] = {}
    for symbol in sorted({step[0] for step in map(_step, trades) if step is not None}):
        try:
            found[symbol] = [one.day for one in splits(symbol, ctx, as_of=last)]
        except StoreUnusable:
            raise
        except ToolError:
            continue  # not in the price store, or ambiguous there
    return found


def missing_splits(trades: Iterable[Booking], recorded: Mapping[str, Iterable[date]]) -> dict[str, date]:
    """The symbols that an account held across a split that it has no row of, each with the day of the split.

    Args:
        trades: rows of the books, the earliest first.
        recorded: the days of splits that are known from elsewhere, by symbol.
    """
    accounts = _moves(trades)
    known = {symbol: set(days) for symbol, days in recorded.items()}
    for (_, symbol), moves in accounts.items():
        known.setdefault(symbol, set()).update(moves.splits)
    missing: dict[str, date] = {}
    for (_, symbol), moves in accounts.items():
        for day in sorted(known[symbol]):
            if moves.held_before(day) and not moves.has_split_near(day):
                missing[symbol] = min(day, missing.get(symbol, day))
    return missing


def _moves(trades: Iterable[Booking]) -> dict[tuple[str, str], _Moves]:
    found: dict[tuple[str, str], _Moves] = {}
    for item in trades:
        step = _step(item)
        if step is not None:
            symbol, ratio, added = step
            moves = found.setdefault((item.account, symbol), _Moves())
            moves.steps.append((item.day, ratio, added))
            if item.kind == "split" or (item.lot is not None and moves.is_exchange(item.day)):
                moves.splits.add(item.day)
    return found


def _step(item: Booking) -> tuple[str, Fraction, Fraction] | None:
    if item.lot is not None:
        return item.currency, Fraction(1), Fraction(item.amount)
    if item.symbol is None or item.quantity is None or item.kind not in {"buy", "sell", "split"}:
        return None
    units = Fraction(item.quantity)
    if item.kind == "split":
        return item.symbol, units, Fraction(0)
    return item.symbol, Fraction(1), units if item.kind == "buy" else -units
