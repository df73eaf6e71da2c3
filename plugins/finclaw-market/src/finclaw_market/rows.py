"""From the cells of one row to a bar, or to the reason why not."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from finclaw_cli.sdk.tabular import BadCell, check_width, parse_number, parse_volume
from finclaw_market.bars import Bar, normal_symbol
from finclaw_market.cells import Cells
from finclaw_market.columns import Columns

# Feeds round each price by itself, so a close may exceed the high by a hair.
_TOLERANCE = Decimal("0.000001")
_NOTHING = Decimal(0)
_ONE = Decimal(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReader:
    """How the rows of one file become bars."""

    columns: Columns
    cells: Cells
    symbol: str | None

    def read(self, cells: list[str], line: int) -> tuple[str, Bar]:
        """The row's symbol and bar.

        Raises:
            BadCell: the row is invalid; the message has the reason.
        """
        check_width(cells, self.columns.width)
        symbol = self.symbol_of(cells)
        day = self.cells.day(cells[self.columns.at["date"]])
        numbers = self._numbers(cells)
        if "close" not in numbers:
            raise BadCell("no close")
        bar = Bar(
            day=day,
            close=numbers["close"],
            open=numbers.get("open"),
            high=numbers.get("high"),
            low=numbers.get("low"),
            adj_close=numbers.get("adj_close"),
            volume=numbers.get("volume"),
            dividend=numbers.get("dividend"),
            split=numbers.get("split"),
            line=line,
        )
        check_bar(bar)
        return symbol, bar

    def symbol_of(self, cells: list[str]) -> str:
        """The symbol of a row: its own where the file has such a column, else the one that was given."""
        at = self.columns.at.get("symbol")
        if at is None:
            # The importer refuses files without either before it reads rows.
            return self.symbol or ""
        symbol = normal_symbol(cells[at])
        if symbol is None:
            raise BadCell(f"{cells[at][:40]!r} is not a symbol")
        return symbol

    def _numbers(self, cells: list[str]) -> dict[str, Decimal]:
        found: dict[str, Decimal] = {}
        for name, index in self.columns.numeric():
            try:
                number = self.cells.number(cells[index], parse_volume if name == "volume" else parse_number)
            except BadCell as error:
                raise BadCell(f"{name.replace('_', ' ')}: {error}") from None
            if number is not None:
                found[name] = number
        # Where the file records such events, a blank cell or a zero means that there was none.
        if "dividend" in self.columns.at:
            found.setdefault("dividend", _NOTHING)
        if "split" in self.columns.at:
            found["split"] = found.get("split") or _ONE
        return found


def check_bar(bar: Bar) -> None:
    """See that the values of a bar are possible.

    Raises:
        BadCell: they are not; the message has the reason.
    """
    prices = {"close": bar.close, "open": bar.open, "high": bar.high, "low": bar.low, "adj close": bar.adj_close}
    for name, price in prices.items():
        if price is not None and price <= 0:
            raise BadCell(f"{name} {price:f} is not above zero")
    if bar.volume is not None and bar.volume < 0:
        raise BadCell(f"volume {bar.volume:f} is negative")
    if bar.dividend is not None and bar.dividend < 0:
        raise BadCell(f"dividend {bar.dividend:f} is negative")
    if bar.split is not None and bar.split < 0:
        raise BadCell(f"split {bar.split:f} is negative")
    _check_range(bar)


def _check_range(bar: Bar) -> None:
    if bar.high is not None and bar.low is not None and _above(bar.low, bar.high):
        raise BadCell(f"high {bar.high:f} is below low {bar.low:f}")
    for name, price in (("open", bar.open), ("close", bar.close)):
        if price is None:
            continue
        if bar.high is not None and _above(price, bar.high):
            raise BadCell(f"{name} {price:f} is above high {bar.high:f}")
        if bar.low is not None and _above(bar.low, price):
            raise BadCell(f"{name} {price:f} is below low {bar.low:f}")


def _above(price: Decimal, bound: Decimal) -> bool:
    return price > bound and price - bound > bound * _TOLERANCE
