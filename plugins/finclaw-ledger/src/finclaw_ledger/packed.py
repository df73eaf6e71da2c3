"""The bookings of a file in hardly more memory than their text, in the order in which they happened."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import chain, pairwise, repeat
from operator import attrgetter, gt, itemgetter, lt
from typing import TypeVar

from finclaw_ledger.entries import KINDS, Entry
from finclaw_ledger.tally import Tally

T = TypeVar("T")
_ROWS = 2_500
_BETWEEN = "\0"  # which no text of a booking has: see `wording.cleaned`
_DAYS = 32
_KINDS = {str(kind): kind for kind in KINDS}
_day = attrgetter("day")
_fields = attrgetter(
    "reference", "day", "account", "currency", "payee", "memo", "kind", "amount", "balance", "symbol", "quantity",
    "price", "fee", "line", "category",
)  # fmt: skip
Row = tuple[str, str, str, str, str, str, str, str, str, str, str, str, str, int, str]
"""A booking: reference, day, account, currency, payee, memo, kind, amount, balance, symbol, quantity, price, fee, line,
category. What is absent is empty."""


@dataclass(frozen=True, slots=True)
class _Pack:
    """Some bookings by column: the joined texts of it, or the one that all of them have."""

    lines: array[int]
    columns: tuple[tuple[bool, str], ...]
    """Whether all bookings have the one text, and the text."""
    ends: tuple[str, str]
    """The day of the first and of the last of them."""
    in_order: tuple[bool, bool]
    """Whether the days are in order, and whether they are when read from the last to the first."""

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> _Pack:
        references, dates, *texts, amounts, balances, symbols, quantities, prices, fees, lines, categories = zip(
            *map(_fields, entries), strict=True
        )
        days = [day.isoformat() for day in dates]
        columns = (
            _given(references, str),
            days,
            *texts,
            *(_given(numbers, _written) for numbers in (amounts, balances)),
            _given(symbols, str),
            *(_given(numbers, _written) for numbers in (quantities, prices, fees)),
            _given(categories, str),
        )
        ordered = sorted(days)
        return cls(
            array("q", lines),
            tuple(map(_joined, columns)),
            (days[0], days[-1]),
            (days == ordered, days[::-1] == ordered),
        )

    def rows(self, *, reverse: bool) -> Iterator[Row]:
        cells = (repeat(text, len(self.lines)) if is_one else text.split(_BETWEEN) for is_one, text in self.columns)
        *rest, categories = cells
        rows: Iterator[Row] = zip(*rest, self.lines, categories, strict=True)
        return reversed(list(rows)) if reverse else rows


class Entries:
    """Bookings, which are added in the order of their file and read in that of their days."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._tally = Tally()
        self.is_turned_round = False
        """Whether bookings of one day are read in the reverse of the order in which they were added."""
        self._count = self._falling = 0
        self._last: date | None = None
        self._waiting: list[Entry] = []
        self._packs: dict[int, list[_Pack]] = {}
        self.extend(entries)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Entry]:
        return map(_entry, self.rows())

    @property
    def tally(self) -> Tally:
        """What they come to."""
        self._pack()
        return self._tally

    def append(self, entry: Entry) -> None:
        """Add a booking."""
        self.extend([entry])

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add some bookings."""
        before = len(self._waiting)
        self._waiting += entries
        self._count += len(self._waiting) - before
        if len(self._waiting) >= _ROWS:
            self._pack()

    def turn_round(self) -> None:
        """Take the bookings to be added from the newest to the oldest, if more days fall than rise."""
        self._pack()
        self.is_turned_round = self._falling > 0

    def rows(self) -> Iterator[Row]:
        """Each booking as texts, from the oldest to the newest."""
        self._pack()
        return chain.from_iterable(self._in_order(self._packs[weeks]) for weeks in sorted(self._packs))

    def _pack(self) -> None:
        """Pack those that wait; each pack is of a few weeks, so that only few bookings have to be sorted at once."""
        entries, self._waiting = self._waiting, []
        if not entries:
            return
        self._tally.add(entries)
        days = [self._last or entries[0].day, *map(_day, entries)]
        self._falling += sum(map(gt, days, days[1:])) - sum(map(lt, days, days[1:]))
        self._last = days[-1]
        parts: defaultdict[int, list[Entry]] = defaultdict(list)
        for entry in entries:
            parts[entry.day.toordinal() // _DAYS].append(entry)
        for weeks, part in parts.items():
            self._packs.setdefault(weeks, []).append(_Pack.of(part))

    def _in_order(self, packs: list[_Pack]) -> Iterator[Row]:
        reverse = self.is_turned_round
        ordered = packs[::-1] if reverse else packs
        ends = [pack.ends[::-1] if reverse else pack.ends for pack in ordered]
        rows = chain.from_iterable(pack.rows(reverse=reverse) for pack in ordered)
        if all(pack.in_order[reverse] for pack in packs) and all(one[1] <= two[0] for one, two in pairwise(ends)):
            return rows
        return iter(sorted(rows, key=itemgetter(1)))


def _joined(cells: Sequence[str]) -> tuple[bool, str]:
    is_one = cells.count(cells[0]) == len(cells)
    return is_one, cells[0] if is_one else _BETWEEN.join(cells)


def _given(values: Sequence[T | None], written: Callable[[T], str]) -> list[str]:
    """The text of each value, "" for None."""
    if values.count(None) == len(values):
        return [""] * len(values)
    return ["" if value is None else written(value) for value in values]


def _written(number: Decimal) -> str:
    """A number with its own decimals; zero has no sign."""
    text = str(number or abs(number))
    return f"{number or abs(number):f}" if "E" in text else text


def _entry(row: Row) -> Entry:
    reference, day, account, currency, payee, memo, kind, amount, balance, symbol, *numbers, line, category = row
    quantity, price, fee = (_number(str(text)) for text in numbers)
    return Entry(
        line=line, day=date.fromisoformat(day), amount=Decimal(amount), currency=currency, account=account,
        payee=payee, memo=memo, category=category or None, kind=_KINDS[kind], balance=_number(balance),
        symbol=symbol or None, quantity=quantity, price=price, fee=fee, reference=reference or None,
    )  # fmt: skip


def _number(text: str) -> Decimal | None:
    return Decimal(text) if text else None
