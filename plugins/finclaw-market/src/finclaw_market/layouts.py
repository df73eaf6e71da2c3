"""Files with a column for each symbol, or for each symbol and value, as rows of one symbol each.

pandas writes a table of several instruments with two or three lines of header: the values, the symbols, and the name
of the dates (`Price,Close,Close` / `Ticker,AAPL,MSFT` / `Date,,`), or the symbols first. yfinance gives such tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from finclaw_cli.sdk.tabular import FileProblem, Row, column_key
from finclaw_market.bars import normal_symbol
from finclaw_market.columns import FIELDS, VALUES
from finclaw_market.rowfile import RowFile

_DATE, _SYMBOL = "date", "symbol"
_DATES = frozenset({"", "date", "datetime"})
_LEVELS = frozenset({"", "price", "ticker", "tickers", "symbol", "symbols", "attributes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolColumns:
    """A file with columns for symbols, read as one with a row for each symbol and date."""

    file: RowFile
    header: tuple[str, ...]
    at: tuple[tuple[str, tuple[int | None, ...]], ...]
    """Each symbol with the positions of its values, in the order of the header."""
    skipped: int
    """How many further lines of header there are."""
    dates_at: int = 0

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def sha256(self) -> str:
        return self.file.sha256

    @property
    def delimiter(self) -> str:
        return self.file.delimiter

    def rows(self) -> Iterator[Row]:
        """A row for each symbol that has a value on a date.

        Raises:
            FileProblem: the file is damaged, or changed since it was looked at.
        """
        width = len(self.file.header)
        for line, cells in islice(self.file.rows(), self.skipped, None):
            if len(cells) != width:
                # Its own width would not be that of the rows that are made of it.
                raise FileProblem(f"line {line}: {len(cells)} cells where the header has {width}")
            for symbol, places in self.at:
                values = ["" if place is None else cells[place] for place in places]
                if any(map(str.strip, values)):
                    yield line, [cells[self.dates_at], symbol, *values]


def by_symbol(file: RowFile) -> RowFile:
    """The file, or its rows by symbol where its header has a line of symbols."""
    first = file.header[0].casefold() if file.header else ""
    if first not in _LEVELS or len(file.header) < 2:  # noqa: PLR2004 - dates and a value
        return file
    head = [cells for _, cells in islice(file.rows(), 2)]
    if not head or len(head[0]) != len(file.header) or head[0][0].strip().casefold() not in _LEVELS:
        return file
    upper, lower = file.header[1:], tuple(cell.strip() for cell in head[0][1:])
    if _are_values(upper) and _are_symbols(lower):
        values, symbols = upper, lower
    elif _are_symbols(upper) and _are_values(lower):
        values, symbols = lower, upper
    else:
        return file
    named = len(head) > 1 and head[1][0].strip().casefold() in _DATES and not any(map(str.strip, head[1][1:]))
    return _grouped(file, values, symbols, skipped=1 + named)


def by_column(file: RowFile) -> SymbolColumns:
    """The file with a column of closes for each symbol, as rows.

    Raises:
        FileProblem: no column of dates, or a name that is no symbol.
    """
    dates = next((at for at, cell in enumerate(file.header) if column_key(cell) in _keys("date") or not cell), None)
    if dates is None:
        raise FileProblem("no date column")
    symbols: list[tuple[str, tuple[int | None, ...]]] = []
    for at, cell in enumerate(file.header):
        symbol = normal_symbol(cell)
        if at != dates and symbol is None:
            raise FileProblem(f"the column {cell[:40]!r} is not named like a symbol")
        if at != dates and symbol is not None:
            symbols.append((symbol, (at,)))
    if len({symbol for symbol, _ in symbols}) < len(symbols):
        raise FileProblem("two columns have the same symbol")
    header = (_DATE, _SYMBOL, "close")
    return SymbolColumns(file=file, header=header, at=tuple(symbols), skipped=0, dates_at=dates)


def _are_values(cells: Sequence[str]) -> bool:
    return all(_value(cell) is not None for cell in cells)


def _value(cell: str) -> str | None:
    """What a column of a symbol holds; "" for what is known and not kept."""
    key = column_key(cell)
    if key in {"capitalgains", "repaired"}:
        return ""
    return next((name for name in VALUES if key in _keys(name)), None)


def _keys(name: str) -> set[str]:
    return {column_key(accepted) for accepted in FIELDS[name]}


def _are_symbols(cells: Sequence[str]) -> bool:
    return all(normal_symbol(cell) is not None for cell in cells)


def _grouped(file: RowFile, values: Sequence[str], symbols: Sequence[str], *, skipped: int) -> SymbolColumns:
    found: dict[str, dict[str, int]] = {}
    for at, (cell, symbol) in enumerate(zip(values, symbols, strict=True), 1):
        name, columns = _value(cell), found.setdefault(normal_symbol(symbol) or "", {})
        if name and name in columns:
            raise FileProblem(f"two columns of {symbol} are called '{cell}'")
        if name:
            columns[name] = at
    names = [name for name in VALUES if any(name in columns for columns in found.values())]
    return SymbolColumns(
        file=file,
        header=(_DATE, _SYMBOL, *names),
        at=tuple((symbol, tuple(columns.get(name) for name in names)) for symbol, columns in found.items()),
        skipped=skipped,
    )
