from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from statistics import stdev

import pytest
from answers import Answer
from days import weekdays

from finclaw_cli.sdk import ToolContext
from finclaw_cli.testing.tools import tool_context
from finclaw_market.exchange_rates import daily_rates, exchange_rate

Ask = Callable[..., Answer]
Store = Callable[..., None]
DAYS = [day.isoformat() for day in weekdays(date(2023, 12, 29), 60)]


def rows(*steps: float, days: list[str] = DAYS) -> list[list[str]]:
    """Closes from 100 on that change by these steps over and over."""
    level, found = 100.0, []
    for number, day in enumerate(days):
        found.append([day, f"{level:.6f}"])
        level *= 1 + steps[number % len(steps)]
    return found


@pytest.fixture
def two(store: Store) -> None:
    store("ACME", rows(0.01, -0.005))
    store("GLOBEX", rows(-0.01, 0.02, 0.001))


def row(answer: Answer, symbol: str) -> dict[str, object]:
    return next(
        dict(zip(answer.data["columns"], cells, strict=True)) for cells in answer.data["rows"] if cells[0] == symbol
    )


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("symbol", ["ACME", "GLOBEX"])
def test_the_figures_of_each_are_those_of_performance(symbol: str, ask: Ask) -> None:
    own, alone = row(ask("compare", symbols=["ACME", "globex"]), symbol), ask("performance", symbol=symbol).data
    assert own["total_return"] == alone["total_return"]
    assert own["cagr"] == alone["cagr_calendar"]
    assert (own["volatility"], own["sharpe"]) == (alone["volatility"], alone["sharpe"])
    assert (own["max_drawdown"], own["peak"]) == (alone["max_drawdown"]["depth"], alone["max_drawdown"]["peak"])


@pytest.mark.usefixtures("two")
def test_correlations_are_a_matrix_with_ones_on_its_diagonal(ask: Ask) -> None:
    found = ask("compare", symbols=["ACME", "GLOBEX"]).data["correlation"]
    (_, one, cross), (_, back, other) = found["rows"]
    assert (one, other, cross) == (1, 1, back)
    assert found["columns"] == ["symbol", "ACME", "GLOBEX"]


@pytest.mark.usefixtures("two")
def test_the_first_common_value_of_each_is_a_hundred(ask: Ask) -> None:
    rebased = ask("compare", symbols=["ACME", "GLOBEX"]).data["rebased"]
    assert rebased["rows"][0] == [DAYS[0], 100, 100]
    assert rebased["rows"][-1][0] == DAYS[-1]


@pytest.mark.usefixtures("two")
def test_the_chart_has_two_lines_for_each_and_one_scale(ask: Ask) -> None:
    chart = ask("compare", symbols=["ACME", "GLOBEX"]).data["chart"].splitlines()
    assert [line.split()[0] for line in chart[::2]] == ["ACME", "GLOBEX", DAYS[0]]
    assert f"{DAYS[0]} to {DAYS[-1]}" in chart[-1]


@pytest.mark.usefixtures("two")
def test_a_period_counts_from_the_eve_for_all_whatever_the_day_of_the_last_close(ask: Ask, store: Store) -> None:
    store("SEOUL", [["2023-12-28", "80"], *rows(0.001, days=DAYS[1:])])
    answer = ask("compare", symbols=["ACME", "SEOUL"], period="2024-01")
    assert (answer.data["first"], answer.data["last"]) == ("2023-12-31", "2024-01-31")
    assert row(answer, "SEOUL")["total_return"] == pytest.approx(100 * 1.001**22 / 80 - 1)
    assert answer.json["period"]["start"] == "2024-01-01"


@pytest.mark.usefixtures("two")
def test_a_symbol_without_data_is_named_and_the_others_are_compared(ask: Ask) -> None:
    answer = ask("compare", symbols=["ACME", "NOSUCH", "GLOBEX"])
    assert "NOSUCH" in answer.data["without_data"]["NOSUCH"]
    assert ("without NOSUCH" in answer.warnings, len(answer.data["rows"])) == (True, 2)


