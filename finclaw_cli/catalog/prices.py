"""The cost of a request, by the settings, else by the price data in genai-prices; never from the network.

All amounts are USD, all rates USD per million tokens, all of them `Decimal` and never rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal, localcontext
from typing import Any

from finclaw_cli.catalog.price_data import MAKERS, is_model_name, price_data_name
from finclaw_cli.catalog.price_file import KnownPrice, PriceFile, utc_day
from finclaw_cli.catalog.rates import EXACT, PriceList, Rates, RateTier, sum_of_products
from finclaw_cli.catalog.windows import SETTINGS
from finclaw_cli.core.money import tidy
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage

_OF_TOKENS = frozenset({"input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok", "cache_write_1h_mtok"})
# Prices of tools that a provider runs, which finclaw's requests do not use.
_OF_NOTHING_ASKED = frozenset({"web_searches_kcount", "storage_searches_kcount"})


@record(kw_only=True)
class Cost:
    """The cost of a request in USD."""

    usd: Decimal | None
    """None where the price is unknown, never 0."""
    uncached_usd: Decimal | None
    """The cost of the same tokens without a cache."""
    source: str
    """`settings`, `genai-prices X.Y.Z`, `scripted`, or nothing where there is no price."""


NO_PRICE = Cost(usd=None, uncached_usd=None, source="")


@record(kw_only=True)
class ListedRates(PriceList):
    """A model's price list and its source."""

    source: str
    """`settings`, or `genai-prices X.Y.Z`."""


def cost_of(
    provider: str, model: str, usage: Usage, at: datetime, overrides: Mapping[str, Rates], *, kept: PriceFile
) -> Cost:
    """The cost of a request at a moment, in USD; `NO_PRICE` where the provider's price for the model is unknown.

    Args:
        provider: the provider's name, before the colon in `provider:model`.
        model: the provider's own name for the model.
        usage: the request's tokens.
        at: the time of the request: price lists change.
        overrides: rates by `provider:model` or by the model's name alone; they replace the model's whole price list.
        kept: the cache of the price data.
    """
    rates, usage = set_rates(provider, model, overrides), _consistent(usage)
    with localcontext(EXACT):
        if rates is not None:
            return _by_price_list(PriceList(rates=rates), usage, SETTINGS)
        if not is_model_name(model):
            return NO_PRICE
        if (known := kept.known(provider, model).price_at(at)) is not None:
            return _by_price_list(known.listed, usage, price_data_name()) if known.listed else NO_PRICE
        return _by_price_data(provider, model, usage, at, kept)


def set_rates(provider: str, model: str, overrides: Mapping[str, Rates]) -> Rates | None:
    """The rates in the settings; `provider:model` takes precedence. Imports no price data."""
    return overrides.get(f"{provider}:{model}") or overrides.get(model)


def listed_rates(provider: str, model: str, at: datetime, overrides: Mapping[str, Rates]) -> ListedRates | None:
    """A model's price list at a moment; None where it is unknown."""
    if rates := set_rates(provider, model, overrides):
        return ListedRates(rates=rates, tiers=(), source=SETTINGS)
    if not is_model_name(model):
        return None
    try:
        with localcontext(EXACT):
            listed = _price_list(_calculated(provider, model, Usage(), at).model_price)
            return ListedRates(rates=listed.rates, tiers=listed.tiers, source=price_data_name())
    except Exception:  # noqa: BLE001 - as above
        return None


def _by_price_list(listed: PriceList, usage: Usage, source: str) -> Cost:
    uncached_usage = _uncached(usage)
    rates = listed.rates_at(uncached_usage.input)
    try:
        usd, uncached = sum_of_products(rates, usage), sum_of_products(rates, uncached_usage)
    except ArithmeticError:
        return NO_PRICE
    return Cost(usd=tidy(usd), uncached_usd=tidy(uncached), source=source)


def _consistent(usage: Usage) -> Usage:
    """The usage with cache writes for an hour limited to all cache writes: a stream may correct the sum alone."""
    return replace(usage, cache_write_1h=min(usage.cache_write_1h, usage.cache_write))


