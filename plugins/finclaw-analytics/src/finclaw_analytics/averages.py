"""Moving averages and what is built of them; each list is as long as its input, None while it warms up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

Line = list[float | None]


def sma(values: Sequence[float], length: int) -> Line:
    """Mean of the last `length` values; the first at position length - 1."""
    windows = range(length, len(values) + 1)
    return [*[None] * min(length - 1, len(values)), *(fmean(values[end - length : end]) for end in windows)]


def ema(values: Sequence[float], length: int, start: int | None = None) -> Line:
    """Exponential average with weight 2 / (length + 1), seeded with the mean of `length` values as TA-Lib seeds it.

    Args:
        values: oldest first.
        length: of the seed.
        start: position of the seed, by default length - 1.
    """
    return _smoothed(values, length, 2 / (length + 1), length - 1 if start is None else start)


def wilder(values: Sequence[float], length: int) -> Line:
    """Wilder's average: weight 1 / length, seeded with the mean of the first `length` values (Wilder 1978)."""
    return _smoothed(values, length, 1 / length, length - 1)


def _smoothed(values: Sequence[float], length: int, weight: float, start: int) -> Line:
    if len(values) <= start:
        return [None] * len(values)
    level = fmean(values[start + 1 - length : start + 1])
    found: Line = [None] * start + [level]
    for value in values[start + 1 :]:
        level += weight * (value - level)
        found.append(level)
    return found


def rsi(values: Sequence[float], length: int) -> Line:
    """Relative strength index: 100 × gain / (gain + loss), both Wilder averages; None where nothing moved."""
    changes = [later - earlier for earlier, later in pairwise(values)]
    gains = wilder([max(change, 0.0) for change in changes], length)
    losses = wilder([max(-change, 0.0) for change in changes], length)
    return [None, *(_strength(gain, loss) for gain, loss in zip(gains, losses, strict=True))]


def _strength(gain: float | None, loss: float | None) -> float | None:
    if gain is None or loss is None or gain + loss == 0:
        return None
    return 100 * gain / (gain + loss)


def macd(values: Sequence[float], fast: int, slow: int, signal: int) -> tuple[Line, Line, Line]:
    """Fast less slow average, its signal average, and the difference; both averages are seeded on the same bar."""
    pairs = zip(ema(values, fast, slow - 1), ema(values, slow), strict=True)
    line: Line = [None if short is None or long is None else short - long for short, long in pairs]
    known = [value for value in line if value is not None]
    signals: Line = [*[None] * (len(line) - len(known)), *ema(known, signal)]
    parts = zip(line, signals, strict=True)
    return line, signals, [None if one is None or other is None else one - other for one, other in parts]


def bollinger(values: Sequence[float], length: int, width: float) -> tuple[Line, Line, Line]:
    """Lower band, simple average, upper band: `width` population standard deviations (ddof = 0) away (Bollinger)."""
    middle = sma(values, length)
    spread: Line = [
        None if mean is None else width * _population(values[position + 1 - length : position + 1], mean)
        for position, mean in enumerate(middle)
    ]
    pairs = list(zip(middle, spread, strict=True))
    lower = [None if mean is None or away is None else mean - away for mean, away in pairs]
    return lower, middle, [None if mean is None or away is None else mean + away for mean, away in pairs]


def _population(values: Sequence[float], mean: float) -> float:
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def atr(highs: Sequence[float], lows: Sequence[float], closes: Sequence[float], length: int) -> Line:
    """Average true range: Wilder's average of max(high, last close) - min(low, last close), from the second bar."""
    bars = zip(highs[1:], lows[1:], closes, strict=False)
    ranges = [max(high, before) - min(low, before) for high, low, before in bars]
    return [None, *wilder(ranges, length)]
