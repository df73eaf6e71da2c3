from __future__ import annotations

import pytest
from broker_calls import Calls


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"starting_cash": 0.1}, 'starting_cash: is a binary fraction and so not exact; write it in quotes, as in "0.1"'),
        ({"max_order": "many"}, "max_order: is not a decimal number"),
        ({"max_order": "NaN"}, "max_order: must be from 0 to"),
        ({"max_order": "-1"}, "max_order: must be from 0 to"),
        ({"max_day": "1e99"}, "max_day: must be from 0 to"),
        ({"fee": "1e-13"}, "fee: must be from 0 to"),
        ({"fee": True}, "fee: must be a decimal number in quotes"),
        ({"currency": "usd"}, "currency: "),
        ({"sides": ["hold"]}, "sides.0: "),
        ({"shorting": "yes"}, "shorting: "),
        ({"repeat_window_s": -1}, "repeat_window_s: "),
        ({"broker": "live"}, "broker: "),
        ({"max_oder": "1"}, "max_oder is no setting (known: broker, currency, "),
        ({"base_url": "https://api.alpaca.markets"}, "base_url: must be https://paper-api.alpaca.markets or a loopback"),
        ({"base_url": "https://paper-api.alpaca.markets.evil.example"}, "base_url: must be"),
        ({"base_url": "http://127.0.0.1@evil.example"}, "base_url: must be"),
        ({"base_url": "http://user@127.0.0.1:8080"}, "base_url: must be"),
        ({"base_url": "http://127.0.0.1:8080/v1"}, "base_url: must be"),
        ({"base_url": "http://paper-api.alpaca.markets"}, "base_url: must be"),
        ({"key_variable": "PK SECRET"}, "key_variable: must be the name of an environment variable, not a key"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named(calls: Calls, settings: dict[str, object], said: str) -> None:
    calls.settings = settings
    for name in ("account", "orders"):
        error = calls.error(name)
        assert error.startswith("NOT_CONFIGURED: [plugin.finclaw-paper] ")
        assert said in error
    assert "PK SECRET" not in error


def test_amounts_are_strings_or_whole_numbers(calls: Calls) -> None:
    calls.settings = {"starting_cash": 5000, "fee": "0.10"}
    assert calls.data("account")["cash"] == "5000"
    calls.buy()
    assert calls.data("account")["cash"] == "4987.4"


def test_an_open_account_keeps_its_starting_cash(calls: Calls) -> None:
    calls.buy()
    calls.settings = {"starting_cash": "5"}
    account = calls("account")
    assert account["data"]["cash"] == "99987.5"
    assert "the account was opened with 100000; the setting starting_cash = 5 changes nothing" in account["warnings"]


def test_before_the_first_order_the_account_is_as_it_would_be(calls: Calls) -> None:
    account = calls("account")
    assert account["data"]["equity"] == "100000"
    assert account["warnings"] == ["no order was placed yet: this is the account as it would be opened"]
