"""Several lines as text, one above the other on one scale: two by four dots in each character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

_WIDTH, _HEIGHT = 32, 2
_BLANK = 0x2800
_LEVELS = _HEIGHT * 4
# The dots of a character by column and row from below, as Unicode numbers them.
_DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))


def sparks(lines: Mapping[str, Sequence[float]], days: Sequence[date]) -> str:
    """A small chart of each line with its name and last value; below them the lowest and highest value and the dates.

    Args:
        lines: values by name, one for each day.
        days: at least two, oldest first.
    """
    low, high = (edge(edge(line) for line in lines.values()) for edge in (min, max))
    margin = max(len(name) for name in lines)
    places = _places(days)
    drawn = []
    for name, line in lines.items():
        upper, lower = _drawn([_level(line[at], low, high) for at in places])
        drawn += [f"{name:<{margin}} {upper}", f"{'':<{margin}} {lower} {line[-1]:,.1f}"]
    return "\n".join([*drawn, f"{days[0]} to {days[-1]}, {low:,.1f} to {high:,.1f}"])


def _places(days: Sequence[date]) -> list[int]:
    """Of each column of dots the place of the last day at or before its time."""
    first, span = days[0].toordinal(), (days[-1] - days[0]).days
    places, at = [], 0
    for column in range(_WIDTH * 2):
        moment = first + round(span * column / (_WIDTH * 2 - 1))
        while at + 1 < len(days) and days[at + 1].toordinal() <= moment:
            at += 1
        places.append(at)
    return places


def _level(value: float, low: float, high: float) -> int:
    return round((value - low) / (high - low) * (_LEVELS - 1)) if high > low else _LEVELS // 2


def _drawn(levels: Sequence[int]) -> list[str]:
    """The rows of characters from above to below; a steep move is a line of dots."""
    grid = [[_BLANK] * _WIDTH for _ in range(_HEIGHT)]
    before = levels[0]
    for column, level in enumerate(levels):
        for dot in range(min(level, before), max(level, before) + 1):
            if dot != before or level == before:
                grid[_HEIGHT - 1 - dot // 4][column // 2] |= _DOTS[column % 2][dot % 4]
        before = level
    return ["".join(map(chr, row)) for row in grid]
