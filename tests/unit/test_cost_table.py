"""A table of figures: it fits its terminal, and what matters is always in it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.cli.cost.columns import call_columns, duration, request_columns
from finclaw_cli.core.usage import Usage
from finclaw_cli.output.cells import padded, shortened, width
from finclaw_cli.output.table import Column, Drawn, aligned, draw
from finclaw_cli.usage.report import Report, Row
from finclaw_cli.usage.sums import RequestSums, ToolSums

ONE = RequestSums(
    requests=1_234, usage=Usage(input=1_000_000, output=2, cache_read=3, cache_write=4), cost_usd=Decimal("0.010935")
)


def report(*names: str, sums: RequestSums = ONE) -> Report[RequestSums]:
    rows = tuple(Row((name,), sums) for name in names)
    return Report(("model",), rows, sum((row.sums for row in rows), RequestSums()))


def drawn(room: int | None, *names: str, sums: RequestSums = ONE) -> Drawn:
    return draw(list(request_columns(report(*names, sums=sums))), room)


def test_with_room_for_all_nothing_is_left_out():
    assert drawn(None, "claude-sonnet-5-5").lines == (
        "MODEL              REQUESTS      INPUT  OUTPUT  CACHE READ  CACHE WRITE  COST (USD)",
        "claude-sonnet-5-5     1,234  1,000,000       2           3            4    0.010935",
        "TOTAL                 1,234  1,000,000       2           3            4    0.010935",
    )


@pytest.mark.parametrize(
    ("room", "left"),
    [
        (83, ()),
        (82, ("CACHE READ", "CACHE WRITE")),
        (58, ("CACHE READ", "CACHE WRITE")),
        (57, ("INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE")),
        (39, ("INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE")),
        (38, ("REQUESTS", "INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE")),
        (18, ("REQUESTS", "INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE")),
    ],
)
def test_what_matters_less_goes_first(room: int, left: tuple[str, ...]):
    table = drawn(room, "claude-sonnet-5-5")
    assert table.left_out == left
    assert max(map(width, table.lines)) <= room


@given(
    st.lists(st.text("ab한가…\u0301x-", min_size=1, max_size=40), min_size=1, max_size=4),
    st.integers(20, 120),
)
def test_lines_are_never_longer_than_the_room_and_costs_never_cut(names: list[str], room: int):
    table = drawn(room, *names)
    assert max(map(width, table.lines)) <= room
    assert table.lines[0].startswith("MODEL")
    assert all(line.endswith("0.010935") for line in table.lines[1:-1])


def test_long_names_are_shortened_and_say_so():
    line = drawn(30, "a-model-whose-name-has-no-end").lines[1]
    assert line == "a-model-whose-nam…    0.010935"


def test_a_long_name_gives_way_before_figures_do():
    table = drawn(86, "n" * 60)
    assert table.left_out == ()
    assert table.lines[1].startswith("n" * 19 + "…  ")


def test_wide_characters_are_aligned():
    _, wide, narrow, _ = drawn(None, "한국어", "abc").lines
    assert width(wide) == width(narrow) == len(narrow)


def test_a_name_with_escapes_and_newlines_stays_in_its_line():
    lines = drawn(None, "a\x1b[31m\nb\tc").lines
    assert lines[1].startswith("a b c ")


def test_what_has_no_price_is_unknown_and_what_was_not_reported_is_a_dash():
    lines = drawn(None, "m", sums=RequestSums(requests=1, unreported=1)).lines
    assert lines[1].split() == ["m", "1", "-", "-", "-", "-", "unknown"]
    assert lines[2].split() == ["TOTAL", "1", "-", "-", "-", "-", "unknown"]


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        ("0.010935", "0.010935"),
        ("0.0109349999999", "0.010935"),
        ("0.0000009", "<0.000001"),
        ("1E-12", "<0.000001"),
        ("12.5", "12.50"),
        ("1E+3", "1000.00"),
        ("0", "0"),
    ],
)
def test_costs_have_six_decimals_at_most_and_no_tail(cost: str, shown: str):
    lines = drawn(None, "m", sums=RequestSums(requests=1, cost_usd=Decimal(cost))).lines
    assert lines[1].split()[-1] == shown


def test_points_stand_below_each_other():
    cells = [padded(cell, 12, right=True) for cell in aligned(["0.010935", "12.50", "0", "<0.000001"])]
    assert [cell.find(".") for cell in cells] == [5, 5, -1, 5]
    assert cells[2].rstrip().endswith("0")
    assert len(cells[2].rstrip()) == 5


def test_calls_of_tools_have_columns_of_their_own():
    sums = ToolSums(calls=2, not_completed=1, duration_ms=61_500, longest_ms=60_000)
    table = draw(list(call_columns(Report(("tool",), (Row(("get_quote",), sums),), sums))), None)
    assert table.lines == (
        "TOOL       CALLS  NOT COMPLETED        TIME     LONGEST",
        "get_quote      2              1  1 min 01 s  1 min 00 s",
        "TOTAL          2              1  1 min 01 s  1 min 00 s",
    )


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (1_999, "1.9 s"),
        (59_999, "59.9 s"),
        (125_000, "2 min 05 s"),
        (3_599_999, "59 min 59 s"),
        (3_600_000, "1 h 00 min"),
        (10**10, "2,777 h 46 min"),
    ],
)
def test_durations_are_told_in_the_words_of_their_size(milliseconds: int, shown: str):
    assert duration(milliseconds) == shown


@given(st.text("a한\u0301…\u200d", max_size=20), st.integers(1, 12))
def test_what_is_shortened_fits(text: str, cells: int):
    assert width(shortened(text, cells)) <= cells


def test_figures_alone_never_change():
    columns = [Column(title="A", cells=["name"], is_name=True), Column(title="B", cells=["123456789"])]
    assert draw(columns, 5).lines[1].endswith("123456789")