@pytest.mark.usefixtures("two")
def test_one_symbol_with_data_is_not_enough(ask: Ask) -> None:
    assert ask("compare", symbols=["ACME", "NOSUCH"]).code == "NOT_ENOUGH_DATA"


@pytest.mark.parametrize("symbols", [["ACME"], ["ACME", "acme "], [f"S{number}" for number in range(21)]])
def test_two_to_twenty_different_symbols_are_compared(symbols: list[str], ask: Ask) -> None:
    assert ask("compare", symbols=symbols).code == "BAD_INPUT"


@pytest.mark.usefixtures("two")
def test_a_symbol_that_shortens_the_comparison_is_named(ask: Ask, store: Store) -> None:
    store("YOUNG", rows(0.002, 0.001, days=DAYS[20:]))
    answer = ask("compare", symbols=["ACME", "YOUNG"])
    assert f"YOUNG has data from {DAYS[20]} only, so the comparison begins then" in answer.warnings


@pytest.mark.usefixtures("two")
def test_different_currencies_are_named(ask: Ask, store: Store) -> None:
    store("ZEN", rows(0.002, 0.001), currency="EUR")
    assert "exchange rates are not in it: ACME USD, ZEN EUR" in ask("compare", symbols=["ACME", "ZEN"]).warnings


@pytest.mark.usefixtures("two")
def test_prices_are_converted_at_the_rate_of_each_day(ask: Ask, store: Store) -> None:
    store("ZEN", rows(0.002, 0.001), currency="EUR")
    own, ctx = ask("performance", symbol="ACME").data["total_return"], tool_context()
    first, last = (
        float(exchange_rate("USD", "EUR", ctx, date.fromisoformat(day)).value) for day in (DAYS[0], DAYS[-1])
    )
    answer = ask("compare", symbols=["ACME", "ZEN"], currency="EUR")
    assert row(answer, "ACME")["total_return"] == pytest.approx((1 + own) * last / first - 1)
    assert (row(answer, "ACME")["currency"], "exchange rates" in answer.warnings) == ("EUR", False)
    assert any("European Central Bank" in source["ref"] for source in answer.json["sources"])


@pytest.mark.usefixtures("two")
def test_what_cannot_be_converted_is_named(ask: Ask, store: Store) -> None:
    store("COIN", rows(0.002, 0.001), currency="QQQ")
    assert "QQQ" in ask("compare", symbols=["ACME", "GLOBEX", "COIN"], currency="EUR").data["without_data"]["COIN"]


def test_risk_of_quantities_over_mixed_currencies_is_in_one(ask: Ask, store: Store) -> None:
    store("ACME", rows(0.01, -0.005))
    store("ZEN", rows(-0.004, 0.006, 0.001), currency="EUR")
    held = {"holdings": {"ACME": "10", "ZEN": "5"}, "holdings_are": "quantities", "level": 0.9}
    answer = ask("risk", **held, currency="EUR")
    assert answer.data["value"]["currency"] == "EUR"
    assert ask("risk", **held).code == "BAD_INPUT"


def test_risk_in_another_currency_has_the_moves_of_its_rates(ask: Ask, store: Store, home: object) -> None:
    store("FLAT", rows(0.0))
    rates = daily_rates("USD", "JPY", tool_context(), [date.fromisoformat(day) for day in DAYS])
    moves = [float(later.value / earlier.value) - 1 for earlier, later in pairwise(rates)]
    answer = ask("risk", symbol="FLAT", currency="JPY", level=0.9)
    assert answer.data["volatility"] == pytest.approx(stdev(moves) * math.sqrt(252))


@pytest.mark.parametrize("given", [{"currency": "Euros"}, {"currency": "EUR"}])
def test_a_currency_is_a_code_and_goes_with_symbols(given: dict[str, str], ask: Ask) -> None:
    assert ask("risk", values=rows(0.01), **given).code == "BAD_INPUT"


def test_rates_of_many_days_are_those_of_each(home: object) -> None:
    ctx: ToolContext = tool_context()
    days = [date(2024, 3, day) for day in (1, 2, 3, 4)]
    assert daily_rates("USD", "GBp", ctx, days) == [exchange_rate("USD", "GBp", ctx, day) for day in days]
