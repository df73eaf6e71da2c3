"""First in, first out: which purchases are still held, and what they cost with their fees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from finclaw_ledger.books import Booking

METHOD = (
    "FIFO per account: the oldest purchases are sold first; cost with fees of purchase; splits change quantities only; "
    "of a day as its file has it, of several files splits, then purchases, then sales"
)
_STEPS = {"split": 0, "buy": 1, "sell": 2}


@dataclass(slots=True)
class Position:
    """What is held of one symbol, exact; `cost` belongs to the quantity that purchases in the books account for."""

    symbol: str
    currency: str
    lots: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    """Units and cost of each purchase that is still held, the oldest first."""
    unknown: Fraction = Fraction(0)
    """Units sold that no purchase in the books accounts for: short, or bought before the books begin."""
    realised: Fraction = Fraction(0)
    oversold: bool = False
    """Whether at any time more had been sold than bought, also where later purchases made up for it."""
    items: list[Booking] = field(default_factory=list)

    @property
    def quantity(self) -> Fraction:
        """Units held; negative where more was sold than bought."""
        return sum((units for units, _ in self.lots), Fraction(0)) - self.unknown

    @property
    def cost(self) -> Fraction | None:
        """What the units held did cost; None where the purchases are not all known."""
        return None if self.unknown else sum((cost for _, cost in self.lots), Fraction(0))


def positions(bookings: Iterable[Booking]) -> list[Position]:
    """The positions by account, symbol and currency, from trades in the order in which they happened."""
    found: dict[tuple[str, str, str], Position] = {}
    for item in _in_order([item for item in bookings if item.kind in _STEPS]):
        if item.symbol is None or item.quantity is None:
            continue
        if item.kind == "split":
            _split(found, item, item.symbol, Fraction(item.quantity))
            continue
        key = item.account, item.symbol, item.currency
        position = found.setdefault(key, Position(item.symbol, item.currency))
        position.items.append(item)
        units, cash = Fraction(item.quantity), Fraction(item.amount)
        if item.kind == "buy":
            _buy(position, units, -cash)
        else:
            _sell(position, units, cash)
    return list(found.values())


def _in_order(trades: list[Booking]) -> list[Booking]:
    """Trades in the order that counts; of several files nothing shows which rows of a day came first."""
    files: dict[tuple[date, str, str | None], set[int]] = {}
    for item in trades:
        files.setdefault((item.day, item.account, item.symbol), set()).add(item.file)
    mixed = {day for day, found in files.items() if len(found) > 1}
    return sorted(
        trades, key=lambda item: (item.day, _STEPS[item.kind] if (item.day, item.account, item.symbol) in mixed else 0)
    )


def _split(found: dict[tuple[str, str, str], Position], item: Booking, symbol: str, ratio: Fraction) -> None:
    for (account, name, _), position in found.items():
        if account == item.account and name == symbol:
            position.lots = [(units * ratio, cost) for units, cost in position.lots]
            position.unknown *= ratio
            position.items.append(item)


def _buy(position: Position, units: Fraction, cost: Fraction) -> None:
    covered = min(units, position.unknown)
    position.unknown -= covered
    if units > covered:
        position.lots.append((units - covered, cost * (units - covered) / units))


def _sell(position: Position, units: Fraction, proceeds: Fraction) -> None:
    left = units
    while left and position.lots:
        held, cost = position.lots[0]
        taken = min(held, left)
        part = cost * taken / held
        position.realised += proceeds * taken / units - part
        left -= taken
        if taken == held:
            position.lots.pop(0)
        else:
            position.lots[0] = (held - taken, cost - part)
    position.unknown += left
    position.oversold = position.oversold or left > 0
