"""European options on an asset with a continuous dividend yield: value, greeks, implied volatility.

Sources: Black and Scholes 1973; Merton 1973; the forms follow Haug, The Complete Guide to Option Pricing Formulas, 1.1
and 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["call", "put"]

_MOST_TOTAL = 100.0
_STEPS = 300


def cumulative(x: float) -> float:
    """The standard normal distribution function; by erfc, so that the far lower tail keeps its digits."""
    return math.erfc(-x / math.sqrt(2)) / 2


def density(x: float) -> float:
    """The standard normal density."""
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One European option. Rates are continuous, per year; `years` to expiry; `vol` per square root of a year."""

    kind: Kind
    spot: float
    strike: float
    years: float
    rate: float
    dividend_yield: float
    vol: float

    @property
    def sign(self) -> int:
        return 1 if self.kind == "call" else -1

    @property
    def present_spot(self) -> float:
        """The spot without the dividends until expiry."""
        return self.spot * math.exp(-self.dividend_yield * self.years)

    @property
    def present_strike(self) -> float:
        """The strike discounted from expiry."""
        return self.strike * math.exp(-self.rate * self.years)

    @property
    def total(self) -> float:
        """Deviation of the log price until expiry."""
        return self.vol * math.sqrt(self.years)

    @property
    def moneyness(self) -> float:
        """Log of forward over strike."""
        return math.log(self.spot / self.strike) + (self.rate - self.dividend_yield) * self.years

    @property
    def lower_bound(self) -> float:
        return max(0.0, self.sign * (self.present_spot - self.present_strike))

    @property
    def upper_bound(self) -> float:
        return self.present_spot if self.kind == "call" else self.present_strike

    @property
    def certain(self) -> bool:
        """Whether nothing is left to chance: no time or no volatility, where the formula divides by zero."""
        return self.total == 0

    def depths(self) -> tuple[float, float]:
        """d1 and d2 of the formula; not to be asked where the option is certain."""
        first = self.moneyness / self.total + self.total / 2
        return first, first - self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeks:
    """First derivatives and gamma: per 1 of spot, of volatility (1.00), of a year, of rate (1.00); None at a kink."""

    delta: float | None
    gamma: float | None
    vega: float | None
    theta: float | None
    rho: float | None


def value(option: Option) -> float:
    """The option's value; where nothing is left to chance, what it pays on the forward, discounted."""
    if option.certain:
        return option.lower_bound
    first, second = option.depths()
    sign = option.sign
    paid = option.present_spot * cumulative(sign * first) - option.present_strike * cumulative(sign * second)
    return max(sign * paid, option.lower_bound)


def greeks(option: Option) -> Greeks:
    """The derivatives of the value; theta is the change as time passes."""
    if option.certain:
        return _greeks_for_certain(option)
    first, second = option.depths()
    sign = option.sign
    spot_part = option.present_spot * cumulative(sign * first)
    strike_part = option.present_strike * cumulative(sign * second)
    decay = option.present_spot * density(first) * option.vol / (2 * math.sqrt(option.years))
    return Greeks(
        delta=sign * spot_part / option.spot,
        gamma=option.present_spot * density(first) / (option.spot**2 * option.total),
        vega=option.present_spot * density(first) * math.sqrt(option.years),
        theta=-decay + sign * (option.dividend_yield * spot_part - option.rate * strike_part),
        rho=sign * option.years * strike_part,
    )


def _greeks_for_certain(option: Option) -> Greeks:
    edge = option.sign * (option.present_spot - option.present_strike)
    if edge == 0:
        return Greeks(delta=None, gamma=None, vega=None, theta=None, rho=None)
    if edge < 0:
        return Greeks(delta=0.0, gamma=0.0, vega=0.0, theta=0.0, rho=0.0)
    spot, strike = option.present_spot, option.present_strike
    return Greeks(
        delta=option.sign * spot / option.spot,
        gamma=0.0,
        vega=0.0,
        theta=option.sign * (option.dividend_yield * spot - option.rate * strike),
        rho=option.sign * option.years * strike,
    )


def implied_volatility(option: Option, price: float) -> float:
    """The volatility at which the option is worth the price; its own `vol` is not looked at.

    The option out of the money is solved for (by put-call parity), whose whole value is time value: that keeps digits.

    Args:
        option: with more than 0 years.
        price: above the lower and below the upper bound.
    """
    bound = option.sign * (option.present_spot - option.present_strike)
    target, outside = price, option
    if bound > 0:
        target, outside = price - bound, replace(option, kind="put" if option.kind == "call" else "call")
    low, high = 0.0, _MOST_TOTAL / math.sqrt(option.years)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if value(replace(outside, vol=middle)) < target else (low, middle)
    return (low + high) / 2
