"""A tool's result on a terminal, and as CSV."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.finance import FinanceResult, Instrument, Method, Source
from finclaw_cli.output.cells import width
from finclaw_cli.output.result import result_text
from finclaw_cli.output.tabular import csv_lines, flat, table_of, tables_in
from finclaw_cli.output.values import read_json
from finclaw_cli.tools.render import render

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)


def quote(**more: object) -> str:
    facts: dict[str, object] = {
        "data": {"close": Decimal("126.89"), "volume": 2954400, "change_fraction": 0.011},
        "as_of": "2026-10-30",
        "instrument": Instrument(symbol="ACME", name="Acme Corp", exchange="XNYS", currency="USD"),
        "units": {"close": "USD/share", "volume": "shares", "change_fraction": "1"},
    }
    return render(FinanceResult(**{**facts, **more}))  # type: ignore[arg-type]


def test_numbers_have_their_unit_and_the_day_is_named() -> None:
    assert result_text(quote(), 79).splitlines() == [
        "ACME, Acme Corp, XNYS, USD, as of 2026-10-30",
        "",
        "close            126.89 USD/share",
        "volume           2,954,400 shares",
        "change fraction  0.011",
    ]


def test_a_value_that_is_missing_has_no_unit() -> None:
    lines = result_text(quote(data={"close": None, "volume": 1}), 79).splitlines()
    assert lines[2:] == ["close   -", "volume  1 shares"]


def test_rows_become_a_table_with_the_units_below() -> None:
    data = {"columns": ["date", "close"], "rows": [["2026-10-29", "125.51"], ["2026-10-30", "9.9"]]}
    assert result_text(quote(data=data), 79).splitlines()[2:] == [
        "DATE         CLOSE",
        "2026-10-29  125.51",
        "2026-10-30     9.9",
        "close in USD/share",
    ]


def test_a_list_of_objects_becomes_a_table() -> None:
    data = {"orders": [{"symbol": "ACME", "qty": 1}, {"symbol": "GLOBEX", "price": {"amount": "5", "currency": "USD"}}]}
    assert result_text(json.dumps(data), 79).splitlines() == [
        "orders:",
        "  SYMBOL  QTY  PRICE",
        "  ACME      1  -",
        "  GLOBEX    -  5 USD",
    ]


def test_warnings_sources_and_the_method_follow() -> None:
    said = result_text(
        quote(
            warnings=("stale",),
            sources=(Source(id="s1", kind="file", ref="acme.csv", rows="2..3", licence="user"),),
            method=Method(name="last_close", convention="close of the last session", n=2),
            truncated=True,
        ),
        79,
    )
    assert said.splitlines()[-4:] == [
        "warning: stale",
        "There is more than is shown: the result was cut to its limit.",
        "method: last_close: close of the last session (n = 2)",
        "source: acme.csv (file, rows 2..3, user)",
    ]


def test_a_chart_is_drawn_and_not_spelled() -> None:
    assert "  \u2801\u2802\n  \u2803\u2804" in result_text(quote(data={"chart": "\u2801\u2802\n\u2803\u2804"}), 79)


def test_a_chart_that_is_too_wide_says_so() -> None:
    said = result_text(quote(data={"chart": "Closes\n" + "\u2801" * 60}), 39)
    assert "\u2801" not in said
    assert "a chart of 60 columns" in said


def test_text_stays_as_it_is_but_for_what_terminals_obey() -> None:
    assert result_text("[1] a  line\x1b[2J\n  another", 10) == "[1] a  line\n  another"


@pytest.mark.parametrize("number", ["0.1000000000000000055511151231257827", "1E-7", "12345678901234567890.50"])
def test_digits_stay_as_they_are(number: str) -> None:
    assert number in result_text(f'{{"rate": {number}}}', 79)


@given(VALUES, st.integers(19, 100))
def test_any_result_fits_the_terminal(value: object, room: int) -> None:
    text = render(value)
    if read_json(text) is not None:
        assert max(map(width, result_text(text, room).split("\n"))) <= room


def test_deep_nesting_is_shown_and_not_a_crash() -> None:
    assert result_text("[" * 50_000 + "]" * 50_000, 79).startswith("[[")


def test_the_table_of_a_result_is_found_wherever_it_is() -> None:
    assert [name for name, _ in tables_in({"a": 1, "b": {"c": [{"x": 1}]}, "d": [[1, 2], [3, 4]]})] == ["b.c", "d"]
    assert table_of([1, 2]) is None
    assert table_of([[1], [1, 2]]) is None


def test_csv_has_exact_values_and_no_formulas() -> None:
    assert csv_lines(("a", "b"), [("=1+1", "-0.50"), (None, 1234567), (True, "x,y")]) == (
        'a,b\n\'=1+1,-0.50\n,1234567\nyes,"x,y"'
    )


def test_a_result_without_a_table_is_one_row() -> None:
    assert list(flat({"close": "1", "max": {"date": "d"}, "of": {"amount": "2", "currency": "EUR"}})) == [
        ("close", "1"),
        ("max.date", "d"),
        ("of", {"amount": "2", "currency": "EUR"}),
    ]
