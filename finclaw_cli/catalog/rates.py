"""The rates of a model's tokens, with tiers for large requests, and the cost of a request."""

from __future__ import annotations

from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow
from typing import Annotated

from finclaw_cli.core.checked import ReadBy, Within
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import MOST_TOKENS, Usage

# Some price lists have thirds in them (0.041666666666666664): the 28 digits of the default context can be too few.
# A count of tokens that exceeds these digits is invalid, and has no price rather than a rounded one.
EXACT = Context(prec=200, traps=[Inexact, InvalidOperation, DivisionByZero, Overflow])
_MILLION = Decimal(1_000_000)


def _rate(given: object) -> Decimal:
    try:
        rate = Decimal(given) if isinstance(given, str) else given
    except ArithmeticError:
        rate = None
    if not isinstance(rate, Decimal) or not rate.is_finite() or rate < 0:
        raise ValueError("must be an amount, its digits in a text")
    return rate


Rate = Annotated[Decimal, ReadBy(_rate)]


@record(kw_only=True)
class Rates:
    """The rates of a model's tokens, in USD per million tokens."""

    input_usd: Rate
    output_usd: Rate
    cache_read_usd: Rate | None = None
    """None: as input."""
    cache_write_usd: Rate | None = None
    """None: as input."""
    cache_write_1h_usd: Rate | None = None
    """Cache writes for an hour; None: as shorter ones."""


@record(kw_only=True)
class RateTier:
    """The rates of **all** tokens of a request with more input tokens, including cached ones, than a limit."""

    above_input_tokens: Annotated[int, Within(0, MOST_TOKENS)]
    rates: Rates


@record(kw_only=True)
class PriceList:
    """A model's price list: the rates of small requests, and those of large ones where they differ."""

    rates: Rates
    tiers: tuple[RateTier, ...] = ()
    """In the order of their limits, the lowest first."""

    def rates_at(self, input_tokens: int) -> Rates:
        """The rates of a request of that many input tokens, including cached ones."""
        reached = [tier.rates for tier in self.tiers if input_tokens > tier.above_input_tokens]
        return reached[-1] if reached else self.rates


def sum_of_products(rates: Rates, usage: Usage) -> Decimal:
    """The cost of the tokens in USD.

    Raises:
        ArithmeticError: it has more digits than the context `EXACT` has.
    """
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
