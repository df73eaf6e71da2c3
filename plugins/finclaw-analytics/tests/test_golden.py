"""The numbers that other libraries gave (golden.json, made by oracles/make.py), met to ten significant digits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from answers import Answer

Ask = Callable[..., Answer]
GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))


def given(case: dict[str, Any]) -> dict[str, Any]:
    """The input of a case, with series put in for their names."""
    known = {f"@{name}": pairs for name, pairs in GOLDEN["series"].items()}
    return {key: known.get(value, value) if isinstance(value, str) else value for key, value in case["input"].items()}


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_the_oracle_s_number_is_met_to_ten_digits(case: dict[str, Any], ask: Ask, store: Callable[..., None]) -> None:
    for name in case.get("store", ()):
        store(name.upper(), GOLDEN["bars"][name])
    answer = ask(case["tool"], **given(case))
    if "fails" in case:
        assert answer.code == case["fails"]
    for path, expected in case["expect"].items():
        same = pytest.approx(expected["value"], rel=1e-10, abs=1e-13)
        found = answer.at(path.removesuffix(".*"))
        assert any(one == same for one in found) if path.endswith(".*") else float(found) == same, (path, expected)


def test_every_number_names_its_oracle_and_version() -> None:
    named = {expected["oracle"].split()[0] for case in GOLDEN["cases"] for expected in case["expect"].values()}
    assert named >= {"empyrical-reloaded", "quantstats", "QuantLib", "py-vollib", "TA-Lib", "numpy-financial", "pyxirr"}
    assert all(len(expected["oracle"].split()) == 2 for case in GOLDEN["cases"] for expected in case["expect"].values())


def test_a_missing_first_row_is_no_period_of_growth(ask: Ask) -> None:
    # empyrical's own test has 1.9135925373194231 here: it counts the missing row as a ninth day.
    answer = ask("performance", values=GOLDEN["series"]["published"], periods_per_year=252)
    assert answer.json["method"]["n"] == 8
    assert answer.data["cagr_periods"] == pytest.approx(2.3303, abs=1e-4)
    assert answer.data["sharpe"] == pytest.approx(1.7238613961706866, rel=1e-10)
    assert answer.data["volatility"] == pytest.approx(0.9136465399704637, rel=1e-10)
