from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer
from statements import MT940, OFX

Load = Callable[..., str]
Run = Callable[..., tuple[int, str, str]]
Ask = Callable[..., Answer]
Write = Callable[..., Path]
ROWS = "Date,Description,Amount,Currency\n2026-01-05,Shop,-250,{code}\n"


@pytest.mark.parametrize("code", ["GBp", "GBX", "gbx", "ZAc", "ZAC", "ILA", "USX", "KWF"])
def test_rows_in_a_part_of_a_currency_are_refused_by_name(run: Run, file: Write, code: str) -> None:
    status, _, err = run("import", file(ROWS.format(code=code)), "--account", "A", "--write")
    assert status == 2
    assert f"'{code}' is a part of " in err


@pytest.mark.parametrize("code", ["GBp", "GBX", "Gbp", "dollars"])
def test_what_is_said_of_a_file_is_no_part_of_a_currency_either(run: Run, file: Write, code: str) -> None:
    path = file("Date,Description,Amount\n2026-01-05,Shop,-250\n")
    status, _, err = run("import", path, "--account", "A", "--currency", code)
    assert status == 2
    assert f"'{code}' is " in err


@pytest.mark.parametrize(("code", "stored"), [("GBP", "GBP"), ("gbp", "GBP"), ("ILS", "ILS")])
def test_capitals_or_small_letters_throughout_are_the_code(load: Load, ask: Ask, code: str, stored: str) -> None:
    load(ROWS.format(code=code), "a.csv", "--account", "A")
    assert list(ask("ledger_transactions").data["sums"]) == [stored]


@pytest.mark.parametrize(
    ("text", "name"), [(OFX.replace("<CURDEF>USD", "<CURDEF>GBp"), "a.ofx"), (MT940.replace("EUR", "GBX"), "a.sta")]
)
def test_statements_of_other_formats_are_refused_alike(run: Run, file: Write, text: str, name: str) -> None:
    status, _, err = run("import", file(text, name), "--write")
    assert status == 2
    assert "is a part of GBP" in err


def test_a_fee_smaller_than_a_cent_is_not_lost(load: Load, ask: Ask) -> None:
    rows = "Date,Side,Symbol,Quantity,Price,Fee,Amount,Currency\n2026-01-05,buy,A,1,0.100,0.005,0.100,BTC\n"
    load(rows, "t.csv", "--account", "B")
    assert ask("holdings").data["holdings"][0]["cost"] == "0.105"
