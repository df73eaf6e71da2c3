"""`portfolio_return`: what a portfolio returned, which securities it came from, and what it paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction

from finclaw_analytics.numbers import bad_input, stat
from finclaw_cli.sdk import FinanceResult, Method, Source, ToolContext, ToolError, no_data, tool
from finclaw_cli.sdk.periods import known_days
from finclaw_ledger.books import Booking
from finclaw_ledger.results import BOOKS_NEEDED
from finclaw_portfolio.amounts import currency_code, money, number, part, rounded_parts
from finclaw_portfolio.history import History, history
from finclaw_portfolio.income import by_year, not_booked
from finclaw_portfolio.prices import (
    STALE_DAYS,
    Converter,
    Line,
    base_currency,
    line_of,
    market_context,
    numbered,
    stored_splits,
)
from finclaw_portfolio.rates_of_return import (
    METHOD,
    Part,
    Span,
    annualised,
    average_capital,
    money_weighted,
    parts,
    time_weighted,
    whole,
)
from finclaw_portfolio.splits import METHOD as SPLITS
from finclaw_portfolio.splits import settled
from finclaw_portfolio.trades import ROWS, Trades, ask_trades

_UNITS = {
    **dict.fromkeys(("return", "annualised", "contribution", "dietz", "period_return"), "1 (fraction)"),
    "rate": "1 a year (fraction)",
    **dict.fromkeys(("start_value", "end_value", "paid", "received", "gain", "base"), "base currency"),
}
_UNBOOKED = "dividends that are not booked are not assumed"
_MOST_SHOWN = 10
_EXAMPLE = {"path": "trades.csv", "currency": "EUR", "start": "2024-01-01", "end": "2024-12-31"}


@tool(
    group="data",
    sensitive=True,
    read_only=True,
    idempotent=True,
    timeout=60,
    needs=BOOKS_NEEDED,
    examples=(_EXAMPLE,),
)
async def portfolio_return(
    ctx: ToolContext,
    *,
    path: str | None = None,
    account: str | None = None,
    currency: str | None = None,
    start: date | None = None,
    end: date | None = None,
    period: str | None = None,
) -> FinanceResult:
    """Time- and money-weighted return of the user's securities, contribution by security, income and fees by year.

    Args:
        ctx: given by finclaw.
        path: CSV of the workspace with date, kind, symbol, quantity, price and fee; by default the user's books.
        account: of the books; by default all.
        currency: to value in; by default that of all prices.
        start: by default the first trade.
        end: by default the newest close.
        period: or words, as "last month", "2024-Q1".
    """
    base, asked = currency_code(currency), known_days(ctx, period, start, end)
    days = asked.start, asked.end
    if days[0] and days[1] and days[0] > days[1]:
        raise bad_input(f"start {days[0]} is after the end {days[1]}")
    market = market_context(ctx)
    found = await ask_trades(ctx, (path, account, base), lambda trades: _answer(trades, base, days, market))
    return replace(found, period=asked.period)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What the parts of a result are made from."""

    trades: Trades
    held: History
    span: Span
    known: dict[str, Part]

    @property
    def base(self) -> str:
        return self.held.converter.base

    @property
    def used(self) -> list[Booking]:
        """The rows up to the end: those before the start are what was held then."""
        return [item for item in self.trades.items if item.day <= self.span.end]

    @property
    def items(self) -> list[Booking]:
        """The rows of the days within."""
        return [item for item in self.used if item.day > self.span.before]


def _answer(trades: Trades, base: str | None, days: tuple[date | None, date | None], ctx: ToolContext) -> FinanceResult:
    cap = min(trades.cap, days[1] or trades.cap)
    items = [item for item in trades.items if item.day <= cap]
    if not items:
        raise no_data(f"there are no trades up to {cap}")
    symbols = sorted({item.symbol for item in items if item.symbol})
    lines = {symbol: line_of(symbol, ctx, cap) for symbol in symbols}
    code = base_currency(base, lines, [item.currency for item in items])
    if code is None:
        raise bad_input("trades and prices are in several currencies: give the currency to value in")
    rows = settled(items, {symbol: stored_splits(symbol, ctx, cap) for symbol in symbols}, lines)
    held = history(rows, lines, Converter(base=code, ctx=ctx), cap)
    span, known = _known(held, days, cap)
    return _result(_Answer(trades=trades, held=held, span=span, known=known))


def _known(held: History, days: tuple[date | None, date | None], cap: date) -> tuple[Span, dict[str, Part]]:
    """The days, and what each security did that has a value at both ends; the others are left out.

    Raises:
        ToolError: NO_DATA: there is none.
    """
    while held.symbols:
        span = _span(held, days, cap)
        found = parts(held, span)
        known = {symbol: one for symbol, one in found.items() if one is not None}
        if known and len(known) == len(found):
            return span, known
        held.leave_out({symbol: _unvalued(held.lines[symbol], span) for symbol in sorted(found.keys() - known.keys())})
        if not found:
            break
    raise _nothing(held)


