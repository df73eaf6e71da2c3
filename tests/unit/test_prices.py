"""What requests cost: to the last digit, by the settings or by the price data, and nothing where nobody knows."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from decimal import Context, Decimal, localcontext
from importlib.metadata import version

import pytest
from genai_prices import data_snapshot
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.catalog.models import KNOWN_MODELS
from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.prices import NO_PRICE, Cost, listed_rates, set_rates
from finclaw_cli.catalog.prices import cost_of as cost_by
from finclaw_cli.catalog.rates import Rates
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.assemble import Assembler, known_usage
from finclaw_cli.providers.anthropic.usage import report
from finclaw_cli.providers.openai.usage import chat_usage, responses_usage
from tests.unit.priced_usages import CASES, NOW, Priced

SOURCE = f"genai-prices {version('genai-prices')}"
READERS = {"anthropic": report, "responses": responses_usage, "chat": chat_usage}
EXAMPLE = Usage(input=1000, output=500, cache_read=200, cache_write=100)
RATES = Rates(
    input_usd=Decimal(3), output_usd=Decimal(15), cache_read_usd=Decimal("0.3"), cache_write_usd=Decimal("3.75")
)


def cost_of(provider: str, model: str, usage: Usage, at: datetime, overrides: dict[str, Rates]) -> Cost:
    """What it costs where nothing was asked before."""
    return cost_by(provider, model, usage, at, overrides, kept=PriceFile(None))


def cost(usage: Usage, rates: Rates) -> Cost:
    return cost_of("local", "m", usage, NOW, {"m": rates})


def usage_of(case: Priced) -> Usage:
    assembler = Assembler()
    for raw in case.raw:
        assembler.add(READERS[case.dialect](raw))
    assert assembler.reported is not None
    return known_usage(assembler.reported)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_recorded_usage_costs_what_it_comes_to_by_hand(case: Priced) -> None:
    assert cost_of(case.provider, case.model, usage_of(case), case.at, {}) == Cost(
        usd=Decimal(case.usd), uncached_usd=Decimal(case.uncached_usd), source=SOURCE
    )


def test_there_are_recorded_usages_of_each_dialect() -> None:
    assert len(CASES) >= 20
    assert {case.dialect for case in CASES} == set(READERS)


def test_rates_of_the_settings_give_the_same_to_the_last_digit() -> None:
    found = cost_of("local", "some-model", EXAMPLE, NOW, {"local:some-model": RATES})
    assert found == Cost(usd=Decimal("0.010935"), uncached_usd=Decimal("0.0114"), source="settings")
    assert (str(found.usd), str(found.uncached_usd)) == ("0.010935", "0.0114")


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai", "gpt-nobody-has-made"),
        ("openai-chat", "deepseek-chat"),
        ("anthropic", "llama3.3"),
        ("somebodys-plugin", "gpt-4o"),
        ("openai", "gpt-4o.json"),
        ("openai", "text-embedding-3-small"),
        ("google", "gemma-3"),
        ("openai", ""),
        ("", ""),
        ("openai", "gpt-4o\n"),
    ],
    ids=repr,
)
def test_what_nobody_knows_the_price_of_has_none_which_is_never_0(provider: str, model: str) -> None:
    assert cost_of(provider, model, EXAMPLE, NOW, {"another": RATES}) == NO_PRICE
    assert (NO_PRICE.usd, NO_PRICE.uncached_usd) == (None, None)
    assert listed_rates(provider, model, NOW, {}) is None


def test_a_failure_in_the_price_data_is_no_price_and_no_error() -> None:
    data_snapshot.set_custom_snapshot("broken")  # type: ignore[arg-type]
    try:
        assert cost_of("openai", "gpt-4o", EXAMPLE, NOW, {}) == NO_PRICE
        assert listed_rates("openai", "gpt-4o", NOW, {}) is None
    finally:
        data_snapshot.set_custom_snapshot(None)


def test_a_price_by_the_full_name_wins_over_one_by_the_model_alone() -> None:
    dear = replace(RATES, input_usd=Decimal(1000))
    assert set_rates("a", "m", {"m": dear, "a:m": RATES}) == RATES
    assert set_rates("b", "m", {"m": dear, "a:m": RATES}) == dear
    assert set_rates("a", "n", {"m": dear, "a:m": RATES, "a": RATES}) is None


def test_the_settings_replace_the_whole_price_list_tiers_included() -> None:
    large = Usage(input=250_000, cache_read=1_000_000, cache_write=500, cache_write_1h=500)
    flat = Rates(input_usd=Decimal(1), output_usd=Decimal(1))
    found = cost_of("anthropic", "claude-sonnet-4-5", large, NOW, {"claude-sonnet-4-5": flat})
    assert found.usd == found.uncached_usd == Decimal("1.2505")
    assert found.source == "settings"


def test_a_missing_cache_price_is_that_of_input() -> None:
    rates = Rates(input_usd=Decimal(3), output_usd=Decimal(15))
    assert cost(EXAMPLE, rates).usd == Decimal("0.0114")


def test_a_missing_price_of_writes_for_an_hour_is_that_of_all_writes() -> None:
    usage = Usage(cache_write=100, cache_write_1h=100)
    assert cost(usage, RATES).usd == Decimal("0.000375")
    assert cost(usage, replace(RATES, cache_write_1h_usd=Decimal(6))).usd == Decimal("0.0006")


def test_a_price_of_0_is_a_price() -> None:
    free = Rates(input_usd=Decimal(0), output_usd=Decimal(0))
    assert cost(EXAMPLE, free) == Cost(usd=Decimal(0), uncached_usd=Decimal(0), source="settings")
    assert cost(Usage(), RATES).usd == 0


def test_thirds_in_a_price_are_not_rounded_and_no_context_of_the_caller_counts() -> None:
    third = Decimal("0.041666666666666664")
    rates = Rates(input_usd=third, output_usd=third)
    with localcontext(Context(prec=3)):
        found = cost(Usage(input=10**18 + 1, output=10**12 + 7), rates).usd
    # (10^18 + 10^12 + 8) × 41666666666666664 / 10^24
    assert found == Decimal("41666708333.333330999997333333333312")
    assert str(found) == "41666708333.333330999997333333333312"


def test_counts_that_no_request_can_have_get_no_price_rather_than_a_rounded_one() -> None:
    assert cost(Usage(input=10**250 + 1), RATES) == NO_PRICE


def test_a_round_sum_is_written_without_an_exponent() -> None:
    assert str(cost(Usage(input=100_000_000), RATES).usd) == "300"


COUNTS = st.integers(0, 10**12)
PRICES = st.decimals(0, 10**6, places=12)
USAGES = st.builds(
    lambda hour, more, **counts: Usage(cache_write=hour + more, cache_write_1h=hour, **counts),
    COUNTS, COUNTS, input=COUNTS, output=COUNTS, cache_read=COUNTS, reasoning=COUNTS,
)  # fmt: skip
ALL_RATES = st.builds(
    Rates,
    input_usd=PRICES, output_usd=PRICES, cache_read_usd=PRICES, cache_write_usd=PRICES, cache_write_1h_usd=PRICES,
)  # fmt: skip


@given(USAGES, ALL_RATES)
def test_a_cost_is_the_plain_sum_of_tokens_times_rates(usage: Usage, rates: Rates) -> None:
    found = cost(usage, rates).usd
    with localcontext(Context(prec=100)):
        parts = (
            (usage.input, rates.input_usd),
            (usage.output, rates.output_usd),
            (usage.cache_read, rates.cache_read_usd),
            (usage.cache_write - usage.cache_write_1h, rates.cache_write_usd),
            (usage.cache_write_1h, rates.cache_write_1h_usd),
        )
        assert found == sum(tokens * rate for tokens, rate in parts) / 1_000_000


@given(USAGES, USAGES, ALL_RATES)
def test_two_requests_cost_what_they_cost_together(one: Usage, other: Usage, rates: Rates) -> None:
    apart = [cost(usage, rates) for usage in (one, other)]
    together = cost(one + other, rates)
    with localcontext(Context(prec=100)):
        assert together.usd == sum(found.usd for found in apart)
        assert together.uncached_usd == sum(found.uncached_usd for found in apart)


@given(USAGES)
def test_the_price_data_is_additive_where_it_has_no_tiers(usage: Usage) -> None:
    one, two = (cost_of("anthropic", "claude-opus-4-8", asked, NOW, {}).usd for asked in (usage, usage + usage))
    with localcontext(Context(prec=100)):
        assert two == 2 * one


@pytest.mark.parametrize("known", KNOWN_MODELS, ids=str)
def test_the_models_we_know_by_name_have_a_price_list_that_gives_what_they_cost(known: object) -> None:
    listed = listed_rates(known.provider, known.model, NOW, {})
    assert listed.source == SOURCE
    assert cost_of(known.provider, known.model, EXAMPLE, NOW, {}).usd == cost(EXAMPLE, listed.rates).usd


@pytest.mark.parametrize(
    ("model", "above"), [("claude-sonnet-4-5", 200_000), ("claude-haiku-5-5", 100_000), ("claude-opus-4-8", None)]
)
def test_a_price_list_says_where_its_tiers_begin(model: str, above: int | None) -> None:
    tiers = listed_rates("anthropic", model, NOW, {}).tiers
    assert [tier.above_input_tokens for tier in tiers] == ([above] if above else [])
    for tier in tiers:
        usage = Usage(input=above + 1, output=7, cache_read=3, cache_write=5, cache_write_1h=2)
        assert cost_of("anthropic", model, usage, NOW, {}).usd == cost(usage, tier.rates).usd


def test_a_price_of_the_settings_imports_no_price_data() -> None:
    code = """
import sys
from datetime import UTC, datetime
from decimal import Decimal
from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.prices import cost_of
from finclaw_cli.catalog.rates import Rates
from finclaw_cli.core.usage import Usage
rates = Rates(input_usd=Decimal(1), output_usd=Decimal(1))
assert cost_of("a", "b", Usage(input=1), datetime.now(UTC), {"b": rates}, kept=PriceFile(None)).source == "settings"
sys.exit('genai_prices' in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
