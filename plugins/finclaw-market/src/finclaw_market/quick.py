"""Plain files fast: blocks of rows with ISO dates and numbers of digits and a point, read and checked by column.

What such rows mean depends on no other row: comma between cells, point as decimal mark, no sign. A file with any other
row, or with rows in no order, is read row by row instead (`rows.py`), which reports what is bad.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import islice
from operator import le

from finclaw_cli.sdk.tabular import FileProblem, TextFile, latest_date, regular_stamp
from finclaw_market.bars import Bar, exact_text
from finclaw_market.columns import PRICES, VALUES, Columns
from finclaw_market.options import ImportOptions
from finclaw_market.rows import Notes, credible

Values = tuple[object, ...]
"""A row of the store's `bars`: symbol, date, the exact texts of `VALUES`, source and line."""

_BLOCK = 500
_FIRST_DAY = "1600-01-01"
_DATE = r"(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d)?)?"
_SYMBOL = r"[A-Z0-9.^=_-]{1,32}"
_DIGITS = frozenset("0123456789.")
_LONGEST = 18
# Smaller moves, shorter gaps and shorter runs of one price are never a finding.
_LEAST_MOVE = 1.3
_LEAST_GAP_DAYS = 7
_LEAST_RUN = 4


class NotPlain(Exception):
    """The file has to be read row by row."""


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
    symbols: set[str] = field(default_factory=set)
    count: int = 0
    _last: dict[str, tuple[int, float, int]] = field(default_factory=dict)
    _rising: set[str] = field(default_factory=set)
    _falling: set[str] = field(default_factory=set)
    _written: dict[str, str] = field(default_factory=dict)
    _ordinals: dict[str, int] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[int, int]:
        """The first line and, after all blocks, the last one."""
        return self.file.header_line + 1, self.file.header_line + self.count

    def blocks(self, source: int) -> Iterator[list[Values]]:
        """Blocks of rows, each with the source and its line.

        Raises:
            NotPlain: this or an earlier block has to be read row by row.
            FileProblem: the file changed since it was looked at.
        """
        try:
            with self.file.path.open(encoding=self.file.encoding, newline="") as stream:
                for _ in range(self.file.header_line):
                    stream.readline()
                reader = csv.reader(stream, strict=True, skipinitialspace=True)
                while rows := list(islice(reader, _BLOCK)):
                    if reader.line_num != self.count + len(rows):
                        raise NotPlain  # a line break within a cell
                    yield self._rows(rows, source)
        except (UnicodeError, ValueError, csv.Error):
            raise NotPlain from None
        if regular_stamp(self.file.path) != self.file.stamp:
            raise FileProblem("the file changed while it was read; import it again")

    def _rows(self, found: Sequence[Sequence[str]], source: int) -> list[Values]:
        by_place = list(zip(*found, strict=True))
        if len(by_place) != self.columns.width:
            raise NotPlain
        by_name = {name: by_place[place] for name, place in self.columns.at.items()}
        days = self._days(by_name["date"])
        symbols = by_name.get("symbol") or (self.symbol or "",) * len(found)
        if not all(map(re.compile(_SYMBOL).fullmatch, set(symbols) - self.symbols)):
            raise NotPlain
        texts = {name: _plain(by_name[name]) for name in VALUES if name in by_name}
        numbers = {name: list(map(float, texts[name])) for name in PRICES if name in texts and "" not in texts[name]}
        if "close" not in numbers:
            raise NotPlain
        self._follow(symbols, days, numbers["close"], texts)
        columns = [self._column(name, texts.get(name), len(found)) for name in VALUES]
        lines = range(self.lines[0] + self.count, self.lines[0] + self.count + len(found))
        rows: list[Values] = list(zip(symbols, days, *columns, (source,) * len(found), lines, strict=True))
        partly = any(name in texts and name not in numbers for name in PRICES)
        for at in range(len(rows)) if partly else _incredible(numbers):
            rows[at] = self._credible(rows[at])
        self.count += len(rows)
        return rows

    def _days(self, texts: Sequence[str]) -> Sequence[str]:
        latest, matches = latest_date().isoformat(), re.compile(_DATE, re.ASCII).fullmatch
        for text in set(texts) - self._written.keys():
            found = matches(text)
            if found is None or not _FIRST_DAY <= found[1] <= latest:
                raise NotPlain
            self._written[text] = found[1]
            self._ordinals[found[1]] = date.fromisoformat(found[1]).toordinal()
        return list(map(self._written.__getitem__, texts))

    def _follow(
        self, symbols: Sequence[str], days: Sequence[str], closes: Sequence[float], texts: dict[str, Sequence[str]]
    ) -> None:
        """See that the dates of each symbol rise, or fall, and which symbols deserve a look."""
        last, rising, falling, odd = self._last, self._rising, self._falling, self.odd
        for symbol, day, close in zip(symbols, map(self._ordinals.__getitem__, days), closes, strict=True):
            before = last.get(symbol)
            if before is None:
                self.symbols.add(symbol)
                last[symbol] = (day, close, 1)
                continue
            gap, run = day - before[0], before[2] + 1 if close == before[1] else 1
            (rising if gap > 0 else falling).add(symbol)
            is_usual = -_LEAST_GAP_DAYS < gap < _LEAST_GAP_DAYS and run < _LEAST_RUN
            if not (is_usual and close < before[1] * _LEAST_MOVE and before[1] < close * _LEAST_MOVE):
                odd.add(symbol)
            if gap == 0:
                raise NotPlain
            last[symbol] = (day, close, run)
        if rising & falling:
            raise NotPlain
        for name, usual in (("volume", {""}), ("dividend", {"", "0"}), ("split", {"", "0", "1"})):
            column = texts.get(name, ())
            seen = {"0"} & set(column) if name == "volume" else set(column) - usual
            if seen:
                odd.update(symbol for symbol, text in zip(symbols, column, strict=True) if text in seen)

    def _column(self, name: str, texts: Sequence[str] | None, count: int) -> Sequence[str | None]:
        """A column as the store has it: events that are not recorded are none, other values are not known."""
        if texts is None:
            return (None,) * count
        if name == "dividend":
            return [text or "0" for text in texts]
        if name == "split":
            return ["1" if text in {"", "0"} else text for text in texts]
        return [text or None for text in texts] if "" in texts else texts

    def _credible(self, row: Values) -> Values:
        texts = (None if text is None else Decimal(str(text)) for text in row[2:-2])
        opened, high, low, close, adj_close, volume, dividend, split = texts
        if not close:
            raise NotPlain  # it is a bad row, which is reported with its line
        bar = Bar(
            day=date.fromisoformat(str(row[1])),
            open=opened,
            high=high,
            low=low,
            close=close,
            adj_close=adj_close,
            volume=volume,
            dividend=dividend,
            split=split,
        )
        found, why = credible(bar)
        if why is None:
            return row
        self.notes.incredible.append((bar.day, why))
        return (*row[:2], *(exact_text(getattr(found, name)) for name in VALUES), *row[-2:])


