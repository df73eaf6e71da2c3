"""What a row of the table is: a bar, a yardstick, and how both are measured in the same run."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from tests.benchmarks.checkout import Checkout
from tests.benchmarks.measure import Measured, in_turn

Shown = Literal["×", "ms", "µs"]
A_SECOND: dict[Shown, float] = {"×": 1, "ms": 1e3, "µs": 1e6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Ours and what it is held against; nothing where the bar is an amount and no ratio."""

    ours: Measured
    yardstick: Measured | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table. `pair` is entered for as long as is measured: its servers and files live that long."""

    name: str
    what: str
    yardstick: str
    bar: float
    pair: Callable[[Checkout], AbstractContextManager[Pair]]
    shown: Shown = "×"
    is_speed: bool = False
    """Whether more is better: how fast ours is by the yardstick, and the bar is the least."""
    is_bytes: bool = False
    compares: bool = True
    """Whether two checkouts can be measured in turn: not what runs inside the benchmark's own process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was measured for a row, round by round."""

    row: Row
    ours: tuple[float, ...]
    yardstick: tuple[float, ...] | None

    @property
    def values(self) -> list[float]:
        """The figure of each round, as it is held against the bar."""
        if self.yardstick is None:
            return [value * A_SECOND[self.row.shown] for value in self.ours]
        pairs = zip(self.ours, self.yardstick, strict=True)
        return [base / value if self.row.is_speed else value / base for value, base in pairs]

    @property
    def value(self) -> float:
        return statistics.median(self.values)

    @property
    def is_met(self) -> bool:
        return self.value >= self.row.bar if self.row.is_speed else self.value <= self.row.bar


def measure(row: Row, checkout: Checkout, rounds: int) -> Outcome:
    """Ours and the yardstick, in turn."""
    with row.pair(checkout) as pair:
        if pair.yardstick is None:
            return Outcome(row=row, ours=tuple(in_turn({"ours": pair.ours}, rounds)["ours"]), yardstick=None)
        seen = in_turn({"ours": pair.ours, "yardstick": pair.yardstick}, rounds)
        return Outcome(row=row, ours=tuple(seen["ours"]), yardstick=tuple(seen["yardstick"]))


def against(row: Row, this: Checkout, other: Checkout, rounds: int) -> Outcome:
    """One checkout and another, in turn; the other one stands as the yardstick."""
    with row.pair(this) as ours, row.pair(other) as theirs:
        seen = in_turn({"this": ours.ours, "other": theirs.ours}, rounds)
    return Outcome(row=row, ours=tuple(seen["this"]), yardstick=tuple(seen["other"]))
