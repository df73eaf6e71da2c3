"""Lots: which purchases are still held and which were sold, and what they cost with their fees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction

from finclaw_ledger.books import Booking

METHOD = (
    "FIFO per account: the oldest purchases are sold first; cost with fees of purchase; splits change quantities only; "
    "of a day as its file has it, of several files splits, then purchases, then sales"
)
_STEPS = {"split": 0, "buy": 1, "sell": 2}
# Files of one account book a split some days apart.
_SAME_SPLIT = timedelta(days=7)


_PLACES = 10**30
"""What a sale costs at the average of a pool has 30 decimals; without that, fractions grow with each sale."""


@dataclass(slots=True)
class Pool:
    """Units of several purchases, each of which costs the average."""

    units: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)

    def take(self, units: Fraction) -> Fraction:
        """Take some of the units out; what they cost."""
        cost = self.cost * units / self.units
        if units < self.units:
            cost = Fraction(round(cost * _PLACES), _PLACES)
        self.units, self.cost = self.units - units, self.cost - cost
        return cost


@dataclass(slots=True)
class Lot:
    """Units of one purchase, with what they cost by themselves or as part of a pool."""

    bought: Booking
    units: Fraction
    own_cost: Fraction
    pool: Pool | None = None

    @property
    def cost(self) -> Fraction:
        """What the units did cost."""
        if self.pool is None:
            return self.own_cost
        return self.pool.cost * self.units / self.pool.units

    def join(self, pool: Pool) -> None:
        """Become part of a pool."""
        pool.units, pool.cost, self.pool = pool.units + self.units, pool.cost + self.own_cost, pool

    def take(self, units: Fraction) -> Fraction:
        """Take some of the units out; what they cost."""
        if self.pool is not None:
            cost = self.pool.take(units)
        else:
            cost = self.own_cost * units / self.units
            self.own_cost -= cost
        self.units -= units
        return cost


@dataclass(frozen=True, slots=True)
class Sale:
    """What was sold, and of which purchases."""

    sold: Booking
    units: Fraction
    proceeds: Fraction
    """With the fee of the sale taken off."""
    lots: tuple[Lot, ...]
    """Of each purchase the units that were sold, in the shares of the day of the sale."""
    unknown: Fraction
    """Units that no purchase in the books accounts for."""

    @property
    def cost(self) -> Fraction:
        """What the lots did cost."""
        return sum((lot.cost for lot in self.lots), Fraction(0))

    @property
    def gain(self) -> Fraction:
        """Of the units that purchases account for."""
        return self.proceeds * (self.units - self.unknown) / self.units - self.cost


Wanted = Iterable[tuple[Lot, Fraction]]
Order = Callable[[Booking, Sequence[Lot]], Wanted]
"""Which lots a sale takes first, and at most how many units of each; called before each sale."""


@dataclass(slots=True)
class Position:
    """What is held of one symbol, exact; `cost` belongs to the quantity that purchases in the books account for."""

    symbol: str
    currency: str
    lots: list[Lot] = field(default_factory=list)
    """What is still held of each purchase, the oldest first."""
    sales: list[Sale] = field(default_factory=list)
    unknown: Fraction = Fraction(0)
    """Units sold that no purchase in the books accounts for: short, or bought before the books begin."""
    items: list[Booking] = field(default_factory=list)

    @property
    def quantity(self) -> Fraction:
        """Units held; negative where more was sold than bought."""
        return sum((lot.units for lot in self.lots), Fraction(0)) - self.unknown

    @property
    def cost(self) -> Fraction | None:
        """What the units held did cost; None where the purchases are not all known."""
        return None if self.unknown else sum((lot.cost for lot in self.lots), Fraction(0))

    @property
    def realised(self) -> Fraction:
        """The gain of all sales, as far as purchases account for them."""
        return sum((sale.gain for sale in self.sales), Fraction(0))

    @property
    def oversold(self) -> bool:
        """Whether at any time more had been sold than bought, also where later purchases made up for it."""
        return any(sale.unknown for sale in self.sales)


def oldest_first(sale: Booking, lots: Sequence[Lot]) -> Wanted:  # noqa: ARG001 - every order is called alike
    """First in, first out."""
    return ((lot, lot.units) for lot in lots)


def cash_of(item: Booking) -> Fraction:
    """What a booking did to the account's cash."""
    return Fraction(item.amount)


def positions(
    bookings: Iterable[Booking], order: Order = oldest_first, cash: Callable[[Booking], Fraction] = cash_of
) -> list[Position]:
    """The positions by account, symbol and currency.

    Args:
        bookings: in the order in which they happened.
        order: which lots a sale takes.
        cash: the amount of a booking, which may be in another currency.
    """
    found: dict[tuple[str, str, str], Position] = {}
    trades = _in_order([item for item in bookings if item.kind in _STEPS])
    repeated = {id(item) for item in repeated_splits(trades)}
    for item in trades:
        if item.symbol is None or item.quantity is None or id(item) in repeated:
            continue
        if item.kind == "split":
            _split(found, item, item.symbol, Fraction(item.quantity))
            continue
        key = item.account, item.symbol, item.currency
        position = found.setdefault(key, Position(item.symbol, item.currency))
        position.items.append(item)
        if item.kind == "buy":
            _buy(position, item, -cash(item))
        else:
            _sell(position, item, cash(item), order)
    return list(found.values())


def repeated_splits(trades: Iterable[Booking]) -> list[Booking]:
    """The rows of splits that an account has in another row already: the same ratio within a week, as two files do."""
    last: dict[tuple[str, str | None, object], date] = {}
    found: list[Booking] = []
    for item in trades:
        if item.kind != "split":
            continue
        key = item.account, item.symbol, item.quantity
        if key in last and item.day - last[key] <= _SAME_SPLIT:
            found.append(item)
        else:
            last[key] = item.day
    return found


def repeated_notes(trades: Iterable[Booking]) -> tuple[str, ...]:
    """A warning for each row of a split that is not counted again."""
    return tuple(
        f"the split of {item.symbol} on {item.day} is in another row of {item.account} already: counted once"
        for item in repeated_splits(trades)
    )


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
            for pool in {id(lot.pool): lot.pool for lot in position.lots if lot.pool}.values():
                pool.units *= ratio
            for lot in position.lots:
                lot.units *= ratio
            position.unknown *= ratio
            position.items.append(item)


def _buy(position: Position, item: Booking, cost: Fraction) -> None:
    units = Fraction(item.quantity or 0)
    covered = min(units, position.unknown)
    position.unknown -= covered
    if units > covered:
        position.lots.append(Lot(item, units - covered, cost * (units - covered) / units))


def _sell(position: Position, item: Booking, proceeds: Fraction, order: Order) -> None:
    units = left = Fraction(item.quantity or 0)
    used: list[Lot] = []
    emptied: list[Lot] = []
    for lot, most in order(item, position.lots):
        if not left:
            break
        taken = min(most, lot.units, left)
        if taken:
            used.append(Lot(lot.bought, taken, lot.take(taken)))
            left -= taken
            if not lot.units:
                emptied.append(lot)
    for lot in emptied:
        _remove(position.lots, lot)
    position.sales.append(Sale(item, units, proceeds, tuple(used), left))
    position.unknown += left


def _remove(lots: list[Lot], lot: Lot) -> None:
    """Take a lot out, which most often is the first or the last."""
    at = -1 if lots[-1] is lot else next(at for at, one in enumerate(lots) if one is lot)
    del lots[at]
