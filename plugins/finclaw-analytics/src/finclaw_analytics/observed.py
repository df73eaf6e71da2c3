"""A series of dated values, from the price store or from the caller, with its warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from finclaw_analytics.conversion import converted, currency_code
from finclaw_analytics.numbers import bad_input, not_enough
from finclaw_analytics.pairs import Pairs, dated
from finclaw_cli.sdk import Instrument, Period, Source, ToolContext, ToolError, no_data
from finclaw_cli.sdk.periods import known_days
from finclaw_cli.sdk.render import quoted

_SMALLEST, _LARGEST = 1e-12, 1e15
# The first places on earth where a new day begins are this far ahead of UTC.
_EARLIEST_ZONE = timedelta(hours=14)
_MOST_DOUBTS = 3
_BASE = timedelta(days=31)
_INDEX_UNIT = "index points"
_AN_INDEX = "the level of an index: its members' dividends are in it only where it is a total-return index"
_WITHOUT_DIVIDENDS = {
    "split": "prices are adjusted for splits only: dividends are not in the returns",
    "none": "prices are as traded: neither dividends nor splits are in the returns",
    "unstated": "the file does not say how its prices are adjusted: dividends may or may not be in the returns",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Dated values, oldest first, all above zero; `highs` and `lows` only where the store has both for each day."""

    label: str
    days: tuple[date, ...]
    values: tuple[float, ...]
    unit: str = "unit of the values given"
    highs: tuple[float, ...] | None = None
    lows: tuple[float, ...] | None = None
    instrument: Instrument | None = None
    tz: str | None = None
    calendar: str | None = None
    sessions_behind: int | None = None
    adjustment: str | None = None
    sources: tuple[Source, ...] = ()
    warnings: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why the values are probably wrong, as the price store has it."""
    remedy: str | None = None
    """What repairs would change, as the price store has it."""
    eve: date | None = None
    """The day before the period that is asked about, where the first value is the last one known on it."""

    def returns(self) -> list[float]:
        """Simple returns, one for each value but the first."""
        return [later / earlier - 1 for earlier, later in pairwise(self.values)]

    @property
    def total(self) -> float:
        """The return from the first value to the last."""
        return self.values[-1] / self.values[0] - 1

    @property
    def as_of(self) -> str:
        return self.days[-1].isoformat()

    @property
    def currency(self) -> str | None:
        return self.instrument.currency if self.instrument else None

    def day(self, position: int | None) -> date | None:
        """The date at a position, where there is one."""
        return None if position is None else self.days[position]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """What part of a series is asked for.

    The returns of a `period` are all that fall into it, so the series begins with the last value before the period,
    where there is one at most 31 days earlier; `start` is the day of the first value itself.
    """

    start: date | None = None
    end: date | None = None
    as_of: date | None = None
    period: Period | None = None
    currency: str | None = None
    """To convert to, at the rate of each day; by default each series is in its own."""


def span_of(
    ctx: ToolContext, period: str | None, start: date | None, as_of: date | None, currency: str | None = None
) -> Span:
    """What the arguments of a call ask for.

    Raises:
        ToolError: BAD_INPUT: the period cannot be read, both it and a start are given, or the currency is no code.
    """
    asked = known_days(ctx, period, start, as_of=as_of)
    code = None if currency is None else currency_code(currency)
    return Span(start=asked.start, end=asked.end, as_of=as_of, period=asked.period, currency=code)


def observed(symbol: str | None, values: Pairs | None, ctx: ToolContext, span: Span, *, least: int = 2) -> Observed:
    """The series of a symbol, or the one given.

    Args:
        symbol: in the price store; either this or values.
        values: date and value, rising dates, at most 20,000; None for a missing value.
        ctx: of the call.
        span: the dates asked for.
        least: how many values are needed.

    Raises:
        ToolError: BAD_INPUT, NOT_ENOUGH_DATA, and those of the price store.
    """
    if (symbol is None) == (values is None):
        raise bad_input("give either a symbol or values")
    found = _given(values, ctx, span) if values is not None else _stored(symbol or "", ctx, span)
    if len(found.values) < least:
        raise not_enough(f"{found.label}: needs {least} values, had {len(found.values)}")
    return found


def stored(symbol: str, ctx: ToolContext, span: Span, *, least: int = 2) -> Observed:
    """The closes of a symbol, with dividends in them where the data allows it.

    Raises:
        ToolError: those of the price store, or NOT_ENOUGH_DATA.
    """
    return observed(symbol, None, ctx, span, least=least)


def undoubted(series: Observed) -> Observed:
    """The series, where its values are not probably wrong: a statistic of an unapplied split is none.

    Raises:
        ToolError: NO_DATA, naming the doubts.
    """
    if not series.doubts:
        return series
    listed = "; ".join(series.doubts[:_MOST_DOUBTS])
    would = f"{series.remedy}; " if series.remedy else ""
    how = f"finclaw data repair {series.label} shows and applies repairs; or take dates without the error"
    raise no_data(f"no statistics of {series.label}, whose prices are probably wrong: {listed}; {would}{how}")


def _stored(symbol: str, ctx: ToolContext, span: Span) -> Observed:
    from finclaw_market.closes import closes

    found = closes(symbol, ctx, start=_base_day(symbol, ctx, span) or span.start, end=span.end, as_of=span.as_of)
    name = found.instrument.symbol
    pairs = [(bar.high, bar.low) for bar in found.bars if bar.high is not None and bar.low is not None]
    complete = len(pairs) == len(found.bars)
    prices = tuple(float(bar.close) for bar in found.bars)
    for bar, price in zip(found.bars, prices, strict=True):
        _check(price, bar.day, name)
    days = tuple(bar.day for bar in found.bars)
    notes = _AN_INDEX if found.unit == _INDEX_UNIT else _WITHOUT_DIVIDENDS.get(found.adjustment)
    series = Observed(
        label=name,
        days=days,
        values=prices,
        unit=found.unit,
        highs=tuple(float(high) for high, _ in pairs) if complete else None,
        lows=tuple(float(low) for _, low in pairs) if complete else None,
        instrument=found.instrument,
        tz=found.tz,
        calendar=found.calendar,
        sessions_behind=found.sessions_behind,
        adjustment=found.adjustment,
        sources=found.sources,
        warnings=(*found.warnings, *((f"{name}: {notes}",) if notes else ())),
        doubts=found.doubts,
        remedy=found.remedy,
        eve=_eve(days, span),
    )
    return series if span.currency is None else _in_currency(series, span.currency, ctx)


def _in_currency(series: Observed, currency: str, ctx: ToolContext) -> Observed:
    prices = list(zip(series.days, series.values, strict=True))
    found = converted(series.label, prices, (series.currency, currency), ctx)
    return replace(
        series,
        values=found.values,
        unit=f"{currency}/share",
        highs=None,
        lows=None,
        instrument=replace(series.instrument, currency=currency) if series.instrument else None,
        sources=(*series.sources, *found.sources),
        warnings=(*series.warnings, *found.warnings),
    )


def _eve(days: Sequence[date], span: Span) -> date | None:
    begins_before = span.period is not None and span.start is not None and days[0] < span.start
    return span.start - timedelta(days=1) if begins_before and span.start else None


def _base_day(symbol: str, ctx: ToolContext, span: Span) -> date | None:
    """The day of the last close before a period; None where there is none or no period."""
    from finclaw_market.closes import closes

    if span.period is None or span.start is None or span.start - date.min <= _BASE:
        return None
    earlier = span.start - timedelta(days=1)
    try:
        found = closes(symbol, ctx, start=span.start - _BASE, end=earlier, as_of=span.as_of, adjustment="as_stored")
    except ToolError:
        return None
    return found.bars[-1].day


def _given(pairs: Pairs, ctx: ToolContext, span: Span) -> Observed:
    if span.currency is not None:
        raise bad_input("values have no currency to convert from; a currency goes with symbols")
    values = dated(pairs, "values")
    for (earlier, _), (later, _) in pairwise(values):
        if later <= earlier:
            what = "is given twice" if later == earlier else f"comes after {earlier}: sort the values by date"
            raise bad_input(f"values: {later} {what}")
    last, first = _last_day(ctx, span), span.start or date.min
    if span.period is not None:
        first = max((day for day, value in values if value is not None and day < first <= day + _BASE), default=first)
    seen = [(day, value) for day, value in values if first <= day <= last]
    kept = [(day, _check(float(value), day, "values")) for day, value in seen if value is not None]
    return Observed(
        label="the values",
        days=tuple(day for day, _ in kept),
        values=tuple(value for _, value in kept),
        adjustment="as given",
        warnings=_left_out(len(values) - len(seen), len(seen) - len(kept)),
    )


def _last_day(ctx: ToolContext, span: Span) -> date:
    known = (ctx.as_of, span.as_of, span.end, (datetime.now(UTC) + _EARLIEST_ZONE).date())
    return min(day for day in known if day is not None)


def _left_out(outside: int, missing: int) -> tuple[str, ...]:
    notes = []
    if outside:
        notes.append(f"{outside} values outside the days that were asked for were left out")
    if missing:
        notes.append(f"{missing} missing values were left out: the return over such a gap counts as one period")
    return tuple(notes)


def _check(value: float, day: date, label: str) -> float:
    if not _SMALLEST <= value <= _LARGEST:
        why = "returns need values above zero" if value <= 0 else f"not between {_SMALLEST:g} and {_LARGEST:g}"
        raise bad_input(f"{quoted(label)} on {day} is {value:g}: {why}")
    return value


def cited(series: Sequence[Observed]) -> tuple[Source, ...]:
    """The sources of several series, numbered anew."""
    every = dict.fromkeys(replace(source, id="") for one in series for source in one.sources)
    return tuple(replace(source, id=f"s{number}") for number, source in enumerate(every, 1))
