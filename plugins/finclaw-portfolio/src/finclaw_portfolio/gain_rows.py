"""What results show of sales: each with its lots, the sums of years, and the lots that are still held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from finclaw_ledger.books import Booking
from finclaw_ledger.lots import Lot, Position, Sale
from finclaw_portfolio.amounts import money, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Sold:
    """A sale, and the same in the base currency."""

    id: str
    sale: Sale
    based: Sale
    reason: str | None
    """Why there is no gain."""
    has_base: bool

    @property
    def gain(self) -> Fraction | None:
        return None if self.reason else self.sale.gain

    @property
    def base(self) -> Fraction | None:
        return None if self.reason or not self.has_base else self.based.gain


@dataclass(slots=True, kw_only=True)
class _Year:
    """The sales of one year and currency."""

    sales: int = 0
    proceeds: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)
    gain: Fraction = Fraction(0)
    base: Fraction | None = Fraction(0)
    left_out: list[str] = field(default_factory=list)

    def known(self, total: Fraction | None) -> Fraction | None:
        """A sum, where it has at least one sale."""
        return total if len(self.left_out) < self.sales else None


def sale_row(one: Sold, ids: dict[int, str], base: str | None) -> dict[str, object]:
    """A sale with its lots; `ids` has the id of each trade by its identity."""
    sold, sale = one.sale.sold, one.sale
    row: dict[str, object] = {
        "sale": one.id,
        "date": sold.day,
        "account": sold.account,
        "symbol": sold.symbol,
        "quantity": number(sale.units),
        "currency": sold.currency,
        "proceeds": money(sale.proceeds, sold.currency),
        "fee": None if sold.fee is None else money(Fraction(sold.fee), sold.currency),
        "cost": None if one.reason else money(sale.cost, sold.currency),
        "gain": money(one.gain, sold.currency),
        "base_gain": None if base is None else money(one.base, base),
        "lots": [_lot(lot, ids, sold) for lot in sale.lots],
        "reason": one.reason,
    }
    return {name: value for name, value in row.items() if name == "gain" or value is not None}


def _lot(lot: Lot, ids: dict[int, str], sold: Booking | None = None) -> dict[str, object]:
    bought = lot.bought
    row: dict[str, object] = {
        "lot": ids[id(bought)],
        "bought": bought.day,
        "quantity": number(lot.units),
        "cost": money(lot.cost, bought.currency),
    }
    return {**row, "days": (sold.day - bought.day).days} if sold is not None else row


def open_lots(held: Sequence[Position], ids: dict[int, str]) -> list[dict[str, object]]:
    """What is still held of each purchase."""
    return [
        {"symbol": one.symbol, "account": lot.bought.account, **_lot(lot, ids), "currency": one.currency}
        for one in held
        for lot in one.lots
    ]


def by_year(every: Sequence[Sold], base: str | None) -> list[dict[str, object]]:
    """The sums of each year and currency; sales without a gain are named in `incomplete`."""
    years: dict[tuple[int, str], _Year] = {}
    for one in every:
        year = years.setdefault((one.sale.sold.day.year, one.sale.sold.currency), _Year())
        year.sales += 1
        if one.gain is None:
            year.left_out.append(one.id)
            continue
        year.proceeds += one.sale.proceeds
        year.cost += one.sale.cost
        year.gain += one.gain
        year.base = None if year.base is None or one.base is None else year.base + one.base
    return [
        {
            "year": at,
            "currency": code,
            "sales": year.sales,
            "proceeds": money(year.known(year.proceeds), code),
            "cost": money(year.known(year.cost), code),
            "gain": money(year.known(year.gain), code),
            "base_gain": None if base is None else money(year.known(year.base), base),
            "incomplete": year.left_out,
        }
        for (at, code), year in sorted(years.items())
    ]
