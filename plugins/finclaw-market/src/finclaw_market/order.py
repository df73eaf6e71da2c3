"""Watches the order of a file's dates: out of order is worth a warning, day and month exchanged is an error."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from finclaw_market.dates import swapped
from finclaw_market.problems import FileProblem

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

    def warnings(self) -> list[str]:
        """One line for each symbol whose rows are in no order.

        Raises:
            FileProblem: the dates jump back and forth in the way that only exchanged days and months explain.
        """
        found: list[str] = []
        for symbol, up in self._up.items():
            nearer = min(up, self._down[symbol], key=lambda direction: direction.breaks)
            if nearer.breaks >= _ENOUGH and nearer.mended == nearer.breaks:
                raise FileProblem(
                    f"wrong date order: the dates of {symbol} jump back and forth {nearer.breaks} times, "
                    "and are in order with day and month exchanged"
                )
            if nearer.breaks:
                found.append(f"{symbol}: rows are out of order ({nearer.breaks} times); imported by date")
        return found
