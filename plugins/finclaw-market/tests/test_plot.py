from __future__ import annotations

import fcntl
import math
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.testing.tools import run_tool
from finclaw_market.plotting import plot_prices
from finclaw_market.scales import date_ticks, thinned, value_ticks

NAME = 'Acme <b>& "Sons"'
TEXT = "Date,Close\n" + "".join(f"{date(2024, 1, 1) + timedelta(days=n)},{100 + n}\n" for n in range(40))


@pytest.fixture
def ctx(context: Callable[..., ToolContext], run: Any, file: Callable[..., Path], tmp_path: Path) -> ToolContext:
    run("import", file(TEXT), "--symbol", "^ACME", "--name", NAME, "--adjustment", "none")
    folder = tmp_path / "work"
    folder.mkdir()
    return replace(context(), workspace=folder)


def data(result: Any) -> dict[str, Any]:
    return dict(result.data)


def test_a_chart_is_a_file_with_title_unit_and_source(ctx: ToolContext) -> None:
    found = data(plot_prices("^acme", ctx))
    assert found["file"] == "ACME-2024-01-01-2024-02-09.svg"
    text = (ctx.workspace / found["file"]).read_text()
    root = ET.fromstring(text)
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words[:2] == [f"^ACME · {NAME}, 2024-01-01 to 2024-02-09", "close in index points, adjustment: none"]
    assert words[-1] == "Source: prices.csv"
    assert {"100", "140", "2024-01-01"} <= set(words)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        ("1.0", "1.5", ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"]),
        ("1.00", "2.25", ["1.00", "1.25", "1.50", "1.75", "2.00", "2.25"]),
        ("1000", "1005", ["1,000", "1,001", "1,002", "1,003", "1,004", "1,005"]),
    ],
)
def test_labels_of_values_have_as_many_decimals_as_their_step(
    ctx: ToolContext, run: Any, file: Callable[..., Path], *, low: str, high: str, labels: list[str]
) -> None:
    run("import", file(f"Date,Close\n2024-01-02,{low}\n2024-01-03,{high}\n"), "--symbol", "B", "--adjustment", "none")
    root = ET.fromstring((ctx.workspace / data(plot_prices("B", ctx))["file"]).read_text())
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words[2:8] == labels


def test_labels_of_dates_reach_from_the_first_date_to_the_last(ctx: ToolContext) -> None:
    root = ET.fromstring((ctx.workspace / data(plot_prices("^ACME", ctx))["file"]).read_text())
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [word for word in words[2:-1] if "-" in str(word)] == [
        "2024-01-01", "2024-01-07", "2024-01-13", "2024-01-19", "2024-01-25", "2024-01-31", "2024-02-06",
    ]  # fmt: skip


def test_a_chart_as_text_rises_with_the_prices_and_writes_nothing(ctx: ToolContext) -> None:
    lines = data(plot_prices("^ACME", ctx, format="text"))["chart"].splitlines()
    assert (lines[1].split()[0], lines[-2].split()[0]) == ("139", "100")
    assert lines[-1].split() == ["2024-01-01", "2024-02-09"]
    assert lines[1].rstrip("\u2800")[-1] != "\u2800"
    assert lines[-2].split()[1][0] != "\u2800"
    assert list(ctx.workspace.iterdir()) == []


def test_a_chart_as_text_has_a_dot_for_each_price_and_a_line_where_it_jumps(
    ctx: ToolContext, run: Any, file: Callable[..., Path]
) -> None:
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(40)]
    rows = "".join(f"{day},{100 if n < 20 else 110}\n" for n, day in enumerate(days))
    run("import", file(f"Date,Close\n{rows}"), "--symbol", "B", "--currency", "USD", "--adjustment", "none")
    lines = data(plot_prices("B", ctx, format="text"))["chart"].splitlines()
    half, blank = 32, "\u2800"
    assert lines == [
        "B, 2024-01-01 to 2024-02-09, close in USD/share, adjustment: none",
        "110 " + blank * half + "⡏" + "⠉" * (half - 1),
        *["    " + blank * half + "⡇" + blank * (half - 1)] * 8,
        "100 " + "⣀" * half + "⠇" + blank * (half - 1),
        f"    2024-01-01{'2024-02-09':>54}",
    ]


