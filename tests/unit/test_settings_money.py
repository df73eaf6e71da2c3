"""Money in settings: what is written is what counts, to the last digit, and one error says what is wrong."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.checked import WrongValue, checked
from finclaw_cli.settings.model import TABLES, Settings, declarations


def read(text: str) -> Settings:
    return checked(Settings, tomllib.loads(text))


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("0.3", "0.3"),
        ('"0.30"', "0.3"),
        ("3", "3"),
        ("0", "0"),
        ("1e-7", "0.0000001"),
        ("0.041666666667", "0.041666666667"),
        ("1_000_000.0", "1000000"),
        ('" 12.50 "', "12.5"),
    ],
)
def test_an_amount_is_the_digits_that_are_written(written: str, amount: str) -> None:
    found = read(f"max_cost = {written}").max_cost
    assert found == Decimal(amount)
    assert format(found, "f") == amount


@given(st.decimals(0, 10**6, places=12))
def test_any_amount_of_twelve_decimals_can_be_written(amount: Decimal) -> None:
    assert read(f'[budget]\ndaily = "{amount}"').budget.daily == amount


NO_AMOUNTS = [
    "-1", "nan", "-nan", "inf", "-inf", "1e300", '"1e999999999"', '"1e-999999999"', "true", '""', '"1,5"', '"1 USD"',
    "1_000_000.01", "0.1234567890123", "[]", "{}", "1979-05-27", '"٣"', f'"{"1" * 5000}"',
]  # fmt: skip


@pytest.mark.parametrize("written", NO_AMOUNTS)
@pytest.mark.parametrize("key", ["max_cost", "budget.daily", "budget.monthly", "models.m.input_usd"])
def test_what_is_no_amount_is_one_error(key: str, written: str) -> None:
    with pytest.raises(WrongValue, match="amount of USD") as raised:
        read(f"{key} = {written}")
    assert ".".join(raised.value.where) == key


@pytest.mark.parametrize("more", ["input_usd = 1", "output_usd = 1", "cache_read_usd = 1", "cache_write_1h_usd = 1"])
def test_a_price_list_is_whole_or_not_there(more: str) -> None:
    with pytest.raises(WrongValue, match=r"go together|beside them"):
        read(f"[models.m]\n{more}")


def test_settings_that_were_read_can_be_read_again() -> None:
    found = read("max_cost = 1e-7\n[models.m]\ninput_usd = 0.3\noutput_usd = 1e-12\n[budget]\nmonthly = 100\n")
    assert checked(Settings, asdict(found)) == found


def test_a_project_may_not_set_what_may_be_spent() -> None:
    assert {declarations()[name].project for name in ("max_cost", "budget", "models")} == {"no"}
    assert {"budget", "models"} <= TABLES
