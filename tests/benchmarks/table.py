"""What was measured, as a table for people and as data for programs."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from tests.benchmarks.rows import Outcome

LIBRARIES = ("typer", "pydantic", "httpx2", "anthropic", "openai", "genai-prices", "pluggy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How outcomes are told: the head of the table, a line of it, and the same as data."""

    head: tuple[str, ...]
    line: Callable[[Outcome], tuple[str, ...]]
    data: Callable[[Outcome], dict[str, object]]


def line(outcome: Outcome) -> tuple[str, ...]:
    """One row as its cells."""
    row = outcome.row
    return (
        row.what,
        _figure(outcome, outcome.value),
        f"({min(outcome.values):.3g} – {max(outcome.values):.3g})",
        f"{'≥' if row.is_speed else '≤'} {row.bar:g} {row.shown}",
        "met" if outcome.is_met else "MISSED",
        _amount(outcome, outcome.ours),
        f"{_amount(outcome, outcome.yardstick)}  {row.yardstick}" if outcome.yardstick else "",
    )


def line_against(outcome: Outcome) -> tuple[str, ...]:
    """One row of two checkouts as its cells."""
    ratios = _ratios(outcome)
    return (
        outcome.row.what,
        f"{statistics.median(ratios):.3f} ×",
        f"({min(ratios):.3f} – {max(ratios):.3f})",
        _amount(outcome, outcome.ours),
        _amount(outcome, outcome.yardstick or ()),
    )


def data(outcome: Outcome) -> dict[str, object]:
    """The same for programs."""
    row, unit = outcome.row, "bytes" if outcome.row.is_bytes else "s"
    return {
        "name": row.name,
        "what": row.what,
        "unit": {"×": "ratio", "ms": "ms", "µs": "us"}[row.shown],
        "value": outcome.value,
        "least": min(outcome.values),
        "most": max(outcome.values),
        "bar": row.bar,
        "bar_is": "least" if row.is_speed else "most",
        "met": outcome.is_met,
        f"ours_{unit}": statistics.median(outcome.ours),
        f"yardstick_{unit}": statistics.median(outcome.yardstick) if outcome.yardstick else None,
        "yardstick": row.yardstick or None,
    }


def data_against(outcome: Outcome) -> dict[str, object]:
    """Two checkouts for programs."""
    ratios, unit = _ratios(outcome), "bytes" if outcome.row.is_bytes else "s"
    return {
        "name": outcome.row.name,
        "what": outcome.row.what,
        "ratio": statistics.median(ratios),
        "least": min(ratios),
        "most": max(ratios),
        f"this_{unit}": statistics.median(outcome.ours),
        f"other_{unit}": statistics.median(outcome.yardstick or ()),
    }


def surroundings(rounds: int) -> dict[str, object]:
    """With what it was measured; nothing that names the machine."""
    return {
        "rounds": rounds,
        "python": platform.python_version(),
        "finclaw": version("finclaw-cli"),
        "libraries": {name: version(name) for name in LIBRARIES},
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }


def aligned(lines: Sequence[tuple[str, ...]]) -> list[str]:
    """Columns under each other."""
    widths = [max(len(cells[place]) for cells in lines) for place in range(len(lines[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in lines]


def _ratios(outcome: Outcome) -> list[float]:
    return [ours / other for ours, other in zip(outcome.ours, outcome.yardstick or (), strict=True)]


def _figure(outcome: Outcome, value: float) -> str:
    return f"{value:.3g} {outcome.row.shown}"


def _amount(outcome: Outcome, values: Sequence[float]) -> str:
    median = statistics.median(values)
    if outcome.row.is_bytes:
        return f"{median / 1e6:.1f} MB"
    return f"{median * 1e3:.1f} ms" if median >= 1e-3 else f"{median * 1e6:.1f} µs"


WITH_BARS = Form(head=("", "figure", "(least – most)", "bar", "", "ours", "yardstick"), line=line, data=data)
OF_TWO = Form(head=("", "this / other", "(least – most)", "this", "other"), line=line_against, data=data_against)
