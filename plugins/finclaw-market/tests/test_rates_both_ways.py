"""Exchange rates of one pair from both sides: they must not contradict each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from finclaw_market.kinds import import_kind
from finclaw_market.options import ImportOptions, ImportReport

HEADER = "date,from,to,rate\n"
Import = Callable[..., ImportReport]


@pytest.fixture
def rates(home: Path, file: Callable[..., Path]) -> Import:
    def run(*texts: str, **options: bool) -> ImportReport:
        paths = [file(HEADER + text, f"{number}.csv") for number, text in enumerate(texts)]
        return import_kind("fx", paths, home, ImportOptions(**options))  # type: ignore[arg-type]

    return run


def test_rates_of_a_day_that_contradict_each_other_are_refused(rates: Import) -> None:
    report = rates("2024-01-02,USD,IRR,42000\n2024-01-02,IRR,USD,0.5\n")
    assert not report.imported
    assert [(row.line, row.reason) for row in report.rejected] == [(3, "contradicts line 2: USD/IRR at 42000")]


def test_it_is_seen_across_files_too(rates: Import) -> None:
    report = rates("2024-01-02,USD,IRR,42000\n", "2024-01-02,IRR,USD,0.5\n")
    assert [row.reason for row in report.rejected] == ["contradicts 0.csv, line 2: USD/IRR at 42000"]


@pytest.mark.parametrize("back", ["0.0000238", "0.00002", "0.0000245"])
def test_two_sides_of_a_market_and_rounded_rates_are_no_contradiction(rates: Import, back: str) -> None:
    assert rates(f"2024-01-02,USD,IRR,42000\n2024-01-02,IRR,USD,{back}\n").imported


def test_rates_of_different_days_are_not_compared(rates: Import) -> None:
    assert rates("2024-01-02,USD,IRR,42000\n2024-01-03,IRR,USD,0.5\n").imported


def test_a_contradiction_with_a_stored_rate_is_told(rates: Import) -> None:
    rates("2024-01-02,USD,IRR,42000\n")
    report = rates("2024-01-02,IRR,USD,0.5\n")
    assert report.warnings == ["IRR/USD 2024-01-02: 0.5 contradicts the stored USD/IRR at 42000"]
