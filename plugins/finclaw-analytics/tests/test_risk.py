from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from itertools import pairwise
from statistics import NormalDist, fmean, stdev
from typing import Any

import pytest
from answers import Answer
from days import weekdays
from hypothesis import given
from hypothesis import strategies as st

from finclaw_analytics.observed import Observed
from finclaw_analytics.portfolio import Portfolio, components
from finclaw_analytics.tails import Tail, Way

Ask = Callable[..., Answer]
Store = Callable[..., None]


def walk(seed: int, count: int = 60) -> list[list[Any]]:
    chance = random.Random(seed)
    level, rows = 100.0, []
    for day in weekdays(date(2024, 1, 1), count):
        rows.append([day.isoformat(), f"{level:.4f}"])
        level *= math.exp(chance.gauss(0, 0.01))
    return rows


def returns_of(rows: list[list[Any]]) -> list[float]:
    levels = [float(level) for _, level in rows]
    return [later / earlier - 1 for earlier, later in pairwise(levels)]


@pytest.fixture
def three(store: Store) -> None:
    for seed, symbol in enumerate(("AAA", "BBB", "CCC")):
        store(symbol, walk(seed))


def test_normal_var_and_shortfall_over_ten_days(ask: Ask) -> None:
    answer = ask("risk", values=walk(1), method="normal", horizon=10, level=0.99)
    returns, unit = returns_of(walk(1)), NormalDist()
    mean, spread, z = fmean(returns) * 10, stdev(returns) * math.sqrt(10), unit.inv_cdf(0.01)
    assert answer.data["var"] == pytest.approx(mean + z * spread, rel=1e-10)
    assert answer.data["cvar"] == pytest.approx(mean - spread * unit.pdf(z) / 0.01, rel=1e-10)
    assert "√h" in answer.convention


def test_historical_var_scales_with_the_root_of_the_horizon(ask: Ask) -> None:
    one, ten = (ask("risk", values=walk(1), horizon=days).data for days in (1, 10))
    assert ten["var"] == pytest.approx(one["var"] * math.sqrt(10), rel=1e-10)
    assert ten["cvar"] == pytest.approx(one["cvar"] * math.sqrt(10), rel=1e-10)
    assert one["cvar"] <= one["var"] < 0


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("method", ["historical", "normal"])
def test_what_holdings_add_sums_to_the_whole(method: str, ask: Ask) -> None:
    data = ask("risk", holdings={"AAA": 0.5, "BBB": 0.3, "CCC": 0.2}, method=method).data
    assert sum(row["component_var"] for row in data["holdings"]) == pytest.approx(data["var"], rel=1e-9)
    assert sum(row["share_of_var"] for row in data["holdings"]) == pytest.approx(1, rel=1e-9)


@pytest.mark.usefixtures("three")
def test_concentration(ask: Ask) -> None:
    found = ask("risk", holdings={"AAA": 0.5, "BBB": 0.3, "CCC": 0.2}).data["concentration"]
    assert found == {"hhi": 0.38, "effective_holdings": 2.63157894737, "top": ["AAA", "BBB", "CCC"], "top_weight": 1.0}


@pytest.mark.parametrize(
    ("currency", "quantity", "decimals"),
    [("USD", "1.234", 2), ("KRW", "12.345", 0), ("KWD", "1.234", 3), ("BTC", "0.00001", None)],
)
def test_an_amount_at_risk_is_as_fine_as_its_currency(
    ask: Ask, store: Store, currency: str, quantity: str, decimals: int | None
) -> None:
    store("AAA", walk(1), currency=currency)
    data = ask("risk", holdings={"AAA": quantity}, holdings_are="quantities").data
    amount = Decimal(data["var_amount"]["amount"])
    if decimals is None:
        assert float(amount) == pytest.approx(float(data["value"]["amount"]) * data["var"], rel=1e-9)
    else:
        assert len(data["var_amount"]["amount"].partition(".")[2]) <= decimals
        assert amount != 0


