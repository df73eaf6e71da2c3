"""From holdings to target weights: what to buy and to sell, in whole units and with the money there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_PARTS = 10**6
"""Into how many parts a unit can be divided where units need not be whole."""

METHOD = (
    "target value = target × (value of all + contribution); sold is what is above its target, bought what is below, as "
    "far as the money goes: where it is short, each purchase by the same part; then one unit at a time for the largest "
    "shortfall while that brings it nearer to its target; trades below the minimum are left out, but for sales that "
    "pay for money taken out; taxes and costs of trading are not counted"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """Something that can be traded; amounts in the base currency."""

    symbol: str
    price: Fraction
    """Of one unit."""
    value: Fraction
    """Of what is held."""
    target: Fraction
    """The part of everything that it is to be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What trades may be."""

    cash: Fraction = Fraction(0)
    """The money that is held."""
    contribution: Fraction = Fraction(0)
    """Money that is added; negative for money that is taken out."""
    sell: bool = True
    whole: bool = True
    minimum: Fraction = Fraction(0)
    """The smallest amount of a trade."""

    def units(self, wanted: Fraction) -> Fraction:
        """A number of units that can be traded, towards zero."""
        parts = 1 if self.whole else _PARTS
        return Fraction(int(wanted * parts), parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Units to trade of each asset, negative for sales, and the money that is left."""

    units: tuple[Fraction, ...]
    cash: Fraction


def rebalanced(assets: Sequence[Asset], limits: Limits) -> Plan:
    """Find the trades that bring each asset as near to its target as the limits allow.

    The money that is left is not less than zero, but where it was so and nothing may be sold.
    """
    money = limits.cash + limits.contribution
    total = money + sum(one.value for one in assets)
    gaps = [one.target * max(total, Fraction(0)) - one.value for one in assets]
    kept = (1 - sum(one.target for one in assets)) * total
    units = [_sold(one, gap, limits) for one, gap in zip(assets, gaps, strict=True)]
    money -= sum(count * one.price for one, count in zip(assets, units, strict=True))
    bought = _bought(assets, [gap if gap > 0 else Fraction(0) for gap in gaps], max(money - kept, Fraction(0)), limits)
    units = [sold + more for sold, more in zip(units, bought, strict=True)]
    spent = sum(count * one.price for one, count in zip(assets, bought, strict=True))
    return Plan(units=tuple(units), cash=money - spent)


def _sold(asset: Asset, gap: Fraction, limits: Limits) -> Fraction:
    """Units to sell, as a negative number."""
    if gap >= 0 or not limits.sell or not asset.price:
        return Fraction(0)
    units = limits.units(gap / asset.price)
    if limits.contribution < 0 and units != gap / asset.price:
        # Money that is taken out has to be there: then the part of a unit is sold as a whole one, of what is held.
        return max(units - 1, -asset.value / asset.price)
    is_small = -units * asset.price < limits.minimum and limits.contribution >= 0
    return Fraction(0) if is_small else units


def _bought(assets: Sequence[Asset], gaps: list[Fraction], money: Fraction, limits: Limits) -> list[Fraction]:
    """Units to buy; while a purchase is below the minimum, the smallest is left out, and the others get its money."""
    while True:
        units = _spread(assets, gaps, money, limits)
        amounts = [count * one.price for one, count in zip(assets, units, strict=True)]
        small = [at for at, amount in enumerate(amounts) if 0 < amount < limits.minimum]
        if not small:
            return units
        gaps[min(small, key=lambda at: amounts[at])] = Fraction(0)


def _spread(assets: Sequence[Asset], gaps: Sequence[Fraction], money: Fraction, limits: Limits) -> list[Fraction]:
    short = sum(gaps, Fraction(0))
    part = min(Fraction(1), money / short) if short else Fraction(0)
    units = [limits.units(gap * part / one.price) for one, gap in zip(assets, gaps, strict=True)]
    money -= sum(count * one.price for one, count in zip(assets, units, strict=True))
    while limits.whole:
        left = [gap - count * one.price for one, gap, count in zip(assets, gaps, units, strict=True)]
        fitting = [at for at, one in enumerate(assets) if one.price <= money and left[at] * 2 > one.price]
        if not fitting:
            break
        best = max(fitting, key=lambda at: left[at])
        units[best] += 1
        money -= assets[best].price
    return units
