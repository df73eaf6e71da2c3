"""Bars over time: as long as their share, one for each day, and none where there is nothing to compare."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.cli.cost.chart import ASCII, BLOCKS, chart
from finclaw_cli.listings.cost.report import Spending, chart_unit
from finclaw_cli.usage.periods import Unit
from finclaw_cli.usage.report import Report, Row
from finclaw_cli.usage.sums import RequestSums


def spending(unit: Unit = "day", **costs: str | None) -> Spending:
    rows = tuple(
        Row((label[1:].replace("_", "-"),), RequestSums(requests=1, cost_usd=None if cost is None else Decimal(cost)))
        for label, cost in costs.items()
    )
    return Spending(unit, Report((unit,), rows, sum((row.sums for row in rows), RequestSums())))


def test_bars_are_as_long_as_their_share_and_days_without_spending_are_there():
    lines = chart(spending(_2026_11_01="1", _2026_11_03="0.25", _2026_11_04="0.5"), 33)
    assert lines == [
        "USD by day",
        "2026-11-01  ████████████████ 1.00",
        "2026-11-02  0",
        "2026-11-03  ████ 0.25",
        "2026-11-04  ████████ 0.50",
    ]


def test_parts_of_a_cell_are_drawn_in_eighths():
    lines = chart(spending(_2026_11_01="8", _2026_11_02="1", _2026_11_03="4.5"), 22)
    assert [line[12:].split()[0] for line in lines[1:]] == ["█████", "▋", "██▊"]


def test_the_smallest_amount_can_be_seen():
    lines = chart(spending(_2026_11_01="1000", _2026_11_02="0.0000001"), 60)
    assert lines[2] == "2026-11-02  ▏ <0.000001"


def test_what_nobody_knows_has_no_bar():
    lines = chart(spending(_2026_11_01="1", _2026_11_02=None, _2026_11_03="1"), 60)
    assert lines[2] == "2026-11-02  unknown"


def test_without_blocks_bars_are_ascii():
    lines = chart(spending(_2026_11_01="1", _2026_11_02="0.5"), 33, ASCII)
    assert lines[1:] == ["2026-11-01  ################ 1.00", "2026-11-02  ######## 0.50"]


@pytest.mark.parametrize(
    "costs",
    [{}, {"_2026_11_01": "1"}, {"_2026_11_01": "1", "_2026_11_02": "0"}, {"_2026_11_01": "1", "_2026_11_02": None}],
)
def test_one_day_of_spending_is_no_chart(costs: dict[str, str | None]):
    assert chart(spending("day", **costs), 80) == []


def test_where_there_is_no_room_for_bars_there_is_no_chart():
    costs = spending(_2026_11_01="1", _2026_11_02="1")
    assert chart(costs, 21)
    assert chart(costs, 20) == []


def test_only_the_last_month_of_days_is_drawn_and_that_is_said():
    lines = chart(spending(_2026_01_01="9", _2026_11_30="1", _2026_12_01="2"), 80)
    assert lines[0] == "USD by day, the last 31 of 335"
    assert (lines[1][:10], lines[-1][:10], len(lines)) == ("2026-11-01", "2026-12-01", 32)
    assert lines[-1].count("█") > 50


@pytest.mark.parametrize(
    ("unit", "costs", "labels"),
    [
        ("week", {"_2026_W52": "1", "_2027_W01": "2"}, ["2026-W52", "2026-W53", "2027-W01"]),
        ("month", {"_2026_11": "1", "_2027_01": "2"}, ["2026-11", "2026-12", "2027-01"]),
    ],
)
def test_bars_can_be_of_weeks_and_months(unit: Unit, costs: dict[str, str], labels: list[str]):
    lines = chart(spending(unit, **costs), 80)
    assert lines[0] == f"USD by {unit}"
    assert [line.split()[0] for line in lines[1:]] == labels


@pytest.mark.parametrize(
    ("by", "unit"), [(("model",), "day"), (("week", "day"), "day"), (("month", "week"), "week"), (("month",), "month")]
)
def test_bars_are_of_what_the_table_is_by(by: tuple[str, ...], unit: Unit):
    assert chart_unit(by) == unit


@given(st.lists(st.decimals(0, 10**6, places=8), min_size=2, max_size=31), st.integers(20, 200))
def test_lines_are_never_longer_than_the_room(costs: list[Decimal], room: int):
    labels = {f"_2026_10_{day + 1:02}": str(cost) for day, cost in enumerate(costs)}
    for glyphs in (BLOCKS, ASCII):
        lines = chart(spending("day", **labels), room, glyphs)
        assert all(len(line) <= room for line in lines[1:])