def _plain(texts: Sequence[str]) -> Sequence[str]:
    """Numbers in their one exact text; empty where there is none.

    Raises:
        NotPlain: one is written in another way.
    """
    if not _DIGITS.issuperset("".join(texts)) or len(max(texts, key=len)) > _LONGEST:
        raise NotPlain
    # Most end in a digit that counts, and begin with one: these are their own exact text.
    return [text if text[:1] > "0" and text[-1] > "0" else _exact(text) for text in texts]


def _exact(text: str) -> str:
    if text[:1] > "0":
        return text.rstrip("0").rstrip(".") if "." in text else text
    return text and (exact_text(Decimal(text)) or "")


def _incredible(numbers: dict[str, list[float]]) -> list[int]:
    """The positions of rows whose prices may contradict each other, or are not above zero."""
    fine = [map((0.0).__lt__, column) for column in numbers.values()]
    for low, high in (("low", "open"), ("low", "close"), ("low", "high"), ("open", "high"), ("close", "high")):
        if low in numbers and high in numbers:
            fine.append(map(le, numbers[low], numbers[high]))
    return [at for at, good in enumerate(map(all, zip(*fine, strict=True))) if not good]


def plain_rows(file: object, columns: Columns, options: ImportOptions) -> PlainRows | None:
    """The rows of a file that may be plain; None where its header or the options show that it is not."""
    if not isinstance(file, TextFile) or file.delimiter != "," or columns.width != len(file.header):
        return None
    one_symbol = (options.symbol is None) == ("symbol" in columns.at)
    if not one_symbol or options.date_format or options.decimal == "," or options.sort:
        return None
    return PlainRows(file=file, columns=columns, symbol=options.symbol)
