"""Reads the user's own exchange rates: `date, from, to, rate`, where one unit of `from` costs `rate` of `to`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from finclaw_cli.sdk.tabular import BadCell, BadOption, check_width, match_columns, missing_column
from finclaw_market.bars import exact_text
from finclaw_market.cells import Cells, cells_of
from finclaw_market.currencies import normal_code, whole_currency
from finclaw_market.held import held_price
from finclaw_market.keyed import Key, Table
from finclaw_market.options import ImportOptions
from finclaw_market.rowfile import RowFile
from finclaw_market.signs import SignWatch, check_sign

_ROLES = {
    "date": ("date", "datum", "day", "ratedate", "일자", "날짜"),
    "from": ("from", "fromcurrency", "base", "basecurrency", "source", "sourcecurrency", "currency"),
    "to": ("to", "tocurrency", "quote", "quotecurrency", "target", "targetcurrency"),
    "rate": ("rate", "exchangerate", "price", "close", "value", "kurs", "환율"),
}
# Buying and selling rates of one day are rarely further apart.
_SPREAD = Decimal("0.05")


@dataclass(frozen=True, slots=True, kw_only=True)
class RateReader:
    """How the rows of one file become rates."""

    cells: Cells
    at: tuple[int, int, int, int]

    def read(self, cells: list[str], line: int) -> Iterator[tuple[Key, str | None]]:  # noqa: ARG002 - of the protocol
        """The rate of one row.

        Raises:
            BadCell: the row is invalid; the message has the reason.
        """
        check_width(cells, self.cells.width)
        date_at, base_at, quote_at, rate_at = self.at
        day = self.cells.day(cells[date_at])
        base, quote = _code(cells[base_at]), _code(cells[quote_at])
        if base == quote:
            raise BadCell(f"{base} to itself")
        check_sign(cells[rate_at], quote)
        rate = self.cells.number(cells[rate_at])
        if rate is None or rate <= 0:
            raise BadCell("no rate" if rate is None else f"rate {rate:f} is not above zero")
        yield (base, quote, day.isoformat()), exact_text(rate)


def _code(cell: str) -> str:
    try:
        code = normal_code(cell)
    except BadOption as error:
        raise BadCell(str(error)) from None
    currency, parts = whole_currency(code)
    if parts != 1:
        raise BadCell(f"{code} is a part of {currency}: give the rate of {currency}, which serves for {code} too")
    return code


def _reader(file: RowFile, options: ImportOptions) -> RateReader:
    at = match_columns(file.header, _ROLES)
    for role in _ROLES:
        if role not in at:
            raise missing_column(role, file.header)
    cells = cells_of(file.rows(), file.delimiter, len(file.header), ([at["date"]], [at["rate"]]), options)
    # Every row has its own currency, and its sign.
    return RateReader(cells=replace(cells, signs=SignWatch()), at=(at["date"], at["from"], at["to"], at["rate"]))


def _agree(rate: str | None, other: str | None) -> bool:
    """Whether a rate and one from the other side can be two sides of one market, or one rounded from the other."""
    there, back = held_price(rate, "a rate"), held_price(other, "a rate")
    return abs(there * back - 1) <= _SPREAD + _rounding(there) + _rounding(back)


def _rounding(rate: Decimal) -> Decimal:
    """How far a number may be from what it was rounded from, as a fraction of it."""
    exponent = rate.normalize().as_tuple().exponent
    return Decimal("0.5").scaleb(min(int(exponent), 0)) / rate


def _prepare(store: sqlite3.Connection, names: list[str], options: ImportOptions) -> None:
    """Rates need nothing beside them."""


FX = Table(
    name="fx",
    reader=_reader,
    find="SELECT rate FROM fx_rates WHERE base = ? AND quote = ? AND date = ?",
    write="INSERT OR REPLACE INTO fx_rates VALUES (?, ?, ?, ?, ?, ?)",
    prepare=_prepare,
    name_of=lambda key: f"{key[0]}/{key[1]}",
    day_of=lambda key: key[2],
    against=lambda key: (key[1], key[0], key[2]),
    agree=_agree,
)
