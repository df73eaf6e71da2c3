"""What a request costs: by the settings, else by the price data that comes with genai-prices; never from the network.

All amounts are USD, all rates USD per million tokens, all of them `Decimal`, and none is ever rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow, localcontext
from typing import Any

from finclaw_cli.catalog.windows import MAKERS, SETTINGS, is_model_name, price_data_name
from finclaw_cli.core.money import tidy
from finclaw_cli.core.usage import Usage

# Some price lists have thirds in them (0.041666666666666664): the 28 digits of the default context can be too few.
# What does not fit in these digits is no count of tokens, and has no price rather than a rounded one.
EXACT = Context(prec=200, traps=[Inexact, InvalidOperation, DivisionByZero, Overflow])
_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What a model's tokens cost, in USD per million tokens."""

    input_usd: Decimal
    output_usd: Decimal
    cache_read_usd: Decimal | None = None
    """None: as input."""
    cache_write_usd: Decimal | None = None
    """None: as input."""
    cache_write_1h_usd: Decimal | None = None
    """What is written for an hour; None: as what is written for less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a request cost, in USD."""

    usd: Decimal | None
    """None where nobody knows the price: never 0 for that."""
    uncached_usd: Decimal | None
    """What the same tokens would have cost had none come from a cache, or gone to one."""
    source: str
    """`settings`, `genai-prices X.Y.Z`, `scripted`, or nothing where there is no price."""


NO_PRICE = Cost(usd=None, uncached_usd=None, source="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTier:
    """The rates of **all** tokens of a request that has more input tokens than that, cached ones counted."""

    above_input_tokens: int
    rates: Rates


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRates:
    """A model's price list: the rates of small requests, and those of large ones where they differ."""

    rates: Rates
    tiers: tuple[RateTier, ...]
    source: str
    """`settings`, or `genai-prices X.Y.Z`."""


def cost_of(provider: str, model: str, usage: Usage, at: datetime, overrides: Mapping[str, Rates]) -> Cost:
    """The price of a request of that moment, in USD; `NO_PRICE` where nobody knows the provider's price for the model.

    Args:
        provider: the provider's name, what stands before the colon in `provider:model`.
        model: the provider's own name for the model.
        usage: the request's tokens.
        at: when it was made: price lists change.
        overrides: rates by `provider:model` or by the model's name alone; they stand for the model's whole price list.
    """
    rates, usage = set_rates(provider, model, overrides), _consistent(usage)
    with localcontext(EXACT):
        if rates is None:
            return _by_price_data(provider, model, usage, at)
        try:
            usd, uncached = _sum_of_products(rates, usage), _sum_of_products(rates, _uncached(usage))
        except ArithmeticError:
            return NO_PRICE
        return Cost(usd=tidy(usd), uncached_usd=tidy(uncached), source=SETTINGS)


def set_rates(provider: str, model: str, overrides: Mapping[str, Rates]) -> Rates | None:
    """The rates that somebody has said they are; costs nothing. What is more exact wins."""
    return overrides.get(f"{provider}:{model}") or overrides.get(model)


def listed_rates(provider: str, model: str, at: datetime, overrides: Mapping[str, Rates]) -> ListedRates | None:
    """A model's price list at a moment; None where nobody knows it."""
    if rates := set_rates(provider, model, overrides):
        return ListedRates(rates=rates, tiers=(), source=SETTINGS)
    try:
        with localcontext(EXACT):
            prices = _calculated(provider, model, Usage(), at).model_price
            return ListedRates(rates=_rates_at(prices, 0), tiers=_tiers(prices), source=price_data_name())
    except Exception:  # noqa: BLE001 - as above
        return None


def _sum_of_products(rates: Rates, usage: Usage) -> Decimal:
    read = rates.input_usd if rates.cache_read_usd is None else rates.cache_read_usd
    write = rates.input_usd if rates.cache_write_usd is None else rates.cache_write_usd
    write_1h = write if rates.cache_write_1h_usd is None else rates.cache_write_1h_usd
    millionths = (
        usage.input * rates.input_usd
        + usage.output * rates.output_usd
        + usage.cache_read * read
        + (usage.cache_write - usage.cache_write_1h) * write
        + usage.cache_write_1h * write_1h
    )
    return millionths / _MILLION


def _consistent(usage: Usage) -> Usage:
    """The usage with no more written for an hour than was written: a stream may correct the sum and not the part."""
    return replace(usage, cache_write_1h=min(usage.cache_write_1h, usage.cache_write))


def _uncached(usage: Usage) -> Usage:
    return Usage(input=usage.input + usage.cache_read + usage.cache_write, output=usage.output)


def _by_price_data(provider: str, model: str, usage: Usage, at: datetime) -> Cost:
    try:
        usd = uncached = _calculated(provider, model, usage, at).total_price
        if usage.cache_read or usage.cache_write:
            uncached = _calculated(provider, model, _uncached(usage), at).total_price
    except Exception:  # noqa: BLE001 - whatever fails in the library, a run goes on: its price is not known
        return NO_PRICE
    return Cost(usd=tidy(usd), uncached_usd=tidy(uncached), source=price_data_name())


def _calculated(provider: str, model: str, usage: Usage, at: datetime) -> Any:  # its types are not imported up here
    """What the library makes of a request, its `PriceCalculation`.

    It counts cached tokens as a part of the input, and those written for an hour as a part of those written; ours are
    disjoint but for the latter.

    Raises:
        LookupError: it has no price for tokens that go in, or for those that come out; it would call that 0.
    """
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    if not is_model_name(model):
        raise LookupError(model)
    counted = Counted(
        input_tokens=usage.input + usage.cache_read + usage.cache_write,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        cache_write_1h_tokens=usage.cache_write_1h,
        output_tokens=usage.output,
    )
    maker = MAKERS.get(provider, provider)
    found = calc_price(counted, model, provider_id=maker, genai_request_timestamp=at)
    if found.model_price.input_mtok is None or found.model_price.output_mtok is None:
        raise LookupError(model)
    return found


def _tiers(prices: Any) -> tuple[RateTier, ...]:
    listed = (getattr(price, "tiers", ()) for price in vars(prices).values())
    starts = sorted({tier.start for tiers in listed for tier in tiers})
    return tuple(RateTier(above_input_tokens=start, rates=_rates_at(prices, start + 1)) for start in starts)


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
