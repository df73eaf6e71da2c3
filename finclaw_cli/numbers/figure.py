"""A number as it stands in a text: its value, how precisely it is shown, and what it is a number of."""

from __future__ import annotations

import math
from decimal import Decimal
from enum import StrEnum

from finclaw_cli.core.record import record

# From half a size to twice it, in sizes.
_WIDTH = Decimal("1.5")


class Kind(StrEnum):
    """What a figure counts, as far as the text says it."""

    PLAIN = "plain"
    MONEY = "money"
    SHARES = "shares"
    PERCENT = "percent"
    """A fraction shown in hundredths: percent, percentage points, basis points."""
    TIMES = "times"
    DURATION = "duration"


class Bound(StrEnum):
    """How the words around a figure loosen it."""

    EXACT = "exact"
    ABOUT = "about"
    OVER = "over"
    UNDER = "under"


@record(kw_only=True)
class Figure:
    """One number of a text.

    `value` is in base units: `1.2 billion` is 1,200,000,000, and `36 %` is 0.36. `half` is half a unit of the last
    digit shown, in the same units: what was rounded to this figure lies within it.
    """

    text: str
    start: int
    end: int
    value: Decimal
    half: Decimal
    kind: Kind = Kind.PLAIN
    currencies: frozenset[str] = frozenset()
    """The currencies the sign may stand for; empty where there is none."""
    signed: bool = False
    """Whether the text itself says that it is negative."""
    direction: int = 0
    """1 where the words beside it say that it is a rise or gain, -1 for a fall or loss, else 0."""
    bound: Bound = Bound.EXACT
    rounding: Decimal = Decimal(0)
    """Half a unit of the last digit, where words have made `half` wider: "over 3.47 million" is said of 3.468 too."""
    scale: Decimal = Decimal(1)
    """By how much the words and signs beside the digits multiply them."""
    table_scale: Decimal | None = None
    """By how much a heading says that numbers of its table are to be multiplied."""
    in_percent_table: bool = False
    """Whether a heading beside it says that numbers here are in percent."""

    @property
    def sizes(self) -> tuple[Decimal, Decimal]:
        """The least and the most that may be shown as this figure, without their signs."""
        low, high = sorted((abs(self.low), abs(self.high)))
        return (Decimal(0) if self.low < 0 < self.high else low), high

    def by_chance(self, near: int) -> float:
        """How many of `near` numbers from half its size to twice that are expected to be shown as it by chance."""
        size = abs(self.value)
        return near * float(2 * self.half / (size * _WIDTH)) if size else math.inf

    @property
    def low(self) -> Decimal:
        """The least that may be shown as this figure."""
        return self.value - (self.rounding if self.bound is Bound.OVER else self.half)

    @property
    def high(self) -> Decimal:
        """The most that may be shown as this figure."""
        return self.value + (self.rounding if self.bound is Bound.UNDER else self.half)
