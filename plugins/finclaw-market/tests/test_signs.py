"""Currency signs in files: one for all of it, and none against what is said or stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from imports import Load, reasons

from finclaw_market.kinds import import_kind
from finclaw_market.options import ImportOptions, ImportReport
from finclaw_market.staging import Facts

MIXED = "Date,Close\n2024-01-02,$10\n2024-01-03,€11\n2024-01-04,£12\n2024-01-05,₩13\n"
DOLLARS = "Date,Close\n2024-01-02,$10\n2024-01-03,$11\n"
File = Callable[..., Path]


def test_signs_of_other_currencies_than_the_one_that_is_said_are_bad_rows(load: Load) -> None:
    report = load(MIXED, facts=Facts(currency="USD"))
    assert not report.imported
    assert reasons(report) == [
        (3, "close: '€11' is not in USD"),
        (4, "close: '£12' is not in USD"),
        (5, "close: '₩13' is not in USD"),
    ]


def test_signs_that_differ_within_a_file_are_bad_rows_though_no_currency_is_said(load: Load) -> None:
    report = load(MIXED)
    assert not report.imported
    assert reasons(report)[0] == (3, "close: '€11' has another currency sign than $ in line 2")
    assert len(report.rejected) == 3


@pytest.mark.parametrize(("currency", "good"), [("USD", True), ("CAD", True), ("EUR", False), ("JPY", False)])
def test_a_sign_stands_for_every_currency_that_is_written_with_it(load: Load, currency: str, good: bool) -> None:
    assert load(DOLLARS, facts=Facts(currency=currency)).imported is good


def test_pounds_are_not_taken_for_pence(load: Load) -> None:
    report = load("Date,Close\n2024-01-02,£10\n", facts=Facts(currency="GBp"))
    assert reasons(report) == [(2, "close: '£10' is not in GBp")]


def test_a_sign_without_a_currency_is_imported_with_a_warning(load: Load) -> None:
    report = load(DOLLARS)
    assert report.imported
    assert report.warnings == ["prices.csv: prices are written with $, and no currency is given; give --currency"]


def test_a_sign_against_the_stored_currency_is_refused(load: Load) -> None:
    load("Date,Close\n2024-01-02,10\n", facts=Facts(currency="EUR"))
    report = load("Date,Close\n2024-01-03,$11\n")
    assert report.problems == ["ACME is stored in EUR; prices.csv has $"]


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("fx", "date,from,to,rate\n2024-01-02,EUR,USD,€1.1\n", "'€1.1' is not in USD"),
        ("series", "date,WAGE\n2024-01-02,$10\n2024-01-03,€11\n", "'€11' has another currency sign than $ in line 2"),
    ],
)
def test_rates_and_series_are_read_with_the_same_care(
    home: Path, file: File, kind: str, text: str, reason: str
) -> None:
    report: ImportReport = import_kind(kind, [file(text)], home, ImportOptions())  # type: ignore[arg-type]
    assert [row.reason for row in report.rejected] == [reason]


def test_rates_may_each_have_the_sign_of_their_currency(home: Path, file: File) -> None:
    text = "date,from,to,rate\n2024-01-02,EUR,USD,$1.1\n2024-01-02,USD,EUR,€0.91\n"
    assert import_kind("fx", [file(text)], home, ImportOptions()).imported
