"""What a request costs, by the price data that comes with genai-prices; nothing is ever asked of the network."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from finclaw_cli.catalog.windows import MAKERS
from finclaw_cli.core.usage import Usage


def cost_usd(provider: str, model: str, usage: Usage, at: datetime) -> Decimal | None:
    """The price of a request of that moment, in USD; None where nobody knows the provider's price for the model.

    The library counts cached tokens as a part of the input, and those written for an hour as a part of those written;
    ours are disjoint but for the latter.
    """
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    counted = Counted(
        input_tokens=usage.input + usage.cache_read + usage.cache_write,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        cache_write_1h_tokens=usage.cache_write_1h,
        output_tokens=usage.output,
    )
    maker = MAKERS.get(provider, provider)
    try:
        return calc_price(counted, model, provider_id=maker, genai_request_timestamp=at).total_price
    except (LookupError, ValueError):  # counts that contradict each other have no price
        return None
