"""Files that quote all their cells, their header too."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from imports import Load, closes

from finclaw_market.kinds import import_kind
from finclaw_market.options import ImportOptions


def quoted(delimiter: str, *rows: tuple[str, ...]) -> str:
    return "".join(delimiter.join(f'"{cell}"' for cell in row) + "\n" for row in rows)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("written", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_quoted_header_hides_no_delimiter(load: Load, home: Path, delimiter: str, written: str) -> None:
    text = quoted(delimiter, ("date", "close", "volume"), ("2024-01-02", "10.5", "1"))
    report = load(text, written=written)
    assert (report.problems, report.imported) == ([], True)
    assert closes(home) == {date(2024, 1, 2): Decimal("10.5")}


def test_delimiters_within_quoted_headers_do_not_count(load: Load, home: Path) -> None:
    text = quoted(";", ("date", "close", "a, b, c, d, e"), ("2024-01-02", "10,5", "x"))
    assert load(text).imported
    assert closes(home) == {date(2024, 1, 2): Decimal("10.5")}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("series", (("date", "GDP"), ("2024-01-02", "1.5"))),
        ("fx", (("date", "from", "to", "rate"), ("2024-01-02", "USD", "IRR", "42000"))),
    ],
)
def test_quoted_series_and_rates_are_read_alike(
    home: Path, file: Callable[..., Path], kind: str, rows: tuple[tuple[str, ...], ...], delimiter: str
) -> None:
    report = import_kind(kind, [file(quoted(delimiter, *rows))], home, ImportOptions())  # type: ignore[arg-type]
    assert (report.problems, report.imported) == ([], True)


def test_a_header_that_is_quoted_wrongly_is_still_said_to_be(load: Load) -> None:
    assert "an open quotation mark?" in load('"Date,Close\n2024-01-02,1\n').problems[0]
