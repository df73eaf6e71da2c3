"""Bars as they were known on a day: prices that their source adjusted for splits of later days are put back."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from finclaw_market.bars import Bar, Basis, significant
from finclaw_market.checks import basis_of, suspected
from finclaw_market.queries import StoredSource, bars_between, last_bars, recorded_splits, sources_of

_ONE = Decimal(1)
_DIGITS = 12
_ADJUSTED = frozenset({"split", "total"})
# Whether prices jump with a split shows from the bars around it.
_AROUND = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBars:
    """Bars, oldest first, and the files that they came from."""

    bars: list[Bar]
    sources: list[StoredSource]

    @property
    def bases(self) -> Mapping[int, Basis]:
        """How the prices of each source are adjusted."""
        return {source.id: source.basis for source in self.sources}

    @property
    def basis(self) -> Basis:
        """The one adjustment of all bars; unstated where it differs."""
        return basis_of(source.basis for source in self.sources)


def known_between(connection: sqlite3.Connection, symbol: str, first: date, cap: date) -> KnownBars:
    """The bars from a day to the last one that may be seen, as they were known on that."""
    return _known(connection, symbol, bars_between(connection, symbol, first, cap), cap)


def known_last(connection: sqlite3.Connection, symbol: str, cap: date, count: int) -> KnownBars:
    """The latest bars up to the last day that may be seen, as they were known on that."""
    return _known(connection, symbol, last_bars(connection, symbol, cap, count), cap)


def _known(connection: sqlite3.Connection, symbol: str, bars: list[Bar], cap: date) -> KnownBars:
    found = KnownBars(bars=bars, sources=sources_of(connection, bars))
    if not any(source.basis in _ADJUSTED for source in found.sources):
        return found
    shares = _split_later(connection, symbol, cap)
    if shares == 1:
        return found
    bases = found.bases
    restored = [_restored(bar, shares) if bases[bar.source_id] in _ADJUSTED else bar for bar in bars]
    return KnownBars(bars=restored, sources=found.sources)


def _restored(bar: Bar, shares: Decimal) -> Bar:
    """The bar in the shares of a day of which each has become so many."""
    return replace(
        bar,
        open=_times(bar.open, shares),
        high=_times(bar.high, shares),
        low=_times(bar.low, shares),
        close=significant(bar.close * shares, _DIGITS),
        adj_close=_times(bar.adj_close, shares),
        dividend=_times(bar.dividend, shares),
        volume=_times(bar.volume, _ONE / shares),
    )


def _times(number: Decimal | None, factor: Decimal) -> Decimal | None:
    return None if number is None else significant(number * factor, _DIGITS)


def _split_later(connection: sqlite3.Connection, symbol: str, cap: date) -> Decimal:
    """How many shares one of the day has become since, by the splits that the stored prices are adjusted for."""
    splits = [(day, ratio) for day, ratio in recorded_splits(connection, symbol, date.max) if day > cap]
    if not splits:
        return _ONE
    bars = bars_between(connection, symbol, max(cap, date.min + _AROUND) - _AROUND, date.max)
    bases = {source.id: source.basis for source in sources_of(connection, bars)}
    jumps = {doubt.first for doubt in suspected(symbol, bars, "split") if doubt.kind == "split_not_applied"}
    adjusted = {bar.day for bar in bars if bases[bar.source_id] in _ADJUSTED and bar.day.isoformat() not in jumps}
    product = _ONE
    for day, ratio in splits:
        product *= ratio if day in adjusted else _ONE
    return product
