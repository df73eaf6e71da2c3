"""What pyxirr, numpy-financial, QuantLib and py-vollib say of cash flows, options, bonds and loans."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy_financial
import pyxirr
import QuantLib as ql  # noqa: N813 - as its own examples call it
from py_vollib.black_scholes_merton.greeks import analytical
from py_vollib.black_scholes_merton.implied_volatility import implied_volatility

EXCEL = [
    ["2008-01-01", "-10000"],
    ["2008-03-01", "2750"],
    ["2008-10-30", "4250"],
    ["2009-02-15", "3250"],
    ["2009-04-01", "2750"],
]
LONG = [["2019-02-28", "-5000"], ["2020-02-29", "-1250.50"], ["2021-08-31", "700"], ["2024-01-31", "7300.25"]]
# ruff: noqa: PLR0917 - the rows below are tables
DAY_COUNTS = {"act/365f": "ACT/365F", "act/360": "ACT/360", "act/act": "ACT/ACT ISDA", "30/360": "30U/360"}
TODAY = ql.Date(15, 3, 2024)


def cases() -> list[dict[str, Any]]:
    return [*_dated(), *_periodic(), *_options(), *_bonds(), _loan()]


def _dated() -> list[dict[str, Any]]:
    found = []
    for name, flows in (("excel", EXCEL), ("long", LONG)):
        pairs = [(date.fromisoformat(day), float(amount)) for day, amount in flows]
        for ours, theirs in DAY_COUNTS.items():
            rate = pyxirr.xirr(pairs, day_count=theirs)
            worth = pyxirr.xnpv(0.07, pairs, day_count=theirs)
            common = {"flows": flows, "day_count": ours}
            found.append(_case(f"xirr {name} {ours}", "cashflow_return", common | {"kind": "xirr"}, "rate", rate))
            given = common | {"kind": "xnpv", "rate": "0.07"}
            found.append(_case(f"xnpv {name} {ours}", "cashflow_return", given, "npv", worth))
    return found


def _case(
    name: str, tool: str, given: dict[str, Any], key: str, value: float, oracle: str = "pyxirr"
) -> dict[str, Any]:
    return {"id": name, "tool": tool, "input": given, "expect": {key: (oracle, value)}}


def _periodic() -> list[dict[str, Any]]:
    amounts = ["-100", "39", "59", "55", "20"]
    numbers = [float(amount) for amount in amounts]
    N = "numpy-financial"  # noqa: N806 - like the other oracles' names
    rate = numpy_financial.irr(numbers)
    worth = numpy_financial.npv(0.08, numbers)
    return [
        _case("irr", "cashflow_return", {"kind": "irr", "amounts": amounts}, "rate", rate, N),
        _case("npv", "cashflow_return", {"kind": "npv", "amounts": amounts, "rate": "0.08"}, "npv", worth, N),
    ]


OPTIONS = (
    # kind, spot, strike, days, rate, dividend yield, vol
    ("call", 49.0, 50.0, 140, 0.05, 0.0, 0.20),
    ("put", 100.0, 95.0, 365, 0.03, 0.02, 0.25),
    ("call", 100.0, 160.0, 30, 0.01, 0.0, 0.35),
    ("put", 4000.0, 3000.0, 730, -0.005, 0.015, 0.18),
    ("call", 10.0, 9.0, 1, 0.04, 0.03, 0.9),
)


def _options() -> list[dict[str, Any]]:
    return [case for row in OPTIONS for case in _option(*row)]


def _option(
    kind: str, spot: float, strike: float, days: int, rate: float, dividends: float, vol: float
) -> list[dict[str, Any]]:
    counted, calendar = ql.Actual365Fixed(), ql.NullCalendar()
    ql.Settings.instance().evaluationDate = TODAY
    curves = [ql.YieldTermStructureHandle(ql.FlatForward(TODAY, level, counted)) for level in (dividends, rate)]
    surface = ql.BlackVolTermStructureHandle(ql.BlackConstantVol(TODAY, calendar, vol, counted))
    process = ql.BlackScholesMertonProcess(ql.QuoteHandle(ql.SimpleQuote(spot)), *curves, surface)
    side = ql.Option.Call if kind == "call" else ql.Option.Put
    option = ql.VanillaOption(ql.PlainVanillaPayoff(side, strike), ql.EuropeanExercise(TODAY + days))
    option.setPricingEngine(ql.AnalyticEuropeanEngine(process))
    common = {"kind": kind, "spot": spot, "strike": strike, "expiry_days": days, "rate": rate}
    common["dividend_yield"] = dividends
    found = ("price", "delta", "gamma", "vega", "theta", "rho")
    values = (
        option.NPV(),
        option.delta(),
        option.gamma(),
        option.vega() / 100,
        option.theta() / 365,
        option.rho() / 100,
    )
    expect = {key: ("QuantLib", value) for key, value in zip(found, values, strict=True)}
    flag, years = kind[0], days / 365
    for key in ("delta", "gamma", "vega", "theta", "rho"):
        theirs = getattr(analytical, key)(flag, spot, strike, years, rate, vol, dividends)
        expect[f"{key} "] = ("py-vollib", theirs)
    implied = implied_volatility(option.NPV(), spot, strike, years, rate, dividends, flag)
    name = f"{kind} {spot:g}/{strike:g} {days} days"
    backwards = {"id": f"implied vol, {name}", "tool": "option_value", "input": common | {"price": option.NPV()}}
    return [
        {"id": name, "tool": "option_value", "input": common | {"vol": vol}, "expect": expect},
        backwards | {"expect": {"vol": ("py-vollib", implied)}},
    ]


BONDS = (
    # settlement, maturity, coupon, frequency, day count, yield
    (ql.Date(15, 3, 2024), ql.Date(15, 5, 2030), 0.04, 2, "act/act", 0.045),
    (ql.Date(7, 8, 2023), ql.Date(20, 1, 2033), 0.0275, 1, "act/act", 0.031),
    (ql.Date(15, 3, 2024), ql.Date(15, 5, 2030), 0.06, 2, "30/360", 0.052),
    (ql.Date(2, 2, 2024), ql.Date(10, 12, 2026), 0.05, 4, "30/360", 0.049),
)


def _bonds() -> list[dict[str, Any]]:
    return [_bond(*row) for row in BONDS]


def _bond(
    settled: ql.Date, matures: ql.Date, coupon: float, frequency: int, day_count: str, rate: float
) -> dict[str, Any]:
    ql.Settings.instance().evaluationDate = settled
    period = ql.Period(12 // frequency, ql.Months)
    plan = ql.Schedule(
        ql.Date(matures.dayOfMonth(), matures.month(), settled.year() - 2),
        matures,
        period,
        ql.NullCalendar(),
        ql.Unadjusted,
        ql.Unadjusted,
        ql.DateGeneration.Backward,
        False,
    )
    counter = ql.ActualActual(ql.ActualActual.ISMA, plan) if day_count == "act/act" else ql.Thirty360(ql.Thirty360.USA)
    bond = ql.FixedRateBond(0, 100.0, plan, [coupon], counter)
    quoted = ql.InterestRate(rate, counter, ql.Compounded, frequency)
    durations = [
        ql.BondFunctions.duration(bond, quoted, kind, settled) for kind in (ql.Duration.Macaulay, ql.Duration.Modified)
    ]
    values = {
        "clean": ql.BondFunctions.cleanPrice(bond, quoted, settled),
        "accrued": ql.BondFunctions.accruedAmount(bond, settled),
        "macaulay_duration": durations[0],
        "modified_duration": durations[1],
        "convexity": ql.BondFunctions.convexity(bond, quoted, settled),
    }
    given = {
        "settlement": settled.ISO(),
        "maturity": matures.ISO(),
        "coupon_rate": coupon,
        "yield_rate": rate,
        "frequency": frequency,
        "day_count": day_count,
    }
    expect = {key: ("QuantLib", value) for key, value in values.items()}
    return {"id": f"bond {matures.ISO()} {day_count}", "tool": "bond", "input": given, "expect": expect}


def _loan() -> dict[str, Any]:
    payment = round(float(-numpy_financial.pmt(0.045 / 12, 360, 200_000)), 2)
    given = {"principal": "200000", "annual_rate": "0.045", "payments": 360}
    return _case("loan", "loan", given, "payment", payment, "numpy-financial")
