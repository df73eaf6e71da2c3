"""Plain files fast: blocks of rows with ISO dates and numbers of digits and a point, read and checked by column.

What such rows mean depends on no other row: comma between cells, point as decimal mark, no sign. A file with any other
row, or with rows in no order, is read row by row instead (`rows.py`), which reports what is bad.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import chain, compress, count, islice, pairwise
from operator import gt, itemgetter, ne, sub, truediv

from finclaw_cli.sdk.tabular import FileProblem, TextFile, latest_date, plain_columns, regular_stamp
from finclaw_market.bars import exact_text
from finclaw_market.columns import PRICES, Columns
from finclaw_market.options import ImportOptions
from finclaw_market.rows import Notes, bar_of_numbers, credible
from finclaw_market.staging import SymbolCount

Column = Sequence[object]
"""The values of some rows: their symbols, dates or lines, or the exact texts of a value that the file has."""

# So few that the cells of a block stay in the processor's cache.
_BLOCK = 200
_FIRST_DAY = "1600-01-01"
_DATE = r"(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d)?)?"
_SYMBOL = r"[A-Z0-9.^=_-]{1,32}"
_LONGEST = 18
_ORDERED = (("low", "open"), ("low", "close"), ("open", "high"), ("close", "high"))
"""Prices of which the first is never above the second."""
# Smaller moves, shorter gaps and shorter runs of one price are never a finding.
_LEAST_MOVE = 1.3
_LEAST_GAP_DAYS = 7
_LEAST_RUN = 4


class NotPlain(Exception):
    """The file has to be read row by row."""


@dataclass(slots=True)
class _Series:
    """The rows of a symbol up to one of them, whose dates are ordinals."""

    last: int
    close: float
    equal: int = 1
    """How many closes in a row are equal to the last one."""
    count: int = 1
    first: int = 0
    rises: bool | None = None
    """Whether its dates rise; None for a single one."""

    def __post_init__(self) -> None:
        self.first = self.last

    def extend(self, days: list[int], closes: list[float]) -> bool:
        """Add rows, of which one may be the last of a move, a gap or a run that deserves a look.

        Raises:
            NotPlain: their dates neither all rise nor all fall.
        """
        gaps = list(map(sub, days, [self.last, *days]))
        moves = list(map(truediv, closes, [self.close, *closes]))
        least, most = min(gaps), max(gaps)
        if least * most <= 0 or self.rises not in {None, most > 0}:
            raise NotPlain
        longest = self.equal = self.equal if 1 in moves else 1
        for move in moves if 1 in moves else ():
            self.equal = self.equal + 1 if move == 1 else 1
            longest = max(longest, self.equal)
        self.rises, self.last, self.close, self.count = most > 0, days[-1], closes[-1], self.count + len(days)
        is_daily = least > -_LEAST_GAP_DAYS and most < _LEAST_GAP_DAYS
        is_steady = min(moves) > 1 / _LEAST_MOVE and max(moves) < _LEAST_MOVE
        return not (is_daily and is_steady and longest < _LEAST_RUN)

    def counted(self, symbol: str) -> SymbolCount:
        """What an import of these rows means, where none is stored."""
        first, last = (date.fromordinal(day).isoformat() for day in sorted((self.first, self.last)))
        return SymbolCount(
            symbol=symbol, rows=self.count, new=self.count, changed=0, unchanged=0, first=first, last=last
        )


class _Ordinals(dict[str, int]):
    """The ordinals of dates, by the cells that have them: many rows are of one day."""

    def __init__(self) -> None:
        self._latest = latest_date().isoformat()

    def __missing__(self, cell: str) -> int:
        found = re.compile(_DATE, re.ASCII).fullmatch(cell)
        if found is None or not _FIRST_DAY <= found[1] <= self._latest:
            raise NotPlain
        self[cell] = ordinal = date.fromisoformat(found[1]).toordinal()
        return ordinal


@dataclass(slots=True, kw_only=True)
class PlainRows:
    """The rows of a plain file, block by block, and what is found out on the way."""

    file: TextFile
    columns: Columns
    symbol: str | None
    """Of all rows, where no column has it."""
    notes: Notes = field(default_factory=Notes)
    odd: set[str] = field(default_factory=set)
    """The symbols whose prices deserve a look for errors."""
    count: int = 0
    _series: dict[str, _Series] = field(default_factory=dict)
    _ordinals: _Ordinals = field(default_factory=_Ordinals)

    @property
    def values(self) -> tuple[str, ...]:
        """The names of the values that the file has, in their order in a row."""
        return tuple(name for name, _ in self.columns.numeric())

    def counts(self) -> list[SymbolCount]:
        """What the blocks so far have of each symbol."""
        return [series.counted(symbol) for symbol, series in sorted(self._series.items())]

    @property
    def lines(self) -> tuple[int, int]:
        """The first line and, after all blocks, the last one."""
        return self.file.header_line + 1, self.file.header_line + self.count

    def blocks(self, stored: AbstractSet[str]) -> Iterator[list[Column]]:
        """Blocks of rows, by column: symbols, dates, lines, and the values.

        Raises:
            NotPlain: a block has to be read row by row, or has one of the stored symbols.
            FileProblem: the file changed since it was looked at.
        """
        try:
            with self.file.path.open(encoding=self.file.encoding, newline="") as stream:
                for _ in range(self.file.header_line):
                    stream.readline()
                while lines := list(islice(stream, _BLOCK)):
                    yield self._columns(_cells(lines, self.columns.width), stored)
                    self.count += len(lines)
        except (UnicodeError, ValueError, csv.Error):
            raise NotPlain from None
        if regular_stamp(self.file.path) != self.file.stamp:
            raise FileProblem("the file changed while it was read; import it again")

    def _columns(self, cells: Sequence[Sequence[str]], stored: AbstractSet[str]) -> list[Column]:
        dates = cells[self.columns.at["date"]]
        symbols = cells[self.columns.at["symbol"]] if self.symbol is None else (self.symbol,) * len(dates)
        new = set(symbols).difference(self._series)
        if new & stored or not all(map(re.compile(_SYMBOL).fullmatch, new)):
            raise NotPlain
        ordinals = list(map(self._ordinals.__getitem__, dates))
        texts = {name: _exact_column(cells[place]) for name, place in self.columns.numeric()}
        prices = {name: cells[self.columns.at[name]] for name in PRICES if name in texts and all(texts[name])}
        if "close" not in prices or (min(closes := list(map(float, texts["close"]))) <= 0):
            raise NotPlain
        self._follow(symbols, ordinals, closes)
        self._look_at_events(symbols, texts)
        values = {name: _as_stored(name, column) for name, column in texts.items()}
        partly = any(name in texts and name not in prices for name in PRICES)
        for at in range(len(dates)) if partly else _incredible(prices):
            self._make_credible(values, at, dates[at])
        first = self.lines[0] + self.count
        return [symbols, [text[:10] for text in dates], range(first, first + len(dates)), *values.values()]

    def _follow(self, symbols: Sequence[str], ordinals: list[int], closes: list[float]) -> None:
        """See that the dates of each symbol rise, or fall, and which symbols deserve a look."""
        changes = compress(count(1), map(ne, symbols, symbols[1:]))
        for start, end in pairwise([0, *changes, len(symbols)]):
            symbol, days_of, closes_of = symbols[start], ordinals[start:end], closes[start:end]
            if symbol not in self._series:
                self._series[symbol] = _Series(days_of.pop(0), closes_of.pop(0))
            if days_of and self._series[symbol].extend(days_of, closes_of):
                self.odd.add(symbol)

    def _look_at_events(self, symbols: Sequence[str], texts: dict[str, Sequence[str]]) -> None:
        """See which symbols have volumes of zero, dividends or splits: they deserve a look."""
        for name, usual in (("volume", {""}), ("dividend", {"", "0"}), ("split", {"", "0", "1"})):
            column = texts.get(name, ())
            seen = {"0"} & set(column) if name == "volume" else set(column) - usual
            if seen:
                self.odd.update(symbol for symbol, text in zip(symbols, column, strict=True) if text in seen)

    def _make_credible(self, values: Mapping[str, list[str | None]], at: int, day: str) -> None:
        """Leave out what cannot be true of a row."""
        numbers = {name: Decimal(text) for name, column in values.items() if (text := column[at]) is not None}
        bar = bar_of_numbers(date.fromisoformat(day[:10]), numbers)
        found, why = credible(bar)
        if why is None:
            return
        self.notes.incredible.append((bar.day, why))
        for name, column in values.items():
            column[at] = exact_text(getattr(found, name))


def _cells(lines: Sequence[str], width: int) -> Sequence[Sequence[str]]:
    """The cells of lines, by column.

    Raises:
        NotPlain, ValueError, csv.Error: they are not rows of so many cells.
    """
    columns: Sequence[Sequence[str]] | None = plain_columns(lines, ",")
    if columns is None:
        rows = list(csv.reader(lines, strict=True, skipinitialspace=True))
        if len(rows) != len(lines):
            raise NotPlain  # a line break within a cell
        columns = list(zip(*rows, strict=True))
    if len(columns) != width:
        raise NotPlain
    return columns


def _exact_column(texts: Sequence[str]) -> Sequence[str]:
    """Numbers in their one exact text; empty where there is none.

    Raises:
        NotPlain: one is written in another way.
    """
    marked = f",{','.join(texts)},"
    points = marked.encode("ascii").translate(None, b"0123456789")
    have_points, have_none = points == b",." * len(texts) + b",", points == b"," * (len(texts) + 1)
    if not (have_points or have_none or {b"", b"."}.issuperset(points.split(b","))) or ",.," in marked:
        raise NotPlain
    if points.count(b",") > len(texts) + 1 or max(map(len, texts)) > _LONGEST:
        raise NotPlain
    is_short = ",," not in marked and ",." not in marked and marked.count(",0") == marked.count(",0.")
    if not is_short or not (have_points or have_none):
        exact = {text: _exact(text) for text in set(texts)}
        return list(map(exact.__getitem__, texts))
    if have_none:
        return texts
    while "0," in marked:
        marked = marked.replace("0,", ",")
    return marked.replace(".,", ",")[1:-1].split(",")


def _exact(text: str) -> str:
    return text and (exact_text(Decimal(text)) or "")


def _as_stored(name: str, texts: Sequence[str]) -> list[str | None]:
    """A column as the store has it: events that are not recorded are none, other values are not known."""
    if name == "split":
        return ["1" if text in {"", "0"} else text for text in texts]
    return list(texts) if all(texts) else [text or ("0" if name == "dividend" else None) for text in texts]


def _incredible(prices: Mapping[str, Sequence[str]]) -> list[int]:
    """The positions of rows whose prices may contradict each other, or are not above zero."""
    pairs = [pair for pair in _ORDERED if prices.keys() >= set(pair)]
    if _have_one_place(prices):
        wrong = any(any(map(gt, prices[low], prices[high])) for low, high in pairs)
        if not wrong and all(float(min(column)) > 0 for column in prices.values()):
            return []
    numbers = {name: list(map(float, column)) for name, column in prices.items()}
    found = set(chain.from_iterable(compress(count(), map((0.0).__ge__, column)) for column in numbers.values()))
    found.update(*(compress(count(), map(gt, numbers[low], numbers[high])) for low, high in pairs))
    return sorted(found)


def _have_one_place(prices: Mapping[str, Sequence[str]]) -> bool:
    """Whether all prices have their point at one place: their texts then compare as their numbers do."""
    point = itemgetter(prices["close"][0].find("."))
    try:
        return {"."} == set(chain.from_iterable(map(point, column) for column in prices.values()))
    except IndexError:
        return False


def plain_rows(file: object, columns: Columns, options: ImportOptions) -> PlainRows | None:
    """The rows of a file that may be plain; None where its header or the options show that it is not."""
    if not isinstance(file, TextFile) or file.delimiter != "," or columns.width != len(file.header):
        return None
    one_symbol = (options.symbol is None) == ("symbol" in columns.at)
    if not one_symbol or options.date_format or options.decimal == "," or options.sort:
        return None
    return PlainRows(file=file, columns=columns, symbol=options.symbol)
