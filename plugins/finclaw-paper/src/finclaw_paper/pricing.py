"""Prices come from the market store, and from nowhere else: a close, its session, and the file it stands in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk import Instrument, Source, ToolContext, no_data

# A close older than this many weekdays is still used, and every result says so.
OLD_AFTER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """The close of one session, in the instrument's currency per share."""

    session: date
    price: Decimal
    source: Source
    split: bool = False
    """Whether shares were split before this session, so that earlier prices and quantities mean something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The last close that may be seen."""

    instrument: Instrument
    close: Close
    weekdays_old: int
    tz: str | None
    adjustment: str
    notes: tuple[str, ...] = ()


def last_quote(symbol: str, ctx: ToolContext) -> Quote:
    """The last close on or before the run's date.

    Raises:
        ToolError: NO_DATA, UNKNOWN_SYMBOL, … as the market store says it.
    """
    from finclaw_market.adjust import LABELS
    from finclaw_market.known import known_last
    from finclaw_market.results import cite, instrument_of, opened, seen
    from finclaw_market.sessions import weekdays_after

    with opened(ctx.home) as prices:
        found, cap = seen(prices, symbol, ctx, None)
        known = known_last(found.connection, found.item.symbol, cap.day, 1)
    bars, sources = known.bars, known.sources
    if not bars:
        raise no_data(f"{symbol} has no bars up to {cap.day}")
    age, label = weekdays_after(bars[0].day, cap.day), LABELS[sources[0].basis]
    close = Close(session=bars[0].day, price=bars[0].close, source=cite(sources, bars)[0])
    notes = (*_notes(symbol, close, age, label), *cap.warnings)
    instrument = instrument_of(found.item)
    return Quote(instrument=instrument, close=close, weekdays_old=age, tz=found.item.tz, adjustment=label, notes=notes)


def _notes(symbol: str, close: Close, age: int, label: str) -> tuple[str, ...]:
    old = (f"the last close of {symbol} is of {close.session}, {age} weekdays old",) if age > OLD_AFTER else ()
    if label in {"none", "unstated"}:
        return old
    return (*old, f"the closes of {symbol} are stored adjusted ({label}) and are not what was paid on the day")


def closes_after(symbol: str, after: date, ctx: ToolContext) -> list[Close]:
    """The closes of the sessions after that day, up to the run's date, oldest first; none where none are known."""
    from finclaw_market.known import known_between
    from finclaw_market.results import cap_for, cite, opened

    with opened(ctx.home, may_be_empty=True) as prices:
        found = prices.one(symbol, cap_for(ctx, None).day)
        if found is None:
            return []
        known = known_between(found.connection, symbol, after, cap_for(ctx, None, found.item.tz).day)
    named = {source.id: source for source in known.sources}
    return [
        Close(
            session=bar.day,
            price=bar.close,
            source=cite([named[bar.source_id]], [bar])[0],
            split=bar.split not in (None, Decimal(1)),
        )
        for bar in known.bars
        if bar.day > after
    ]


def doubts_since(symbol: str, first: date, ctx: ToolContext) -> tuple[str, ...]:
    """The probable errors in the stored prices from a session on, in words: an action on the shares may be behind each.

    Raises:
        ToolError: the market store cannot be read.
    """
    from finclaw_market.checks import in_words, suspected
    from finclaw_market.known import known_between
    from finclaw_market.results import cap_for, opened

    with opened(ctx.home, may_be_empty=True) as prices:
        found = prices.one(symbol, cap_for(ctx, None).day)
        if found is None:
            return ()
        known = known_between(found.connection, symbol, first, cap_for(ctx, None, found.item.tz).day)
    # A large dividend is no doubt about the shares.
    doubts = [doubt for doubt in suspected(symbol, known.bars, known.basis) if doubt.kind != "large_dividend"]
    return in_words(symbol, doubts)
