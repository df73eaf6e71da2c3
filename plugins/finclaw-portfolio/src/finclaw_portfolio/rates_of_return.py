"""Rates of return of a portfolio: time-weighted, money-weighted, and what each security added."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from finclaw_analytics.flows import by_date
from finclaw_analytics.ratios import growth
from finclaw_analytics.roots import all_roots, sign_changes, the_one
from finclaw_portfolio.history import Flow, History

YEAR = 365
METHOD = (
    "portfolio = the securities at their closes, from the close before start to the close of end; money in = purchases "
    "and fees, money out = sales, dividends and interest, less fees and taxes, each at the exchange rate of its day; "
    "time-weighted = product over the days with money of (value + out) / (value before + in) and of the changes of "
    "value between them, less 1; money-weighted = XIRR, actual/365, with the value before start paid in and the value "
    "of end received; annualised = (1 + return)^(365 / days) - 1, null below a year; contribution = gain / average "
    "capital (modified Dietz), and sums to dietz"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The days of a return: values are those at the ends of `before` and of `end`."""

    before: date
    end: date

    @property
    def days(self) -> int:
        return (self.end - self.before).days

    def flows(self, every: Sequence[Flow]) -> list[Flow]:
        """Those of the days within."""
        return [flow for flow in every if self.before < flow.day <= self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one security did, in the base currency."""

    start: Fraction
    end: Fraction
    paid: Fraction
    received: Fraction

    @property
    def gain(self) -> Fraction:
        return self.end - self.start + self.received - self.paid


def parts(held: History, span: Span) -> dict[str, Part | None]:
    """What each security did that was held or traded within; None where it has no value at an end."""
    flows: dict[str, list[Flow]] = defaultdict(list)
    for flow in span.flows(held.flows):
        flows[flow.symbol].append(flow)
    found: dict[str, Part | None] = {}
    for symbol in held.symbols:
        start, end = held.value_of(symbol, span.before), held.value_of(symbol, span.end)
        mine = flows[symbol]
        if start == end == 0 and not mine:
            continue
        paid, received = _sums(mine)
        known = start is not None and end is not None
        found[symbol] = (
            Part(start=start or Fraction(0), end=end or Fraction(0), paid=paid, received=received) if known else None
        )
    return found


def _sums(flows: Sequence[Flow]) -> tuple[Fraction, Fraction]:
    """The money that went in, and that came out."""
    zero = Fraction(0)
    return sum((flow.paid for flow in flows), zero), sum((flow.received for flow in flows), zero)


def average_capital(start: Fraction, flows: Sequence[Flow], span: Span) -> Fraction:
    """The capital that was at work: the start and each flow by the part of the days that were left (Dietz 1966).

    Flows count from the beginning of their day, so that a purchase of the last day counts for that day.
    """
    weighted = ((flow.paid - flow.received) * Fraction((span.end - flow.day).days + 1, span.days) for flow in flows)
    return start + sum(weighted, Fraction(0))


def time_weighted(held: History, span: Span) -> tuple[float | None, tuple[str, ...]]:
    """The return by which the value of one unit of money that stayed invested changed, and what it leaves out.

    Source: the true time-weighted return of the GIPS standards, with a value before and after each flow; money that
    goes in counts from the beginning of its day, money that comes out to the end of it.
    """
    days: dict[date, list[Flow]] = defaultdict(list)
    for flow in span.flows(held.flows):
        days[flow.day].append(flow)
    product, value = 1.0, held.value(span.before)
    lost: list[str] = []
    for day in sorted(days):
        before, after = held.value(day - timedelta(days=1)), held.value(day)
        if value is None or before is None or after is None:
            return None, (f"no time-weighted return: not all that was held has a close on or before {day}",)
        paid, received = _sums(days[day])
        if before + paid > 0:
            product *= (float(before / value) if value else 1.0) * float((after + received) / (before + paid))
        else:
            lost.append(str(day))
        value = after
    last = held.value(span.end)
    if value is None or last is None:
        return None, (f"no time-weighted return: not all that is held has a close on or before {span.end}",)
    what = "money that came when nothing was held is not in the time-weighted return"
    return product * (float(last / value) if value else 1.0) - 1, (f"{what}: {', '.join(lost)}",) if lost else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A money-weighted return; `reason` is why there is none."""

    yearly: float | None = None
    period: float | None = None
    """From the first flow to the last."""
    reason: str | None = None


def money_weighted(start: Fraction, end: Fraction, flows: Sequence[Flow], span: Span) -> Rate:
    """The yearly rate at which all money, and the value at the start, would have grown to the value at the end."""
    amounts = [(span.before, -start), *((flow.day, flow.received - flow.paid) for flow in flows), (span.end, end)]
    nets: dict[date, Fraction] = defaultdict(Fraction)
    for day, amount in amounts:
        nets[day] += amount
    rows = [(day, Decimal(repr(float(amount)))) for day, amount in sorted(nets.items()) if amount]
    schedule = by_date(rows, "act/365f") if rows else None
    if schedule is None or not sign_changes(schedule.floats) or not schedule.times[-1]:
        return Rate(reason="no money-weighted return: it needs money in and a later value or money out")
    roots = all_roots(schedule.floats, schedule.times)
    rate = the_one(roots, schedule.floats)
    if rate is None:
        return Rate(reason=f"no money-weighted return: {len(roots)} rates fit")
    return Rate(yearly=rate, period=growth(rate, schedule.times[-1]))


def annualised(found: float | None, days: int) -> float | None:
    """A return as one of a year; None below a year."""
    return growth(found, YEAR / days) if found is not None and days >= YEAR else None


def whole(known: Mapping[str, Part]) -> Part:
    """All parts as one."""
    sums = {
        name: sum((getattr(part, name) for part in known.values()), Fraction(0))
        for name in ("start", "end", "paid", "received")
    }
    return Part(**sums)
