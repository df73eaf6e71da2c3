"""A number in a text: its value, its precision, and its unit."""

from __future__ import annotations

import math
from decimal import Decimal
from enum import StrEnum

from finclaw_cli.core.record import record

# The width of the range from half a size to twice it, in sizes.
_WIDTH = Decimal("1.5")


class Kind(StrEnum):
    """The kind of a figure, from its unit in the text."""

    PLAIN = "plain"
    MONEY = "money"
    SHARES = "shares"
    PERCENT = "percent"
    """A fraction shown in hundredths: percent, percentage points, basis points."""
    TIMES = "times"
    DURATION = "duration"


class Bound(StrEnum):
    """The bound that the words around a figure express."""

    EXACT = "exact"
    ABOUT = "about"
    OVER = "over"
    UNDER = "under"


@record(kw_only=True)
class Figure:
    """One number of a text.

    `value` is in base units: `1.2 billion` is 1,200,000,000, and `36 %` is 0.36. `half` is half a unit of the last
    digit shown, in the same units: the range of values that are rounded to this figure.
    """

    text: str
    start: int
    end: int
    value: Decimal
    half: Decimal
    kind: Kind = Kind.PLAIN
    currencies: frozenset[str] = frozenset()
    """The possible currencies of its sign; empty where there is none."""
    signed: bool = False
    """Whether the text marks it as negative."""
    direction: int = 0
    """1 where the words next to it express a rise or gain, -1 for a fall or loss, else 0."""
    bound: Bound = Bound.EXACT
    rounding: Decimal = Decimal(0)
    """Half a unit of the last digit, where words widen `half`: "over 3.47 million" is used for 3.468 too."""
    scale: Decimal = Decimal(1)
    """The factor of the words and signs next to the digits."""
    table_scale: Decimal | None = None
    """The factor of numbers in its table, from a heading."""
    in_percent_table: bool = False
    """Whether a heading marks the numbers here as percent."""

    @property
    def sizes(self) -> tuple[Decimal, Decimal]:
        """The least and the greatest value that may be shown as this figure, without signs."""
        low, high = sorted((abs(self.low), abs(self.high)))
        return (Decimal(0) if self.low < 0 < self.high else low), high

    def by_chance(self, near: int) -> float:
        """The expected count of `near` numbers, from half its size to twice it, that equal it by chance."""
        size, half = abs(self.value), self.rounding or self.half
        return near * float(2 * half / (size * _WIDTH)) if size else math.inf

    @property
    def low(self) -> Decimal:
        """The least value that may be shown as this figure."""
        return self.value - (self.rounding if self.bound is Bound.OVER else self.half)

    @property
    def high(self) -> Decimal:
        """The greatest value that may be shown as this figure."""
        return self.value + (self.rounding if self.bound is Bound.UNDER else self.half)
