"""From the cells of one row to a bar, or to the reason why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.tabular import BadCell, check_width, parse_number, parse_volume
from finclaw_market.bars import Bar, exact_text, normal_symbol
from finclaw_market.cells import Cells
from finclaw_market.columns import VALUES, Columns

# Feeds round each price by itself, so a close may exceed the high by a hair.
_TOLERANCE = Decimal("0.000001")
_NOTHING = Decimal(0)
_ONE = Decimal(1)
_MOST_LISTED = 3


@dataclass(slots=True)
class Notes:
    """What is to be reported of rows that are not bad: those without any value, and those with values left out."""

    empty: list[date] = field(default_factory=list)
    incredible: list[tuple[date, str]] = field(default_factory=list)

    def in_words(self) -> Iterator[str]:
        """A warning of each kind, with the first few dates."""
        if self.empty:
            listed = ", ".join(str(day) for day in self.empty[:_MOST_LISTED])
            yield f"{len(self.empty)} rows without any value are left out: {listed}{_more(self.empty)}"
        if self.incredible:
            listed = "; ".join(f"{day} {why}" for day, why in self.incredible[:_MOST_LISTED])
            yield (
                f"{len(self.incredible)} bars keep their close without the prices that cannot be true: "
                f"{listed}{_more(self.incredible)}"
            )


def _more(listed: Sequence[object]) -> str:
    return ", …" if len(listed) > _MOST_LISTED else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReader:
    """How the rows of one file become bars."""

    columns: Columns
    cells: Cells
    symbol: str | None
    notes: Notes = field(default_factory=Notes)

    def read(self, cells: list[str], line: int) -> tuple[str, Bar] | None:
        """The row's symbol and bar; None where the row has no value at all.

        Raises:
            BadCell: the row is invalid; the message has the reason.
        """
        check_width(cells, self.columns.width)
        symbol = self.symbol_of(cells)
        day = self.cells.day(cells[self.columns.at["date"]])
        numbers = self._numbers(cells)
        if "close" not in numbers:
            if any(numbers.get(name) for name in VALUES if name != "split") or numbers.get("split", _ONE) != _ONE:
                raise BadCell("no close")
            self.notes.empty.append(day)
            return None
        bar = bar_of_numbers(day, numbers, line)
        bar, why = credible(bar)
        if why is not None:
            self.notes.incredible.append((day, why))
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


def bar_of_numbers(day: date, numbers: Mapping[str, Decimal], line: int = 0) -> Bar:
    """The bar of a row, whose numbers have the names of columns; one of them is its close."""
    return Bar(
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


def credible(bar: Bar) -> tuple[Bar, str | None]:
    """The bar, without an open, high, low or adjusted close that cannot be true, and why.

    Raises:
        BadCell: its close, volume or an event cannot be true; the message has the reason.
    """
    if bar.close <= 0:
        raise BadCell(f"close {exact_text(bar.close)} is not above zero")
    for name, value in (("volume", bar.volume), ("dividend", bar.dividend), ("split", bar.split)):
        if value is not None and value < 0:
            raise BadCell(f"{name} {exact_text(value)} is negative")
    why = None
    if bar.adj_close is not None and bar.adj_close <= 0:
        why = f"adj close {exact_text(bar.adj_close)} is not above zero"
        bar = replace(bar, adj_close=None)
    wrong = _range_problem(bar)
    if wrong is None:
        return bar, why
    return replace(bar, open=None, high=None, low=None), wrong if why is None else f"{wrong}, {why}"


def _range_problem(bar: Bar) -> str | None:
    """Why open, high and low cannot be true."""
    for name, price in (("open", bar.open), ("high", bar.high), ("low", bar.low)):
        if price is not None and price <= 0:
            return f"{name} {exact_text(price)} is not above zero"
    if bar.high is not None and bar.low is not None and _above(bar.low, bar.high):
        return f"high {exact_text(bar.high)} is below low {exact_text(bar.low)}"
    for name, price in (("open", bar.open), ("close", bar.close)):
        if price is not None and bar.high is not None and _above(price, bar.high):
            return f"{name} {exact_text(price)} is above high {exact_text(bar.high)}"
        if price is not None and bar.low is not None and _above(bar.low, price):
            return f"{name} {exact_text(price)} is below low {exact_text(bar.low)}"
    return None


def _above(price: Decimal, bound: Decimal) -> bool:
    return price > bound and price - bound > bound * _TOLERANCE
