"""A price chart as text for a terminal: two by four dots in each character."""

from __future__ import annotations

from finclaw_market.scales import Curve

_WIDTH, _HEIGHT = 64, 10
_BLANK = 0x2800
# The dots of a character by column and row, as Unicode numbers them.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


def braille(curve: Curve) -> str:
    """The chart as lines of text, with the highest and lowest value and the first and last date."""
    low, high = min(curve.values), max(curve.values)
    grid = [[0] * _WIDTH for _ in range(_HEIGHT)]
    before: int | None = None
    for column in range(_WIDTH * 2):
        height = _level(_value_at(curve, column / (_WIDTH * 2 - 1)), low, high)
        lowest, highest = (height, height) if before is None else sorted((before, height))
        # A steep move is a line of dots, not two dots far apart.
        for dot in range(lowest + (lowest != highest and lowest == before), highest + 1):
            row = _HEIGHT * 4 - 1 - dot
            grid[row // 4][column // 2] |= _DOTS[column % 2][row % 4]
        before = height
    labels = {0: f"{high:,.6g}", _HEIGHT - 1: f"{low:,.6g}"}
    margin = max(map(len, labels.values()))
    lines = [
        f"{labels.get(number, ''):>{margin}} {''.join(chr(_BLANK + dots) for dots in row)}"
        for number, row in enumerate(grid)
    ]
    first, last = curve.days[0].isoformat(), curve.days[-1].isoformat()
    return "\n".join([f"{curve.title}, {curve.unit}", *lines, f"{'':>{margin}} {first}{last:>{_WIDTH - len(first)}}"])


def _value_at(curve: Curve, fraction: float) -> float:
    """The last value at that fraction of the time, as a price that stands until the next one."""
    first, last = curve.days[0].toordinal(), curve.days[-1].toordinal()
    wanted = first + round(fraction * (last - first))
    low, high = 0, len(curve.days) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if curve.days[middle].toordinal() <= wanted else (low, middle - 1)
    return curve.values[low]


def _level(value: float, low: float, high: float) -> int:
    top = _HEIGHT * 4 - 1
    return round((value - low) / (high - low) * top) if high > low else top // 2