def test_its_own_file_is_drawn_anew_but_no_other_one(ctx: ToolContext) -> None:
    first = data(plot_prices("^ACME", ctx, path="a.svg"))["bytes"]
    again = data(plot_prices("^ACME", ctx, path="a.svg", end=date(2024, 1, 10)))["bytes"]
    assert first != again
    (ctx.workspace / "b.svg").write_text("<svg/>")
    with pytest.raises(ToolError, match="another file is there"):
        plot_prices("^ACME", ctx, path="b.svg")
    assert sorted(path.name for path in ctx.workspace.iterdir()) == ["a.svg", "b.svg"]


def test_a_file_that_appears_while_a_chart_is_drawn_is_not_replaced(
    ctx: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ctx.workspace / "b.svg"
    monkeypatch.setattr("finclaw_cli.sdk.files.atomic.secrets.token_hex", lambda _: other.write_text("mine") and "0")
    with pytest.raises(ToolError, match="changed by another process"):
        plot_prices("^ACME", ctx, path="b.svg")
    assert [path.read_text() for path in ctx.workspace.iterdir()] == ["mine"]


def test_a_chart_waits_for_another_tool_that_writes_in_its_folder(
    ctx: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finclaw_cli.sdk.files.locking.PATIENCE_S", 0.05)
    folder = os.open(ctx.workspace, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(ToolError, match="BUSY"):
        plot_prices("^ACME", ctx, path="b.svg")
    os.close(folder)
    assert data(plot_prices("^ACME", ctx, path="b.svg"))["file"] == "b.svg"


def test_nothing_is_written_outside_the_workspace(ctx: ToolContext, tmp_path: Path) -> None:
    (ctx.workspace / "out").symlink_to(tmp_path)
    (ctx.workspace / "link.svg").symlink_to(tmp_path / "new.svg")
    for path in ("../a.svg", str(tmp_path / "a.svg"), "out/a.svg", "link.svg", "no/a.svg", "a.txt", ".."):
        with pytest.raises(ToolError, match="BAD_INPUT"):
            plot_prices("^ACME", ctx, path=path)
    assert not list(tmp_path.glob("*.svg"))


@pytest.mark.parametrize("path", [".git/hooks/a.svg", "sub/.GIT/a.svg", ".finclaw/a.svg"])
def test_nothing_is_written_where_no_tool_may_write(ctx: ToolContext, path: str) -> None:
    (ctx.workspace / path).parent.mkdir(parents=True, exist_ok=True)
    with pytest.raises(ToolError, match="is protected: no tool writes there"):
        plot_prices("^ACME", ctx, path=path)
    assert not (ctx.workspace / path).exists()


def test_it_never_writes_unasked(ctx: ToolContext) -> None:
    asked = run_tool(plot_prices, {"symbol": "^ACME"}, approved=False, workspace=ctx.workspace)
    assert asked.is_error
    assert list(ctx.workspace.iterdir()) == []


def test_a_single_bar_is_a_chart_too(ctx: ToolContext) -> None:
    assert data(plot_prices("^ACME", ctx, start=date(2024, 2, 9)))["n"] == 1


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
@example(0.0, 5e-324)
def test_ticks_cover_the_range_evenly_and_are_few(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    ticks = value_ticks(low, high)
    slack = (ticks[-1] - ticks[0]) * 1e-6
    assert 2 <= len(ticks) <= 9
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert all(math.isfinite(tick) for tick in ticks)


@given(st.dates(date(1950, 1, 1), date(2020, 1, 1)), st.integers(0, 30_000))
def test_date_labels_lie_within_the_range_and_are_few(first: date, days: int) -> None:
    ticks = date_ticks(first, first + timedelta(days=days))
    assert len(ticks) <= 9
    assert all(first <= day <= first + timedelta(days=days) for day, _ in ticks)


@given(st.lists(st.floats(1, 1000), min_size=1, max_size=400), st.integers(10, 100))
def test_thinning_keeps_the_extremes(values: list[float], limit: int) -> None:
    days = [date(2000, 1, 1) + timedelta(days=n) for n in range(len(values))]
    kept_days, kept = thinned(days, values, limit)
    assert (min(kept), max(kept), kept[0], kept[-1]) == (min(values), max(values), values[0], values[-1])
    assert len(kept) <= limit + 4
    assert list(kept_days) == sorted(kept_days)
