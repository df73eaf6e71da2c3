"""The prices of tiers: what part of the standard price a request costs whose answer may take longer.

genai-prices 0.2.3 has the standard price for a batch. Sources, November 2026:
https://platform.claude.com/docs/en/build-with-claude/batch-processing, half of every price of tokens;
https://developers.openai.com/api/docs/guides/batch, half; https://developers.openai.com/api/docs/guides/flex-processing,
the prices of batches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from finclaw_cli.catalog.prices import NO_PRICE, Cost
from finclaw_cli.catalog.rates import EXACT
from finclaw_cli.core.money import tidy
from finclaw_cli.core.usage import Tier

_HALF: Final = Decimal("0.5")
_OPENAI: Final = {"batch": _HALF, "flex": _HALF}
_FACTORS: Final[Mapping[str, Mapping[str, Decimal]]] = {
    "anthropic": {"batch": _HALF},
    "openai": _OPENAI,
    "openai-responses": _OPENAI,
    "openai-chat": _OPENAI,
}


def has_tier(provider: str, tier: Tier) -> bool:
    """Whether a provider has a tier whose price is known."""
    return tier == "standard" or tier in _FACTORS.get(provider, {})


def in_tier(cost: Cost, provider: str, tier: Tier) -> Cost:
    """The cost of a request of a tier, exactly, from its cost in the standard one; unknown where either price is."""
    if tier == "standard":
        return cost
    factor = _FACTORS.get(provider, {}).get(tier)
    if factor is None or cost.usd is None:
        return NO_PRICE
    uncached = None if cost.uncached_usd is None else tidy(EXACT.multiply(cost.uncached_usd, factor))
    return replace(cost, usd=tidy(EXACT.multiply(cost.usd, factor)), uncached_usd=uncached)
