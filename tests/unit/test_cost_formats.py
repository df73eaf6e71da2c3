"""Reports for machines: the figures are those of the ledger, whatever reads them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.json_text import dump_line
from finclaw_cli.core.usage import Usage
from finclaw_cli.listings.cost.formats import csv_text, document, objects
from finclaw_cli.listings.cost.options import Asked
from finclaw_cli.listings.cost.report import Calls, Requests
from finclaw_cli.usage.entries import RequestEntry
from finclaw_cli.usage.report import Report, RequestDimension, Row
from finclaw_cli.usage.sums import RequestSums, ToolSums
from tests.examples import MANY
from tests.unit.test_ledger import ONE
from tests.unit.test_ledger_report import LISTS, REQUEST_DIMENSIONS, exact, reported

BY = st.lists(st.sampled_from(REQUEST_DIMENSIONS), min_size=1, max_size=4, unique=True)
COUNTS = ("requests", "failed", "interrupted", "retries", "estimated", "unreported", "unpriced", "unpriced_tokens")


def found(entries: list[RequestEntry], *by: RequestDimension) -> Requests:
    return Requests(Asked(by=by), reported(entries, by), (), None)


def sheet(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def added(amounts: list[str | None]) -> str | None:
    known = [Decimal(amount) for amount in amounts if amount]
    return format(exact(known).normalize(), "f") if known else None


@settings(max_examples=MANY // 2)
@given(LISTS.filter(bool), BY)
def test_rows_add_up_to_the_total_in_every_format(entries: list[RequestEntry], by: list[RequestDimension]):
    report = found(entries, *by)
    told: Any = json.loads(json.dumps(document(report)))
    lines: list[Any] = [json.loads(dump_line(row)) for row in objects(report)]
    cells = sheet(csv_text(report))
    assert told["rows"] == lines
    for name in COUNTS:
        assert told["total"][name] == sum(row[name] for row in lines) == sum(int(row[name]) for row in cells)
    for name in Usage.__slots__:
        tokens = (told["total"]["usage"] or {}).get(name, 0)
        assert tokens == sum((row["usage"] or {}).get(name, 0) for row in lines)
        assert tokens == sum(int(row[name] or 0) for row in cells)
    for name in ("cost_usd", "saved_usd"):
        assert told["total"][name] == added([row[name] for row in lines]) == added([row[name] for row in cells])


@settings(max_examples=MANY // 2)
@given(LISTS, BY)
def test_csv_is_read_back_as_the_same_figures(entries: list[RequestEntry], by: list[RequestDimension]):
    report = found(entries, *by)
    rows = list(objects(report))
    cells = sheet(csv_text(report))
    assert len(cells) == len(rows)
    for row, line in zip(rows, cells, strict=True):
        usage = row.pop("usage") or dict.fromkeys(Usage.__slots__)
        assert isinstance(usage, dict)
        usage.pop("total", None)  # a spreadsheet adds the columns up
        expected = {**row, **usage}
        assert line == {name: "" if value is None else str(value) for name, value in expected.items()}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_a_name_that_looks_like_a_formula_is_none_in_a_spreadsheet(name: str):
    (row,) = sheet(csv_text(found([replace(ONE, model=name)], "model")))
    assert row["model"] == f"'{name}"


def test_a_figure_below_zero_is_no_formula():
    loss = replace(ONE, uncached_usd=Decimal(0), cost_usd=Decimal("0.5"))
    (row,) = sheet(csv_text(found([loss], "model")))
    assert row["saved_usd"] == "-0.5"


@pytest.mark.parametrize("name", ['a"b', "a,b", "a\nb", "a\x1b[31mb", "a;b", " a", ""])
def test_any_name_stays_in_its_cell(name: str):
    (row,) = sheet(csv_text(found([replace(ONE, model=name)], "model", "provider")))
    assert (row["provider"], row["cost_usd"], row["input"]) == ("anthropic", "0.010935", "10")
    assert "\x1b" not in row["model"]


@pytest.mark.parametrize("cost", ["1E-12", "1E+3", "0", "0.0000000004", "123456789012.5"])
def test_amounts_are_plain_and_exact(cost: str):
    report = found([replace(ONE, cost_usd=Decimal(cost))], "model")
    (row,) = objects(report)
    assert row["cost_usd"] == format(Decimal(cost), "f")
    assert sheet(csv_text(report))[0]["cost_usd"] == row["cost_usd"]


def test_what_is_unknown_is_null_and_an_empty_cell_and_never_nought():
    report = found([replace(ONE, usage=None, cost_usd=None)], "model")
    (row,) = objects(report)
    assert (row["usage"], row["cost_usd"], row["saved_usd"]) == (None, None, None)
    (line,) = sheet(csv_text(report))
    assert (line["input"], line["cost_usd"], line["saved_usd"]) == ("", "", "")


def test_nothing_is_a_total_of_nought_a_header_and_no_lines():
    report = found([], "model", "day")
    told: Any = document(report)
    assert (told["rows"], told["total"]["requests"], told["total"]["cost_usd"]) == ([], 0, "0")
    assert told["total"]["usage"] == dict.fromkeys([*Usage.__slots__, "total"], 0)
    assert list(objects(report)) == []
    assert csv_text(report).startswith("model,day,requests,")
    assert "\n" not in csv_text(report)


def test_calls_of_tools_have_figures_of_their_own_and_no_currency():
    sums = ToolSums(calls=2, not_completed=1, duration_ms=40, longest_ms=28)
    report = Calls(Asked(by=("tool",)), Report(("tool",), (Row(("=x",), sums),), sums))
    facts = {"calls": 2, "not_completed": 1, "duration_ms": 40, "longest_ms": 28}
    told: Any = document(report)
    assert told["rows"] == [{"tool": "=x", **facts}]
    assert told["total"] == facts
    assert "currency" not in told
    assert csv_text(report) == "tool,calls,not_completed,duration_ms,longest_ms\n'=x,2,1,40,28"


def test_a_report_says_what_it_was_asked_for():
    told: Any = document(
        Requests(Asked(by=("model",), session="talk"), Report(("model",), (), RequestSums()), (), None)
    )
    assert list(told) == [
        "by", "since", "until", "session", "run", "currency", "rows", "total", "unpriced_models",
    ]  # fmt: skip
    assert (told["by"], told["session"], told["since"], told["currency"]) == (["model"], "talk", None, "USD")
