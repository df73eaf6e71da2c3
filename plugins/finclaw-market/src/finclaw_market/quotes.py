"""`find_symbol` and `get_quote`: what there is, and its last price."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_market.adjust import LABELS, doubted
from finclaw_market.bars import Bar, as_json_number, exact_text, significant
from finclaw_market.calendars import Calendar, calendar_for
from finclaw_market.checks import Finding, basis_of, in_words, suspected
from finclaw_market.known import known_last
from finclaw_market.live import bring_prices
from finclaw_market.prices import Found
from finclaw_market.queries import Listed, StoredSource, sources_of
from finclaw_market.results import (
    NOTHING_YET,
    PRICES_NEEDED,
    Cap,
    cap_for,
    checked_query,
    checked_symbol,
    cite,
    instrument_of,
    mixed_warning,
    opened,
    price_unit,
    ranked,
    seen,
    unit_warnings,
)

_MAX_CANDIDATES = 50
# A price that is wrong by its unit or a split is known by those before it.
_LOOKED_THROUGH = 65


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    timeout=5,
    examples=({"query": "AAPL"}, {"query": "a", "limit": 3}),
    needs=PRICES_NEEDED,
)
def find_symbol(query: str, ctx: ToolContext, limit: int = 5) -> FinanceResult:
    """Find instruments in the local price store by symbol or name.

    Args:
        query: a symbol, a part of one, or a word of the name, e.g. "AAPL" or "apple".
        ctx: given by finclaw.
        limit: how many candidates at most, 1 to 50.
    """
    if not 1 <= limit <= _MAX_CANDIDATES:
        raise no_data(f"limit {limit} is not between 1 and {_MAX_CANDIDATES}", code="BAD_INPUT")
    wanted, cap = checked_query(query), cap_for(ctx, None).day
    with opened(ctx.home, may_be_empty=True) as prices:
        everything, empty = prices.everything(cap), prices.empty
        problems = prices.problems
    found = ranked(everything, wanted, limit)
    why = NOTHING_YET if empty else f"nothing matches; the store holds {len(everything)} instruments"
    nothing = () if found else (why,)
    return FinanceResult(
        data={"candidates": [_candidate(entry) for entry in found]},
        units={"first": "session date", "last": "session date"},
        warnings=(*nothing, *problems),
    )


def _candidate(found: Found) -> dict[str, object]:
    item = found.item
    facts = {
        "symbol": item.symbol,
        "name": item.name,
        "exchange": item.exchange,
        "currency": item.currency,
        "first": item.first,
        "last": item.last,
        "dataset": found.dataset,
    }
    return {name: value for name, value in facts.items() if value is not None}


@tool(group="finance", read_only=True, idempotent=True, timeout=15, needs=PRICES_NEEDED)
def get_quote(symbol: str, ctx: ToolContext, as_of: date | None = None, max_age_sessions: int = 3) -> FinanceResult:
    """The last known closing price of one instrument in the local price store, and its change. Not a live price.

    Args:
        symbol: exact symbol, e.g. "AAPL" or "005930.KS"; see find_symbol.
        ctx: given by finclaw.
        as_of: the date to answer for, as if it were today; by default the run's date.
        max_age_sessions: refuse a price that is more sessions old than this.
    """
    if max_age_sessions < 0:
        raise no_data("max_age_sessions must not be negative", code="BAD_INPUT")
    wanted = checked_symbol(symbol)
    notes = bring_prices(ctx, wanted, None, cap_for(ctx, as_of).day)
    with opened(ctx.home) as prices:
        found, cap = seen(prices, wanted, ctx, as_of)
        recent = known_last(found.connection, found.item.symbol, cap.day, _LOOKED_THROUGH).bars
        bars = recent[-2:]
        sources = sources_of(found.connection, bars)
    first = bars[-1].day if bars else cap.day
    calendar = calendar_for(found.item.exchange, ctx.home, first, cap.day)
    age = _age(found.item, cap, bars, calendar, max_age_sessions)
    symbol = found.item.symbol
    odd = suspected(symbol, recent, basis_of(source.basis for source in sources))
    noted = replace(cap, warnings=(*cap.warnings, *notes, *in_words(symbol, odd)))
    quote = _quote(found.item, noted, bars, sources, odd)
    return replace(quote, calendar=calendar.name, sessions_behind=age)


def _age(item: Listed, cap: Cap, bars: list[Bar], calendar: Calendar, allowed: int) -> int:
    """How many sessions old the last bar is.

    Raises:
        ToolError: there is none that may be seen, or it is too old.
    """
    if not bars:
        raise no_data(f"{item.symbol} has no bars up to {cap.day}")
    age = calendar.sessions_after(bars[-1].day, cap.day)
    if age > allowed:
        raise no_data(
            f"the last bar of {item.symbol} is of {bars[-1].day}, {age} {calendar.counted} before {cap.day} "
            f"(allowed: {allowed}); newer data can be imported, or max_age_sessions raised",
            code="STALE_DATA",
        )
    return age


def _quote(item: Listed, cap: Cap, bars: list[Bar], sources: list[StoredSource], odd: list[Finding]) -> FinanceResult:
    last = bars[-1]
    bases = {source.id: source.basis for source in sources}
    data, warnings = _change(bars, {bases[bar.source_id] for bar in bars}, odd)
    unit = price_unit(item)
    return FinanceResult(
        data=data,
        as_of=last.day.isoformat(),
        instrument=instrument_of(item),
        tz=item.tz,
        units={"close": unit, "previous_close": unit, "change": unit, "change_fraction": "1"},
        adjustment=doubted(LABELS[bases[last.source_id]], odd),
        method=Method(name="last_close", convention="close of the last session; change_fraction = change / previous"),
        sources=cite(sources, bars),
        warnings=(*cap.warnings, *warnings, *unit_warnings(item), *mixed_warning(sources)),
    )


def _change(bars: list[Bar], bases: set[str], odd: list[Finding]) -> tuple[dict[str, object], tuple[str, ...]]:
    last = bars[-1]
    data: dict[str, object] = {"close": exact_text(last.close), "session": last.day}
    if len(bars) == 1:
        return data, ("there is no earlier session to compare with",)
    if len(bases) > 1:
        return data, ("the session before is from a file with another adjustment; no change is given",)
    previous, warnings = _comparable(bars[0].close, last, bases.pop())
    data["previous_close"] = exact_text(previous)
    data["previous_session"] = bars[0].day
    if any(_covers(finding, last) != _covers(finding, bars[0]) for finding in odd):
        return data, (*warnings, "no change is given across what is probably an error")
    data["change"] = exact_text(last.close - previous)
    data["change_fraction"] = as_json_number((last.close - previous) / previous)
    return data, warnings


def _covers(finding: Finding, bar: Bar) -> bool:
    return finding.first <= bar.day.isoformat() <= finding.last


def _comparable(previous: Decimal, last: Bar, basis: str) -> tuple[Decimal, tuple[str, ...]]:
    """The close before, in shares of the last session."""
    if last.split is None or last.split == 1 or basis in {"split", "total"}:
        return previous, ()
    ratio = exact_text(last.split)
    if basis == "unstated":
        return previous, (f"split {ratio} on {last.day}: previous_close may not be comparable",)
    return significant(previous / last.split, 12), (f"split {ratio} on {last.day}: previous_close is adjusted for it",)
