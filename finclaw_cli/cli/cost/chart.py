"""Spending as bars: one for each day, week or month, including those without spending."""

from __future__ import annotations

from decimal import Decimal

from finclaw_cli.core.money import usd_figure
from finclaw_cli.listings.cost.report import Spending
from finclaw_cli.usage.periods import labels_between

MOST_BARS = 31
LEAST_CELLS = 4
BLOCKS = "▏▎▍▌▋▊▉█"
"""From an eighth of a cell to a whole one."""
ASCII = "#"


def chart(spending: Spending, room: int, glyphs: str = BLOCKS) -> list[str]:
    """The lines of a chart with its title; none where there is only one bar to draw, or no room for bars.

    Args:
        spending: the cost of each period.
        room: the most cells of a line.
        glyphs: parts of a cell, from the smallest to all of it.
    """
    costs = {row.key[0]: row.sums.cost_usd for row in spending.report.rows}
    if sum(bool(cost) for cost in costs.values()) <= 1:
        return []
    known = sorted(costs)
    labels = list(labels_between(spending.unit, known[0], known[-1]))
    shown = labels[-MOST_BARS:]
    figures = [_figure(costs.get(label, Decimal(0))) for label in shown]
    cells = room - max(map(len, shown)) - max(map(len, figures)) - 3
    if cells < LEAST_CELLS:
        return []
    most = max(costs.get(label) or Decimal(0) for label in shown)
    bars = [_bar(costs.get(label) or Decimal(0), most, cells, glyphs) for label in shown]
    return [
        _title(spending, len(shown), len(labels)),
        *(
            f"{label}  {bar} {figure}" if bar else f"{label}  {figure}"
            for label, bar, figure in zip(shown, bars, figures, strict=True)
        ),
    ]


def _title(spending: Spending, shown: int, there_are: int) -> str:
    only = f", the last {shown} of {there_are}" if shown < there_are else ""
    return f"USD by {spending.unit}{only}"


def _figure(cost: Decimal | None) -> str:
    return "unknown" if cost is None else usd_figure(cost)


def _bar(cost: Decimal, most: Decimal, cells: int, glyphs: str) -> str:
    """A bar whose length is its share, and at least the smallest part for any cost."""
    if not cost:
        return ""
    whole, part = divmod(max(round(cost / most * cells * len(glyphs)), 1), len(glyphs))
    return glyphs[-1] * whole + (glyphs[part - 1] if part else "")
