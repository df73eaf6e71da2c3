"""The prices of tiers: exactly half of the standard price, and none where it is not known."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.prices import NO_PRICE, Cost, cost_of
from finclaw_cli.catalog.tiers import has_tier, in_tier
from finclaw_cli.core.usage import Tier, Usage

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("provider", "model", "tier"),
    [("anthropic", "claude-sonnet-4-5", "batch"), ("openai", "gpt-5", "batch"), ("openai", "gpt-5", "flex")],
)
def test_every_price_of_tokens_is_halved(tmp_path: Path, provider: str, model: str, tier: Tier):
    usage = Usage(input=1_001, output=333, cache_read=77, cache_write=55, cache_write_1h=11)
    standard = cost_of(provider, model, usage, NOW, {}, kept=PriceFile(tmp_path / "prices"))
    half = in_tier(standard, provider, tier)
    amounts = (half.usd, half.uncached_usd)
    assert [amount and 2 * amount for amount in amounts] == [standard.usd, standard.uncached_usd]
    assert None not in amounts
    assert half.source == standard.source


@given(st.decimals(min_value=0, max_value=10**9, places=18))
def test_half_is_exact(usd: Decimal):
    half = in_tier(Cost(usd=usd, uncached_usd=None, source="s"), "anthropic", "batch").usd
    assert half is not None
    assert half + half == usd


@pytest.mark.parametrize(("provider", "tier"), [("anthropic", "flex"), ("my-server", "batch")])
def test_a_tier_without_a_price_costs_an_unknown_amount(provider: str, tier: Tier):
    assert not has_tier(provider, tier)
    assert in_tier(Cost(usd=Decimal(1), uncached_usd=Decimal(1), source="s"), provider, tier) == NO_PRICE


def test_the_standard_tier_costs_what_it_costs():
    cost = Cost(usd=Decimal(1), uncached_usd=Decimal(2), source="s")
    assert has_tier("my-server", "standard")
    assert in_tier(cost, "my-server", "standard") is cost
