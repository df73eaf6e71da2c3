"""Prices come from the market store, and from nowhere else: a close, its session, and the file it stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk import Instrument, Source, ToolContext, no_data
from finclaw_market.bars import Bar, Basis
from finclaw_market.checks import Finding, basis_of, in_words, suspected

# A close older than this many weekdays is still used, and every result says so.
OLD_AFTER = 3
# A price that is wrong by its unit or a split is recognised by so many closes before it.
_LOOKED_THROUGH = 65
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
        ToolError: NO_DATA, UNKNOWN_SYMBOL, … as the market store says it.
    """
    from finclaw_market.adjust import LABELS
    from finclaw_market.queries import last_bars, sources_of
    from finclaw_market.results import cite, instrument_of, opened, seen
    from finclaw_market.sessions import weekdays_after

    with opened(ctx.home) as prices:
        found, cap = seen(prices, symbol, ctx, None)
        recent = last_bars(found.connection, found.item.symbol, cap.day, _LOOKED_THROUGH)
        bases = {source.id: source.basis for source in sources_of(found.connection, recent)}
        bars = recent[-1:]
        sources = sources_of(found.connection, bars)
    if not bars:
        raise no_data(f"{symbol} has no bars up to {cap.day}")
    last, instrument = bars[0], instrument_of(found.item)
    age, label = weekdays_after(last.day, cap.day), LABELS[sources[0].basis]
    doubts = _doubts(symbol, recent, bases)
    cited = cite(sources, bars)[0]
    close = Close(
        session=last.day, price=last.close, source=cited, instrument=instrument, doubt=_doubt_of(last, recent, doubts)
    )
    notes = (*_notes(symbol, close, age, label), *in_words(symbol, doubts), *cap.warnings)
    return Quote(instrument=instrument, close=close, weekdays_old=age, tz=found.item.tz, adjustment=label, notes=notes)


def quote_of(close: Close) -> Quote:
    """A close as the quote of its own session."""
    return Quote(instrument=close.instrument, close=close, weekdays_old=0, tz=None, adjustment="")


def _doubts(symbol: str, bars: Sequence[Bar], bases: Mapping[int, Basis]) -> list[Finding]:
    """The probable errors of these bars, oldest first."""
    return suspected(symbol, bars, basis_of(bases[bar.source_id] for bar in bars))


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
    from finclaw_market.queries import bars_between, last_bars, sources_of
    from finclaw_market.results import cap_for, cite, instrument_of, opened

    with opened(ctx.home, may_be_empty=True) as prices:
        found = prices.one(symbol, cap_for(ctx, None).day)
        if found is None:
            return []
        later = bars_between(found.connection, symbol, after, cap_for(ctx, None, found.item.tz).day)
        before = last_bars(found.connection, symbol, after, _LOOKED_THROUGH)
        bars = [*before, *(bar for bar in later if bar.day > after)]
        named = {source.id: source for source in sources_of(found.connection, bars)}
    doubts = _doubts(symbol, bars, {source.id: source.basis for source in named.values()})
    return [
        Close(
            session=bar.day,
            price=bar.close,
            source=cite([named[bar.source_id]], [bar])[0],
            instrument=instrument_of(found.item),
            split=bar.split not in (None, Decimal(1)) and named[bar.source_id].basis in {"none", "unstated"},
            doubt=_doubt_of(bar, bars, doubts),
        )
        for bar in bars
        if bar.day > after
    ]
