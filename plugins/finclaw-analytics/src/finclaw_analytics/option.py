"""`option_value`: a European option's value or implied volatility, and its greeks with their units."""

from __future__ import annotations

from dataclasses import replace

from finclaw_analytics.blackscholes import Greeks, Kind, Option, greeks, implied_volatility, value
from finclaw_analytics.numbers import bad_input, price_text, stat, within
from finclaw_cli.sdk import FinanceResult, Method, tool

_DAYS = 365
_LARGEST, _SMALLEST = 1e12, 1e-9
_MOST_DISCOUNT = 50.0
_FAINT = 1e-9
_CONVENTION = (
    "Black-Scholes-Merton, European exercise only (an American option can be worth more); rates continuous; "
    "years = days / 365 where days are given; vega per 1 vol point (0.01) = dV/dvol / 100; theta per calendar day = "
    "-dV/dT / 365; rho per 1 % point = dV/dr / 100; delta and gamma per 1 of spot"
)
_UNITS = {
    "price": "as spot and strike",
    "vol": "1 per √year (fraction)",
    "years": "years",
    "delta": "price per 1 of spot",
    "gamma": "delta per 1 of spot",
    "vega": "price per 1 vol point (0.01)",
    "theta": "price per calendar day",
    "rho": "price per 1 % point of rate (0.01)",
}
_EXAMPLE = {"kind": "call", "spot": 49, "strike": 50, "years": 0.3846, "rate": 0.05, "vol": 0.2}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def option_value(
    kind: Kind,
    spot: float,
    strike: float,
    rate: float,
    *,
    expiry_days: float | None = None,
    years: float | None = None,
    vol: float | None = None,
    price: float | None = None,
    dividend_yield: float = 0.0,
) -> FinanceResult:
    """Price (from vol) or implied volatility (from price) of a European option, with greeks.

    Args:
        kind: call or put.
        spot: of the underlying.
        strike: same currency.
        rate: continuous, per year, a fraction.
        expiry_days: calendar days left; or years.
        years: time left.
        vol: yearly, a fraction; or price.
        price: of the option.
        dividend_yield: continuous, per year, a fraction.
    """
    if (vol is None) == (price is None):
        raise bad_input("give either vol or price")
    if (expiry_days is None) == (years is None):
        raise bad_input("give either expiry_days or years")
    left = years if years is not None else (expiry_days or 0.0) / _DAYS
    option = _checked(
        Option(
            kind=kind,
            spot=spot,
            strike=strike,
            years=left,
            rate=rate,
            dividend_yield=dividend_yield,
            vol=within("vol", vol if vol is not None else 0.0, 0, 100),
        )
    )
    if price is not None:
        _check_price(option, price)
        option = replace(option, vol=implied_volatility(option, price))
    return _answer(option, greeks(option), price)


def _remarks(option: Option, found: Greeks, price: float | None) -> tuple[str, ...]:
    notes = []
    if price is not None and price - option.lower_bound < _FAINT * price:
        notes.append("almost all of the price is intrinsic value: the implied vol hangs on its last digits")
    if option.certain:
        notes.append("no time or no volatility is left: the value is certain")
    if found.delta is None:
        notes.append("at the strike itself the greeks are undefined and null")
    return tuple(notes)


def _checked(option: Option) -> Option:
    within("spot", option.spot, _SMALLEST, _LARGEST)
    within("strike", option.strike, _SMALLEST, _LARGEST)
    within("years", option.years, 0, 200)
    for name, rate in (("rate", option.rate), ("dividend_yield", option.dividend_yield)):
        within(name, rate, -1, 10)
        within(f"{name} × years", rate * option.years, -_MOST_DISCOUNT, _MOST_DISCOUNT)
    return option


def _check_price(option: Option, price: float) -> None:
    if option.years == 0:
        raise bad_input("an option that expires now has no implied volatility")
    if not option.lower_bound < price < option.upper_bound:
        bounds = f"{option.lower_bound:.10g} (discounted intrinsic value) and {option.upper_bound:.10g}"
        raise bad_input(f"no volatility gives the price {price:g}: it must lie between {bounds}, both excluded")


def _answer(option: Option, found: Greeks, price: float | None) -> FinanceResult:
    parts = {
        "delta": found.delta,
        "gamma": found.gamma,
        "vega": _per(found.vega, 100),
        "theta": _per(found.theta, _DAYS),
        "rho": _per(found.rho, 100),
    }
    return FinanceResult(
        data={
            "kind": option.kind,
            "solved_for": "price" if price is None else "vol",
            "price": price_text(value(option) if price is None else price),
            "vol": stat(option.vol),
            "years": stat(option.years),
            "intrinsic": price_text(max(0.0, option.sign * (option.spot - option.strike))),
            **{name: stat(one) for name, one in parts.items()},
        },
        units=_UNITS,
        method=Method(name="black_scholes_merton", convention=_CONVENTION),
        warnings=_remarks(option, found, price),
    )


def _per(derivative: float | None, parts: int) -> float | None:
    return None if derivative is None else derivative / parts