def _uncached(usage: Usage) -> Usage:
    return Usage(input=usage.input + usage.cache_read + usage.cache_write, output=usage.output)


def _by_price_data(provider: str, model: str, usage: Usage, at: datetime, kept: PriceFile) -> Cost:
    try:
        cost, price = _priced(provider, model, usage, at)
    except LookupError:  # an unknown model
        cost, price = NO_PRICE, KnownPrice(listed=None, day=None)
    except Exception:  # noqa: BLE001 - a failure of the library means an unknown price
        return NO_PRICE
    if price is not None:
        kept.keep_price(provider, model, price)
    return cost


def _priced(provider: str, model: str, usage: Usage, at: datetime) -> tuple[Cost, KnownPrice | None]:
    """The cost of a request by the library, and the part of it that can be cached."""
    found = _calculated(provider, model, usage, at)
    if not _is_priced(found.model_price):
        return NO_PRICE, _lasting(found, at)
    usd = uncached = found.total_price
    if usage.cache_read or usage.cache_write:
        uncached = _calculated(provider, model, _uncached(usage), at).total_price
    return Cost(usd=tidy(usd), uncached_usd=tidy(uncached), source=price_data_name()), _lasting(found, at)


def _calculated(provider: str, model: str, usage: Usage, at: datetime) -> Any:  # its types are imported lazily
    """The library's `PriceCalculation` of a request.

    It counts cached tokens as a part of the input, and cache writes for an hour as a part of all cache writes; ours are
    disjoint but for the latter.

    Raises:
        LookupError: the model is unknown.
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
    return calc_price(counted, model, provider_id=maker, genai_request_timestamp=at)


def _is_priced(prices: Any) -> bool:
    """Whether there is a price for input and for output; the library returns 0 for none."""
    return prices.input_mtok is not None and prices.output_mtok is not None


def _lasting(found: Any, at: datetime) -> KnownPrice | None:
    """The price list that is valid for the day, or for all days; None where prices depend on more than tokens."""
    from genai_prices.types import StartDateConstraint, TieredPrices

    listed = found.model.prices
    dated = listed if isinstance(listed, list) else []
    if not all(isinstance(each.constraint, StartDateConstraint | None) for each in dated):
        return None
    prices = {key: price for key, price in vars(found.model_price).items() if price is not None}
    is_by_size = all(isinstance(price, Decimal | TieredPrices) for price in prices.values())
    if not is_by_size or not prices.keys() <= _OF_TOKENS | _OF_NOTHING_ASKED:
        return None
    listed = _price_list(found.model_price) if _is_priced(found.model_price) else None
    return KnownPrice(listed=listed, day=utc_day(at) if dated else None)


def _price_list(prices: Any) -> PriceList:
    """The library's prices as one price list: it may have different tiers for each kind of tokens."""
    listed = (getattr(price, "tiers", ()) for price in vars(prices).values())
    starts = sorted({tier.start for tiers in listed for tier in tiers})
    tiers = tuple(RateTier(above_input_tokens=start, rates=_rates_at(prices, start + 1)) for start in starts)
    return PriceList(rates=_rates_at(prices, 0), tiers=tiers)


def _rates_at(prices: Any, input_tokens: int) -> Rates:
    """The rates of a request of that many input tokens."""

    def rate(key: str) -> Decimal | None:
        price = getattr(prices, key)
        tiers = [tier for tier in getattr(price, "tiers", ()) if input_tokens > tier.start]
        found = tiers[-1].price if tiers else getattr(price, "base", price)
        return found if isinstance(found, Decimal) else None

    goes_in, comes_out = rate("input_mtok"), rate("output_mtok")
    if goes_in is None or comes_out is None:
        raise LookupError("no price list")
    return Rates(
        input_usd=goes_in,
        output_usd=comes_out,
        cache_read_usd=rate("cache_read_mtok"),
        cache_write_usd=rate("cache_write_mtok"),
        cache_write_1h_usd=rate("cache_write_1h_mtok"),
    )