def test_quantities_are_valued_at_the_last_close(ask: Ask, store: Store) -> None:
    for symbol, last in (("AAA", "105"), ("BBB", "100")):
        store(symbol, [*walk(1)[:-1], [walk(1)[-1][0], last]])
    answer = ask("risk", holdings={"AAA": "10", "BBB": "19.5"}, holdings_are="quantities")
    assert answer.data["value"] == {"amount": "3000", "currency": "USD"}
    assert [row["weight"] for row in answer.data["holdings"]] == [0.35, 0.65]
    assert float(answer.data["var_amount"]["amount"]) == pytest.approx(3000 * answer.data["var"], abs=0.005)


def test_quantities_in_different_currencies_are_refused(ask: Ask, store: Store) -> None:
    store("AAA", walk(1), currency="USD")
    store("BBB", walk(2), currency="KRW")
    assert ask("risk", holdings={"AAA": 1, "BBB": 1}, holdings_are="quantities").code == "BAD_INPUT"
    mixed = ask("risk", holdings={"AAA": 0.5, "BBB": 0.5})
    assert "exchange rates are not in it: AAA USD, BBB KRW" in mixed.warnings


@pytest.mark.parametrize(("short", "worth"), [("-1", "0.0"), ("-2", "-100.0")])
def test_quantities_that_are_worth_nothing_together_are_refused(ask: Ask, store: Store, short: str, worth: str) -> None:
    for symbol in ("AAA", "BBB"):
        store(symbol, [*walk(1)[:-1], [walk(1)[-1][0], "100"]])
    answer = ask("risk", holdings={"AAA": "1", "BBB": short}, holdings_are="quantities")
    assert answer.code == "BAD_INPUT"
    assert f"the holdings are worth {worth} together: their weights are undefined" in answer.text


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(("weight", "is_scaled"), [("0.4", False), ("0.405", True), ("0.395", True)])
def test_weights_may_sum_to_almost_1(ask: Ask, weight: str, *, is_scaled: bool) -> None:
    answer = ask("risk", holdings={"AAA": "0.6", "BBB": weight})
    assert sum(row["weight"] for row in answer.data["holdings"]) == pytest.approx(1, rel=1e-9)
    assert ("were divided by that" in answer.warnings) is is_scaled


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("weight", ["0.411", "0.389"])
def test_weights_may_not_sum_to_much_more_or_less_than_1(ask: Ask, weight: str) -> None:
    assert ask("risk", holdings={"AAA": "0.6", "BBB": weight}).code == "BAD_INPUT"


def test_at_most_50_holdings_are_taken(ask: Ask) -> None:
    many = {f"A{number}": "0.02" for number in range(51)}
    assert ask("risk", holdings=many).text.startswith("BAD_INPUT: 51 holdings are not between 1 and 50")
    many.popitem()
    assert ask("risk", holdings=many).code == "NO_DATA"


@pytest.mark.usefixtures("three")
def test_weights_rounded_to_cents_are_scaled_and_it_is_said(ask: Ask) -> None:
    answer = ask("risk", holdings={"AAA": "0.333", "BBB": "0.333", "CCC": "0.333"})
    assert answer.data["holdings"][0]["weight"] == pytest.approx(1 / 3, rel=1e-10)
    assert "sum to 0.999" in answer.warnings


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    "holdings", [{"AAA": 60, "BBB": 40}, {"AAA": 0}, {}, {"AAA": "NaN"}, {"AAA": 0.5, "aaa": 0.5}], ids=str
)
def test_holdings_that_mean_nothing_are_refused(holdings: dict[str, Any], ask: Ask) -> None:
    answer = ask("risk", holdings=holdings)
    assert answer.failed
    assert "BAD_INPUT" in answer.text or "should be a number" in answer.text


@pytest.mark.usefixtures("three")
def test_short_positions_count_by_size(ask: Ask) -> None:
    data = ask("risk", holdings={"AAA": 1.5, "BBB": -0.5}).data
    assert data["concentration"]["hhi"] == pytest.approx(0.75**2 + 0.25**2)


