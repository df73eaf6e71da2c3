"""What a model's tokens cost, in small requests and in large ones, and what so many of them come to."""

from __future__ import annotations

from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow
from typing import Annotated

from finclaw_cli.core.checked import ReadBy, Within
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import MOST_TOKENS, Usage

# Some price lists have thirds in them (0.041666666666666664): the 28 digits of the default context can be too few.
# What does not fit in these digits is no count of tokens, and has no price rather than a rounded one.
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
    """What a model's tokens cost, in USD per million tokens."""

    input_usd: Rate
    output_usd: Rate
    cache_read_usd: Rate | None = None
    """None: as input."""
    cache_write_usd: Rate | None = None
    """None: as input."""
    cache_write_1h_usd: Rate | None = None
    """What is written for an hour; None: as what is written for less."""


@record(kw_only=True)
class RateTier:
    """The rates of **all** tokens of a request that has more input tokens than that, cached ones counted."""

    above_input_tokens: Annotated[int, Within(0, MOST_TOKENS)]
    rates: Rates


@record(kw_only=True)
class PriceList:
    """A model's price list: the rates of small requests, and those of large ones where they differ."""

    rates: Rates
    tiers: tuple[RateTier, ...] = ()
    """By where they begin, the lowest first."""

    def rates_at(self, input_tokens: int) -> Rates:
        """The rates of a request of that many input tokens, cached ones counted."""
        reached = [tier.rates for tier in self.tiers if input_tokens > tier.above_input_tokens]
        return reached[-1] if reached else self.rates


def sum_of_products(rates: Rates, usage: Usage) -> Decimal:
    """What the tokens come to, in USD.

    Raises:
        ArithmeticError: that has more digits than the context has room for, where it is `EXACT`.
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
