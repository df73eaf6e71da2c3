"""What a request may cost at most, where a price is not known."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from finclaw_cli.catalog.prices import NO_PRICE, Cost
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.budget import Limited, Wish
from finclaw_cli.engine.prices import NoPrices
from finclaw_cli.engine.request import ModelRef

WISH = Wish(
    ref=ModelRef(provider="acme", model="large"),
    at=datetime(2026, 1, 1, tzinfo=UTC),
    input_tokens=1_000,
    output_tokens=1_000,
    spent_usd=Decimal(0),
)


class NoPriceOfCaches(NoPrices):
    """A list with all prices but those of the cache."""

    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost:
        if usage.cache_read or usage.cache_write:
            return NO_PRICE
        return Cost(usd=Decimal(1), uncached_usd=Decimal(1), source="test")


@pytest.mark.parametrize("prices", [NoPrices(), NoPriceOfCaches()])
async def test_where_a_price_is_not_known_no_limit_is_kept_by_guessing(prices: NoPrices) -> None:
    with pytest.raises(UsageError) as refused:
        await Limited(prices=prices, max_cost_usd=Decimal(1)).allow(WISH)
    assert refused.value.code == "unknown_price"