@pytest.mark.usefixtures("three")
def test_beta_of_a_holding_to_itself_is_one(ask: Ask) -> None:
    found = ask("risk", symbol="AAA", benchmark="AAA").data["benchmark"]
    assert found == {"symbol": "AAA", "n_returns": 59, "beta": 1.0, "correlation": 1.0}


def test_a_tail_needs_enough_returns(ask: Ask) -> None:
    answer = ask("risk", values=walk(1, 15))
    assert answer.code == "NOT_ENOUGH_DATA"
    assert "needs 20 returns, had 14" in answer.text
    assert not ask("risk", values=walk(1, 15), method="normal").failed
    assert ask("risk", values=walk(1), level=0.99).code == "NOT_ENOUGH_DATA"


@pytest.mark.parametrize(
    "given",
    [{"level": 1}, {"level": 0.3}, {"level": 95}, {"horizon": 0}, {"horizon": 10**9}, {"symbol": "AAA"}],
    ids=str,
)
def test_terms_that_mean_nothing_are_refused(given: dict[str, Any], ask: Ask) -> None:
    assert ask("risk", values=walk(1), **given).code == "BAD_INPUT"


def test_a_flat_series_has_no_risk_to_speak_of(ask: Ask) -> None:
    answer = ask("risk", values=[[day, 5] for day, _ in walk(1)])
    assert (answer.data["var"], answer.data["volatility"]) == (0, 0)
    assert "do not vary" in answer.warnings


def test_a_series_that_is_not_daily_is_said(ask: Ask) -> None:
    weekly = [[day, level] for day, level in walk(1, 300) if date.fromisoformat(day).weekday() == 4]
    assert "counts its periods, not days" in ask("risk", values=weekly).warnings


COLUMNS = st.lists(st.lists(st.floats(0.5, 2), min_size=12, max_size=12), min_size=2, max_size=5)


@given(COLUMNS, st.sampled_from(["historical", "normal"]), st.integers(1, 20))
def test_component_var_sums_to_var(columns: list[list[float]], method: Way, horizon: int) -> None:
    days = tuple(weekdays(date(2024, 1, 1), 12))
    series = tuple(Observed(label=str(number), days=days, values=tuple(one)) for number, one in enumerate(columns))
    held = Portfolio(series=series, weights=(1 / len(columns),) * len(columns))
    returns = held.returns()
    tail = Tail(0.9, horizon, method)
    parts = [part for part in components(held, returns, tail) if part is not None]
    if parts:
        assert math.fsum(parts) == pytest.approx(tail.var(returns), rel=1e-7, abs=1e-9)


def test_a_historical_component_is_its_share_of_the_variance_times_the_value_at_risk() -> None:
    days, chance = tuple(weekdays(date(2024, 1, 1), 12)), random.Random(3)
    columns = [[1 + chance.uniform(-0.2, 0.2) for _ in days] for _ in range(2)]
    series = tuple(Observed(label=str(number), days=days, values=tuple(one)) for number, one in enumerate(columns))
    held, tail = Portfolio(series=series, weights=(0.25, 0.75)), Tail(0.9, 1, "historical")
    total = held.returns()
    shares = [
        weight * sum((a - fmean(one)) * (b - fmean(total)) for a, b in zip(one, total, strict=True))
        / sum((b - fmean(total)) ** 2 for b in total)
        for weight, one in zip(held.weights, (each.returns() for each in series), strict=True)
    ]  # fmt: skip
    assert components(held, total, tail) == [pytest.approx(share * tail.var(total)) for share in shares]


def test_a_period_has_the_returns_of_its_days(ask: Ask) -> None:
    rows = walk(5)
    answer = ask("risk", values=rows, period="2024-02", level=0.9)
    assert answer.data["n_returns"] == sum(day.startswith("2024-02") for day, _ in rows)
    assert answer.json["period"] == {"words": "2024-02", "start": "2024-02-01", "end": "2024-02-29"}
