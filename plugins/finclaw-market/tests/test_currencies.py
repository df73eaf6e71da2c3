from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk.tabular import BadOption
from finclaw_cli.testing.tools import run_tool
from finclaw_market.currencies import MINOR_UNITS, decimals_of, normal_code, rounded
from finclaw_market.fx import convert_currency

Load = Callable[..., Any]
Run = Callable[..., tuple[int, str, str]]
Write = Callable[..., Path]
DAY = "2014-03-28"


def converted(amount: str, source: str, target: str, **more: object) -> dict[str, Any]:
    result = run_tool(convert_currency, {"amount": amount, "from_currency": source, "to_currency": target, **more})
    assert not result.is_error, result.content
    found: dict[str, Any] = json.loads(result.content)
    return found


def refused(source: str, target: str = "USD") -> str:
    result = run_tool(convert_currency, {"amount": "1", "from_currency": source, "to_currency": target})
    assert result.is_error, result.content
    return result.content


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("minor", "currency", "parts"),
    [("GBp", "GBP", 100), ("GBX", "GBP", 100), ("gbx", "GBP", 100), ("ZAc", "ZAR", 100), ("ZAC", "ZAR", 100),
     ("ILA", "ILS", 100), ("USX", "USD", 100)],
)  # fmt: skip
def test_an_amount_in_a_minor_unit_is_a_part_of_its_currency(minor: str, currency: str, parts: int) -> None:
    part = converted("12345", minor, "EUR", date=DAY)
    whole = converted(str(Decimal(12345) / parts), currency, "EUR", date=DAY)
    assert part["data"]["amount"] == whole["data"]["amount"]
    name = part["data"]["from"]["currency"]
    assert part["warnings"] == [f"{parts} {name} are 1 {currency}"]
    assert part["units"]["rate"] == f"EUR/{name}"


@pytest.mark.usefixtures("home")
def test_a_minor_unit_may_be_asked_for_and_has_the_decimals_that_are_left() -> None:
    pounds, pence = (converted("100", "EUR", code, date=DAY)["data"] for code in ("GBP", "GBp"))
    assert pence["amount"] == {
        "amount": str(Decimal(pounds["amount"]["amount"]).scaleb(2).to_integral()),
        "currency": "GBp",
    }
    assert Decimal(pence["rate"]) == Decimal(pounds["rate"]) * 100


@pytest.mark.usefixtures("home")
def test_small_letters_throughout_are_the_code_in_capitals() -> None:
    assert converted("1", "gbp", "usd", date=DAY)["data"]["from"]["currency"] == "GBP"


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("code", ["Gbp", "gBP", "USd", "EUr", "zAc"])
def test_a_code_in_mixed_case_is_refused_where_it_is_no_minor_unit(code: str) -> None:
    assert refused(code).startswith("BAD_INPUT: ")
    assert f"'{code}'" in refused(code)


def load_rates(run: Run, file: Write, rows: str) -> tuple[int, str]:
    code, out, err = run("import", file(f"date,from,to,rate\n{rows}", "fx.csv"), "--kind", "fx")
    return code, out + err


def test_a_currency_that_iso_does_not_know_keeps_significant_digits(run: Run, file: Write) -> None:
    load_rates(run, file, "2024-01-03,BTC,USD,68000\n")
    data = converted("100", "USD", "BTC", date="2024-01-03")["data"]
    assert data["amount"] == {"amount": "0.00147058823529", "currency": "BTC"}
    assert "12 significant digits" in converted("100", "USD", "BTC", date="2024-01-03")["method"]["convention"]
    assert converted("0.5", "BTC", "USD", date="2024-01-03")["data"]["amount"] == {
        "amount": "34000.00",
        "currency": "USD",
    }


def test_imported_rates_serve_for_minor_units_too(run: Run, file: Write) -> None:
    load_rates(run, file, "2024-01-03,KWD,VND,80000\n")
    data = converted("500", "KWF", "VND", date="2024-01-03")["data"]
    assert (data["amount"]["amount"], data["rate"]) == ("40000", "80")


@pytest.mark.parametrize(("base", "said"), [("GBp", "GBp is a part of GBP"), ("GBX", "GBp is a part of GBP"), ("Usd", "'Usd' is not a currency code")])  # fmt: skip
def test_a_rate_of_a_minor_unit_is_no_rate_of_its_currency(run: Run, file: Write, base: str, said: str) -> None:
    code, text = load_rates(run, file, f"2024-01-03,{base},USD,0.0127\n")
    assert code == 2
    assert said in text


@pytest.mark.parametrize(("given", "stored"), [("GBp", "GBp"), ("GBX", "GBp"), ("ZAC", "ZAc"), ("ila", "ILA"), ("gbp", "GBP")])  # fmt: skip
def test_prices_keep_the_unit_that_they_are_quoted_in(run: Run, file: Write, given: str, stored: str) -> None:
    path = file("Date,Close\n2024-01-02,250\n", "v.csv")
    code, _, err = run("import", path, "--symbol", "VOD", "--currency", given)
    assert code == 0, err
    assert json.loads(run("list", "--json")[1])["instruments"][0]["currency"] == stored


def test_prices_in_a_unit_of_mixed_case_are_refused(run: Run, file: Write) -> None:
    code, _, err = run("import", file("Date,Close\n2024-01-02,250\n"), "--symbol", "VOD", "--currency", "Gbp")
    assert code == 2
    assert "'Gbp' is not a currency code" in err


@pytest.mark.parametrize(
    ("code", "decimals"),
    [("USD", 2), ("KRW", 0), ("KWD", 3), ("CLF", 4), ("GBp", 0), ("KWF", 0), ("TRL", 0), ("BTC", None), ("XAU", None)],
)
def test_the_decimals_of_a_currency_are_those_of_iso_4217(code: str, decimals: int | None) -> None:
    assert decimals_of(code) == decimals


@given(st.text(max_size=8))
def test_a_code_is_read_in_one_way_or_refused(text: str) -> None:
    try:
        code = normal_code(text)
    except BadOption:
        return
    assert normal_code(code) == code
    assert code in MINOR_UNITS or (len(code) == 3 and code.isascii() and code.isupper())
    assert text.strip() in {code, code.lower()} or code in MINOR_UNITS


@given(
    st.decimals(min_value="1e-12", max_value="1e15", places=12), st.sampled_from(["USD", "KRW", "KWD", "BTC", "XAU"])
)
def test_rounding_is_as_fine_as_the_currency(amount: Decimal, code: str) -> None:
    found, decimals = rounded(amount, code), decimals_of(code)
    if decimals is None:
        assert abs(found - amount) <= amount * Decimal("1e-11")
    else:
        assert abs(found - amount) <= Decimal(1).scaleb(-decimals) / 2