def _nothing(held: History) -> ToolError:
    why = "; ".join(f"{symbol}: {reason}" for symbol, reason in list(held.left_out.items())[:_MOST_SHOWN])
    return no_data(f"no return can be computed: {why or 'nothing was held'}")


def _unvalued(line: Line, span: Span) -> str:
    if line.reason:
        return f"no price: {line.reason}"
    if line.currency is None:
        return "the currency of its prices is not known"
    return f"no close or rate on {span.before} or {span.end}"


def _span(held: History, days: tuple[date | None, date | None], cap: date) -> Span:
    start, end = days
    first = held.flows[0].day
    if end is None:
        closes = [held.lines[symbol].last(cap) for symbol in held.symbols if held.units(symbol, cap)]
        end = max([held.flows[-1].day, *(close[0] for close in closes if close is not None)])
    end = min(end, cap)
    before = max(start, first) - timedelta(days=1) if start else first - timedelta(days=1)
    if before >= end:
        raise no_data(f"there is nothing from {start} to {end}: the trades begin on {first}")
    return Span(before=before, end=end)


def _result(found: _Answer) -> FinanceResult:
    flows = found.span.flows(found.held.flows)
    total = whole(found.known)
    linked, notes = time_weighted(found.held, found.span)
    rate = money_weighted(total.start, total.end, flows, found.span)
    capital = average_capital(total.start, flows, found.span)
    days = found.span.days
    data = {
        "currency": found.base,
        "from": found.span.before,
        "to": found.span.end,
        "days": days,
        **_amounts(total, found.base),
        "time_weighted": {"return": stat(linked), "annualised": stat(annualised(linked, days))},
        "money_weighted": {"rate": stat(rate.yearly), "period_return": stat(rate.period)},
        "dietz": part(total.gain, capital) if capital > 0 else None,
        "positions": _positions(found, capital),
        "income": by_year(found.items, found.held.converter),
        "incomplete": sorted(found.held.left_out),
    }
    return FinanceResult(
        data=data,
        as_of=found.span.end.isoformat(),
        units=_UNITS,
        method=Method(name="portfolio_return", convention=f"{METHOD}; {ROWS}; {SPLITS}; {_UNBOOKED}", n=len(flows)),
        sources=_sources(found),
        warnings=_warnings(found, (*notes, *filter(None, [rate.reason]))),
    )


def _amounts(one: Part, base: str) -> dict[str, str | None]:
    return {
        "start_value": money(one.start, base),
        "end_value": money(one.end, base),
        "paid": money(one.paid, base),
        "received": money(one.received, base),
        "gain": money(one.gain, base),
    }


def _positions(found: _Answer, capital: Fraction) -> list[dict[str, object]]:
    """The securities by gain; the gains sum to that of all."""
    gains = rounded_parts({symbol: one.gain for symbol, one in found.known.items()}, found.base)
    rows: list[dict[str, object]] = [
        {
            "symbol": symbol,
            "quantity": number(found.held.units(symbol, found.span.end)),
            **_amounts(one, found.base),
            "gain": gains[symbol],
            "contribution": part(one.gain, capital) if capital > 0 else None,
        }
        for symbol, one in sorted(found.known.items(), key=lambda pair: -pair[1].gain)
    ]
    return rows


def _sources(found: _Answer) -> tuple[Source, ...]:
    closes = [line.known for line in found.held.lines.values() if line.known is not None]
    return numbered(
        [
            *found.trades.cite(found.used),
            *(source for one in closes for source in one.sources),
            *found.held.converter.sources,
        ]
    )


def _warnings(found: _Answer, notes: Sequence[str]) -> tuple[str, ...]:
    held, span = found.held, found.span
    days = {flow.day for flow in span.flows(held.flows)} | {span.before, span.end}
    late = [name for name, last in found.trades.covered.items() if last < span.end]
    ends = ", ".join(f"{name} {found.trades.covered[name]}" for name in late)
    every = [
        *found.trades.warnings(found.used),
        *(f"{symbol} is left out: {reason}" for symbol, reason in held.left_out.items()),
        *notes,
        *held.settled.notes,
        *(note for line in held.lines.values() for note in line.warnings),
        *held.converter.warnings,
        *held.stale(sorted(days), STALE_DAYS),
        *not_booked(held, found.trades.items, (span.before, span.end)),
        *([f"trades after these days are not known: {ends}"] if late else []),
    ]
    return tuple(dict.fromkeys(every))
