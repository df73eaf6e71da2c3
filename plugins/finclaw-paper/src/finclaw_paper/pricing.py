"""Prices come from the market store, and from nowhere else: a close, its session, and the file it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from finclaw_cli.sdk import Instrument, Source, ToolContext, no_data
from finclaw_market.bars import Bar
from finclaw_market.checks import Finding, in_words, suspected

# A close older than this many weekdays is still used, with a warning in every result.
OLD_AFTER = 3
# A price that is wrong by its unit or a split is recognised by so many closes before it.
_LOOKED_THROUGH = 65
_LOOKED_BACK = timedelta(days=95)
"""The days of so many sessions."""
# Of what the store's check finds, these put the price itself in doubt; the others concern its history.
_OF_PRICE = frozenset({"unit_error", "outlier", "unapplied_split"})
_SAME_LEVEL = (Decimal("0.69"), Decimal("1.45"))
"""A close returned to the level before a jump where their ratio is within these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """The close of one session, in the instrument's currency per share."""

    session: date
    price: Decimal
    source: Source
    instrument: Instrument
    split: bool = False
    """Whether shares were split before this session, so that earlier prices and quantities mean something else."""
    doubt: str | None = None
    """Why the price is probably wrong, where the store's check finds a reason."""


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
        ToolError: NO_DATA, UNKNOWN_SYMBOL, … from the market store.
    """
    from finclaw_market.adjust import LABELS
    from finclaw_market.known import known_last
    from finclaw_market.results import cite, instrument_of, opened, seen
    from finclaw_market.sessions import weekdays_after

    with opened(ctx.home) as prices:
        found, cap = seen(prices, symbol, ctx, None)
        recent = known_last(found.connection, found.item.symbol, cap.day, _LOOKED_THROUGH)
    bars = recent.bars[-1:]
    sources = [source for source in recent.sources if bars and source.id == bars[0].source_id]
    if not bars:
        raise no_data(f"{symbol} has no bars up to {cap.day}")
    last, instrument = bars[0], instrument_of(found.item)
    age, label = weekdays_after(last.day, cap.day), LABELS[sources[0].basis]
    doubts = suspected(symbol, recent.bars, recent.basis)
    cited = cite(sources, bars)[0]
    close = Close(
        session=last.day,
        price=last.close,
        source=cited,
        instrument=instrument,
        doubt=_doubt_of(last, recent.bars, doubts),
    )
    notes = (*_notes(symbol, close, age, label), *in_words(symbol, doubts), *cap.warnings)
    return Quote(instrument=instrument, close=close, weekdays_old=age, tz=found.item.tz, adjustment=label, notes=notes)


def quote_of(close: Close) -> Quote:
    """A close as the quote of its own session."""
    return Quote(instrument=close.instrument, close=close, weekdays_old=0, tz=None, adjustment="")


def _doubt_of(bar: Bar, bars: Sequence[Bar], doubts: Sequence[Finding]) -> str | None:
    """What puts the close of a bar in doubt: an error that covers it, or a new level that an error began."""
    day = bar.day.isoformat()
    found = (
        item
        for item in doubts
        if item.kind in _OF_PRICE and item.first <= day and (day <= item.last or not _is_over(item, bars))
    )
    return next((item.detail for item in found), None)


def _is_over(doubt: Finding, bars: Sequence[Bar]) -> bool:
    """Whether prices are back, after the stretch in doubt, at the level before it."""
    before = [bar for bar in bars if bar.day.isoformat() < doubt.first]
    after = [bar for bar in bars if bar.day.isoformat() > doubt.last]
    if not before or not after:
        return False
    least, most = _SAME_LEVEL
    return least < after[0].close / before[-1].close < most


def _notes(symbol: str, close: Close, age: int, label: str) -> tuple[str, ...]:
    old = (f"the last close of {symbol} is of {close.session}, {age} weekdays old",) if age > OLD_AFTER else ()
    if label in {"none", "unstated"}:
        return old
    return (*old, f"the closes of {symbol} are stored adjusted ({label}) and are not what was paid on the day")


def closes_after(symbol: str, after: date, ctx: ToolContext) -> list[Close]:
    """The closes of the sessions after that day, up to the run's date, oldest first; none where none are known."""
    from finclaw_market.known import known_between
    from finclaw_market.results import cap_for, cite, instrument_of, opened

    with opened(ctx.home, may_be_empty=True) as prices:
        found = prices.one(symbol, cap_for(ctx, None).day)
        if found is None:
            return []
        first = max(after, date.min + _LOOKED_BACK) - _LOOKED_BACK
        known = known_between(found.connection, symbol, first, cap_for(ctx, None, found.item.tz).day)
    named = {source.id: source for source in known.sources}
    doubts = suspected(symbol, known.bars, known.basis)
    return [
        Close(
            session=bar.day,
            price=bar.close,
            source=cite([named[bar.source_id]], [bar])[0],
            instrument=instrument_of(found.item),
            split=bar.split not in (None, Decimal(1)),
            doubt=_doubt_of(bar, known.bars, doubts),
        )
        for bar in known.bars
        if bar.day > after
    ]


def doubts_since(symbol: str, first: date, ctx: ToolContext) -> tuple[str, ...]:
    """The probable errors in the stored prices from a session on, in words: an action on the shares may be behind each.

    Raises:
        ToolError: the market store cannot be read.
    """
    from finclaw_market.known import known_between
    from finclaw_market.results import cap_for, opened

    with opened(ctx.home, may_be_empty=True) as prices:
        found = prices.one(symbol, cap_for(ctx, None).day)
        if found is None:
            return ()
        known = known_between(found.connection, symbol, first, cap_for(ctx, None, found.item.tz).day)
    return in_words(symbol, suspected(symbol, known.bars, known.basis))
