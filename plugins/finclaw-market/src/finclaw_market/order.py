"""The order of a file's dates: a row that breaks it is bad, day and month exchanged throughout is an error."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from finclaw_cli.sdk.tabular import FileProblem, swapped

# Sessions next to each other in a file are rarely further apart than this.
_NEIGHBOURS_DAYS = 10
# One date out of place proves nothing.
_ENOUGH = 2


@dataclass(slots=True)
class _Direction:
    """The breaks of one direction, and how many of them exchanging day and month would mend."""

    sign: int
    breaks: int = 0
    mended: int = 0

    def step(self, before: date, day: date) -> None:
        if (day - before).days * self.sign >= 0:
            return
        self.breaks += 1
        pairs = ((before, swapped(day)), (swapped(before), day))
        gaps = [(second - first).days * self.sign for first, second in pairs if first and second]
        self.mended += any(0 < gap <= _NEIGHBOURS_DAYS for gap in gaps)


class OrderWatch:
    """Follows the dates of each symbol of one file."""

    def __init__(self) -> None:
        self._last: dict[str, date] = {}
        self._up: dict[str, _Direction] = {}
        self._down: dict[str, _Direction] = {}

    def step(self, symbol: str, day: date) -> None:
        """The next row of that symbol has this date."""
        before = self._last.get(symbol)
        self._last[symbol] = day
        if before is None:
            self._up[symbol], self._down[symbol] = _Direction(1), _Direction(-1)
            return
        self._up[symbol].step(before, day)
        self._down[symbol].step(before, day)

    def broken(self) -> dict[str, int]:
        """The symbols whose rows are in no order, and how often the nearer order is broken.

        Raises:
            FileProblem: the dates jump back and forth in the way that only exchanged days and months explain.
        """
        found: dict[str, int] = {}
        for symbol, up in self._up.items():
            nearer = min(up, self._down[symbol], key=lambda direction: direction.breaks)
            if nearer.breaks >= _ENOUGH and nearer.mended == nearer.breaks:
                raise FileProblem(
                    f"wrong date order: the dates of {symbol} jump back and forth {nearer.breaks} times, "
                    "and are in order with day and month exchanged"
                )
            if nearer.breaks:
                found[symbol] = nearer.breaks
        return found


def out_of_order(days: Sequence[date]) -> Iterator[tuple[int, str]]:
    """The fewest rows without which the rest is in the file's order, by position, each with the reason.

    Whether that order rises or falls is what most rows say, and else the first and the last. `days` has none twice.
    """
    sign = _sign_of(days)
    kept = _longest_rise([day.toordinal() * sign for day in days])
    words = "out of order" if sign > 0 else "out of order (newest first)"
    following = iter([*kept, len(days)])
    before, after = -1, next(following)
    for index, day in enumerate(days):
        if index == after:
            before, after = after, next(following, len(days))
        elif before >= 0 and (day - days[before]).days * sign < 0:
            yield index, f"{words}: {day} after {days[before]}"
        else:
            yield index, f"{words}: {day} before {days[after]}"


def _sign_of(days: Sequence[date]) -> int:
    balance = sum(1 if second > first else -1 for first, second in pairwise(days))
    if balance == 0 and days:
        balance = (days[-1] - days[0]).days
    return 1 if balance >= 0 else -1


def _longest_rise(keys: Sequence[int]) -> list[int]:
    """The positions of the longest rising part; looked for from the end, so that of two rows the earlier one stays."""
    ends: list[int] = []
    ends_at: list[int] = []
    following: dict[int, int | None] = {}
    for index in range(len(keys) - 1, -1, -1):
        length = bisect_left(ends, -keys[index])
        following[index] = ends_at[length - 1] if length else None
        ends[length : length + 1], ends_at[length : length + 1] = [-keys[index]], [index]
    found: list[int] = []
    position = ends_at[-1] if ends_at else None
    while position is not None:
        found.append(position)
        position = following[position]
    return found
