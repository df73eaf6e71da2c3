"""`cashflow_return`: what dated or periodic cash flows earned, with every rate that fits."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from finclaw_analytics.daycount import NAMES, DayCount
from finclaw_analytics.flows import Flow, Schedule, by_date, checked, periodic, present_value
from finclaw_analytics.numbers import bad_input, decimal_within, not_enough, stat
from finclaw_analytics.pairs import Pairs, dated_amounts
from finclaw_analytics.ratios import growth
from finclaw_analytics.roots import HIGHEST, LOWEST, all_roots, sign_changes, the_one
from finclaw_analytics.valuations import account, modified_dietz, time_weighted
from finclaw_cli.sdk import FinanceResult, Method, no_data, tool
from finclaw_cli.sdk.render import shortest_number

Kind = Literal["xirr", "irr", "npv", "xnpv", "twr", "modified_dietz"]

_MOST_SHOWN = 20
_TOO_LATE = "the flow on the last date comes after its value and changes nothing"
_YEAR = 365
_SIGN = "amounts as the investor sees them: negative paid in, positive received"
_LINKED = {
    "twr": "product of value / (previous value + its flow) - 1",
    "modified_dietz": "(end - start - flows) / (start + flows weighted by the share of days left)",
}
_EXAMPLE = {"flows": [["2023-01-01", "-1000"], ["2023-07-01", "50"], ["2024-01-01", "1050"]], "kind": "xirr"}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def cashflow_return(
    kind: Kind,
    *,
    flows: Pairs | None = None,
    amounts: list[Decimal] | None = None,
    rate: Decimal | None = None,
    day_count: DayCount = "act/365f",
    values: Pairs | None = None,
) -> FinanceResult:
    """Internal rate of return (every root), net present value, or the return of an account with flows.

    Args:
        kind: xirr, xnpv by date; irr, npv by period; twr, modified_dietz of an account.
        flows: date and amount, negative paid in, positive received.
        amounts: for irr and npv, instead of flows; the first one is now.
        rate: for npv and xnpv, per period or year, a fraction.
        day_count: for xirr and xnpv.
        values: for twr and modified_dietz, date and worth before that day's flow.
    """
    given = None if flows is None else dated_amounts(flows, "flows")
    if kind in ("twr", "modified_dietz"):
        return _account_return(kind, given or [], dated_amounts(values or [], "values"))
    schedule = _schedule(kind, given, amounts, day_count)
    if kind in ("npv", "xnpv"):
        return _worth(kind, schedule, rate, day_count)
    return _rates(kind, schedule, day_count)


def _schedule(kind: Kind, flows: list[Flow] | None, amounts: list[Decimal] | None, day_count: DayCount) -> Schedule:
    if kind in ("xirr", "xnpv"):
        if flows is None or amounts is not None:
            raise bad_input(f"{kind} needs flows with dates")
        if not flows:
            raise not_enough("needs cash flows, had none")
        return by_date(flows, day_count)
    if (flows is None) == (amounts is None):
        raise bad_input(f"{kind} needs amounts, one a period (or flows, whose dates only give the order)")
    return periodic(amounts if amounts is not None else [amount for _, amount in sorted(flows or [])])


def _worth(kind: Kind, schedule: Schedule, rate: Decimal | None, day_count: DayCount) -> FinanceResult:
    if rate is None:
        raise bad_input(f"{kind} needs a rate")
    decimal_within("rate", rate, Decimal(repr(LOWEST)), Decimal(repr(HIGHEST)))
    span = "first amount now, each next one a period later (Excel's NPV puts the first one a period from now)"
    if kind == "xnpv":
        span = f"discounted to the first date, {schedule.days[0]}; years = {NAMES[day_count]}"
    found = present_value(schedule, rate)
    return FinanceResult(
        data={"kind": kind, "npv": shortest_number(found), "rate": shortest_number(rate)},
        units={"npv": "as the amounts", "rate": "1 (fraction)"},
        method=Method(name=kind, convention=f"sum of amount / (1+rate)^t; {span}; {_SIGN}", n=len(schedule.amounts)),
    )


def _rates(kind: Kind, schedule: Schedule, day_count: DayCount) -> FinanceResult:
    amounts = schedule.floats
    if sign_changes(amounts) == 0:
        raise not_enough(f"{kind} needs at least one amount paid in (negative) and one received (positive)")
    if schedule.times[-1] == 0:
        raise not_enough(f"{kind} needs two dates, had one")
    found = all_roots(amounts, schedule.times)
    if not found:
        raise no_data(f"no rate between {LOWEST:g} and {HIGHEST:g} makes these {len(amounts)} flows worth nothing")
    return _found(kind, found, amounts, day_count)


def _found(kind: Kind, found: list[float], amounts: list[float], day_count: DayCount) -> FinanceResult:
    changes = sign_changes(amounts)
    unit = "a year" if kind == "xirr" else "a period"
    years = f"years from the first flow = {NAMES[day_count]}" if kind == "xirr" else "flows one period apart"
    chosen = the_one(found, amounts)
    return FinanceResult(
        data={
            "kind": kind,
            "rate": stat(chosen),
            "roots": [stat(root) for root in found[:_MOST_SHOWN]],
            "roots_found": len(found),
            "conventional": changes == 1,
            "sign_changes": changes,
        },
        units={"rate": f"1 {unit} (fraction)"},
        method=Method(
            name=kind,
            convention=f"rate {unit} with sum of amount / (1+rate)^t = 0, every root a scan found from {LOWEST:g} to "
            f"{HIGHEST:g}; {years}; conventional = one change of sign, which has one root at most; {_SIGN}",
            n=len(amounts),
        ),
        warnings=_several(found, chosen),
    )


def _several(found: list[float], chosen: float | None) -> tuple[str, ...]:
    if len(found) == 1:
        return ()
    if chosen is None:
        return (f"{len(found)} rates fit, so none is the return: use npv at a known rate; `rate` is null",)
    why = "the only one above 0; the running total of the flows changes sign once (Norstrom's condition)"
    return (f"{len(found)} rates fit; `rate` is {why}",)


def _account_return(kind: Kind, flows: list[Flow], values: list[Flow]) -> FinanceResult:
    amounts = checked([amount for _, amount in flows]) if flows else ()
    for _, worth in values:
        decimal_within("value", worth, Decimal(0), Decimal(10) ** 15)
    worths = [(day, float(worth)) for day, worth in values]
    given = account(worths, [(day, float(amount)) for (day, _), amount in zip(flows, amounts, strict=True)])
    found = time_weighted(given) if kind == "twr" else modified_dietz(given)
    last = given.values[-1][0]
    return FinanceResult(
        data={
            "kind": kind,
            "return": stat(found),
            "annualised": stat(growth(found, _YEAR / given.days)) if given.days >= _YEAR and found > -1 else None,
            "first": given.values[0][0],
            "last": last,
            "days": given.days,
        },
        as_of=last.isoformat(),
        units={"return": "1 (fraction, whole period)", "annualised": "1 a year (fraction)"},
        method=Method(
            name=kind,
            convention=f"{_LINKED[kind]}; values before the flow of their day; annualised = (1+return)^(365/days) - 1, "
            f"null below a year; {_SIGN}",
            n=len(flows),
        ),
        warnings=(_TOO_LATE,) if last in given.contributions else (),
    )
