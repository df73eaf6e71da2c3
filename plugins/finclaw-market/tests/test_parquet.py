"""What pyarrow reads needs the extra `parquet`: those tests are skipped, and said so, where it is not installed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from imports import closes

Run = Callable[..., tuple[int, str, str]]
needs_pyarrow = pytest.mark.skipif(find_spec("pyarrow") is None, reason="the extra parquet is not installed")


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    def write(**columns: list[Any]) -> Path:
        import pyarrow
        import pyarrow.parquet

        path = tmp_path / "prices.parquet"
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
        return path

    return write


def test_without_pyarrow_it_is_said_what_to_install(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finclaw_market.parquet.find_spec", lambda name: None)
    path = tmp_path / "prices.parquet"
    path.write_bytes(b"PAR1....PAR1")
    code, _, err = run("import", path, "--symbol", "A")
    assert (code, 'pip install "finclaw-market[parquet]"' in err) == (2, True)
    assert "pyarrow" not in sys.modules or find_spec("pyarrow")


@needs_pyarrow
def test_prices_keep_every_digit_and_holes_stay_holes(run: Run, written: Callable[..., Path], home: Path) -> None:
    path = written(
        Date=[date(2024, 1, 2), date(2024, 1, 3)], Close=[37.029998779296875, 38.1], Open=[None, float("nan")]
    )
    assert run("import", path, "--symbol", "ACME")[0] == 0
    assert closes(home) == {date(2024, 1, 2): Decimal("37.029998779296875"), date(2024, 1, 3): Decimal("38.1")}


@needs_pyarrow
def test_timestamps_decimals_and_series_are_read(run: Run, written: Callable[..., Path], home: Path) -> None:
    moments = [datetime(2024, 1, 2, tzinfo=UTC), datetime(2024, 1, 3, tzinfo=UTC)]
    path = written(date=moments, GDP=[Decimal("1.50"), Decimal("2.00")])
    code, out, _ = run("import", path, "--kind", "series")
    assert (code, out) == (0, "GDP: 2 rows, 2024-01-02 to 2024-01-03: 2 new, 0 changed, 0 unchanged\n")


@needs_pyarrow
def test_a_bad_row_is_named_by_its_number(run: Run, written: Callable[..., Path]) -> None:
    code, _, err = run("import", written(Date=["2024-01-02", "soon"], Close=[1.5, 2.5]), "--symbol", "A")
    assert (code, "prices.parquet:3: 'soon' is not a date" in err) == (2, True)


@needs_pyarrow
@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" + b"x" * 100 + b"PAR1"])
def test_a_damaged_file_is_refused(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "prices.parquet"
    path.write_bytes(content)
    code, _, err = run("import", path, "--symbol", "A")
    assert (code, "cannot be read as Parquet" in err) == (2, True)
