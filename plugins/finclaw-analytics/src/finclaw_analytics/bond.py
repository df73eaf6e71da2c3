"""`bond`: price to yield and back, accrued interest, duration and convexity."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal

from finclaw_analytics.coupons import Bond, bond_on
from finclaw_analytics.daycount import DayCount
from finclaw_analytics.numbers import bad_input, decimal_within, price_text, stat, within
from finclaw_cli.sdk import FinanceResult, Method, tool

_LONGEST_YEARS = 150
_EARLIEST_YEAR = 1700
_COUNTED: dict[DayCount, str] = {
    "act/act": "accrued = coupon × actual days / actual days of the period (act/act ICMA); first period's share alike",
    "30/360": "accrued = rate × 30/360 US days / 360; first period's share in 30/360 days",
    "act/365f": "accrued = rate × actual days / 365; first period's share in actual days of the period",
    "act/360": "accrued = rate × actual days / 360; first period's share in actual days of the period",
}
_CONVENTION = (
    "per 100 face; dirty = clean + accrued = sum of payment / (1 + yield/frequency)^(periods left), compounded in the "
    "last period too; level coupons of 100 × rate / frequency, dates counted back from maturity (month ends stay month "
    "ends), no holidays; a coupon on the settlement date is paid already; modified = macaulay / (1 + yield/frequency); "
    "convexity = second derivative / dirty; dv01 = modified × dirty / 10000"
)
_UNITS = {
    "clean": "per 100 face",
    "dirty": "per 100 face",
    "accrued": "per 100 face",
    "yield": "1 a year (fraction)",
    "macaulay_duration": "years",
    "modified_duration": "years",
    "convexity": "years²",
    "dv01": "per 100 face and 0.01 % point of yield",
}
_EXAMPLE = {"settlement": "2024-03-15", "maturity": "2030-05-15", "coupon_rate": 0.04, "yield_rate": 0.045}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def bond(
    settlement: date,
    maturity: date,
    coupon_rate: float,
    *,
    yield_rate: float | None = None,
    price: Decimal | None = None,
    price_is: Literal["clean", "dirty"] = "clean",
    frequency: Literal[1, 2, 4, 12] = 2,
    day_count: DayCount = "act/act",
) -> FinanceResult:
    """Price of a level-coupon bond from its yield, or yield from price; accrued interest, durations, convexity.

    Args:
        settlement: day of payment.
        maturity: day of repayment.
        coupon_rate: per year, a fraction.
        yield_rate: per year, compounded at the frequency, a fraction; or price.
        price: per 100 face.
        price_is: without or with accrued interest.
        frequency: coupons a year.
        day_count: act/act is ICMA, 30/360 is US.
    """
    if (yield_rate is None) == (price is None):
        raise bad_input("give either yield_rate or price")
    _check_dates(settlement, maturity)
    within("coupon_rate", coupon_rate, 0, 10)
    left = bond_on(settlement, maturity, coupon_rate, frequency, day_count)
    rate = _solved(left, price, price_is) if price is not None else yield_rate or 0.0
    convention = f"{_CONVENTION}; {_COUNTED[day_count]}; yield compounded {frequency} times a year"
    return FinanceResult(
        data={"solved_for": "yield" if price is not None else "price", **_figures(left, rate)},
        as_of=settlement.isoformat(),
        units=_UNITS,
        method=Method(name="bond_street", convention=convention, n=len(left.cash)),
        warnings=("the yield is negative",) if rate < 0 else (),
    )


def _figures(left: Bond, rate: float) -> dict[str, object]:
    within("yield_rate / frequency", rate / left.frequency, -0.99, 10)
    dirty = left.dirty(rate)
    within("dirty price", dirty, 1e-9, 1e15)
    macaulay, convexity = left.moments(rate)
    modified = macaulay / (1 + rate / left.frequency)
    return {
        "clean": price_text(dirty - left.accrued),
        "dirty": price_text(dirty),
        "accrued": price_text(left.accrued),
        "yield": stat(rate),
        "macaulay_duration": stat(macaulay),
        "modified_duration": stat(modified),
        "convexity": stat(convexity),
        "dv01": stat(modified * dirty / 10_000),
        "previous_coupon": left.previous,
        "next_coupon": left.upcoming,
        "coupons_left": len(left.cash),
    }


def _check_dates(settlement: date, maturity: date) -> None:
    if settlement >= maturity:
        raise bad_input(f"settlement {settlement} is not before maturity {maturity}")
    if maturity.year - settlement.year > _LONGEST_YEARS or settlement.year < _EARLIEST_YEAR:
        raise bad_input(f"more than {_LONGEST_YEARS} years to maturity, or a settlement before {_EARLIEST_YEAR}")


def _solved(left: Bond, price: Decimal, price_is: str) -> float:
    given = float(decimal_within("price", price, Decimal("0.000001"), Decimal(10) ** 9))
    return left.yield_at(given + left.accrued if price_is == "clean" else given)
