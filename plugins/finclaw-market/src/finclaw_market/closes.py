"""The door for other plugins: closes and splits of one instrument, with all that an answer about them has to name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from finclaw_cli.sdk import Instrument, Source, ToolContext
from finclaw_market.adjust import split_warning
from finclaw_market.bars import Bar, Wanted
from finclaw_market.queries import recorded_splits
from finclaw_market.results import (
    checked_symbol,
    cite,
    instrument_of,
    mixed_warning,
    opened,
    price_unit,
    seen,
    unit_warnings,
)
from finclaw_market.window import Window, read_window

_ORDER: dict[str, tuple[Wanted, ...]] = {
    "best": ("total", "split", "as_stored"),
    "as_stored": ("as_stored",),
    "none": ("none",),
    "split": ("split",),
    "total": ("total",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Closes:
    """Daily bars, oldest first, at one adjustment.

    `bars` have `day` (session date), `close` (Decimal, in `unit`), and `open`, `high`, `low`, `volume`, each None where
    the file has none. `adjustment` is `none`, `split`, `split+dividend` or `unstated`; only in `split+dividend` are
    dividends part of a change. Where the prices contradict it, ` (doubtful)` is added to `split` or `split+dividend`.
    `doubts` are the probable errors, in words: where there are any, no return across the window can be trusted. They
    are among the `warnings` too. `sessions_behind` counts the sessions of `calendar` from the last bar to the end that
    was asked for.
    """

    bars: tuple[Bar, ...]
    instrument: Instrument
    unit: str
    tz: str | None
    calendar: str
    as_of: date
    sessions_behind: int
    adjustment: str
    convention: str
    sources: tuple[Source, ...]
    warnings: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    at_splits: tuple[str, ...] = ()
    """Those of the warnings that name splits across which the closes cannot be compared."""
    remedy: str | None = None
    """What the repairs of these errors would change, in words."""


def closes(
    symbol: str,
    ctx: ToolContext,
    *,
    start: date | None = None,
    end: date | None = None,
    as_of: date | None = None,
    adjustment: Literal["best", "as_stored", "none", "split", "total"] = "best",
) -> Closes:
    """Read the closes of a symbol, none after `as_of`, the run's date or today.

    Args:
        symbol: exact symbol; looked up in the user's store and in packages that bring prices.
        ctx: of the call.
        start: first date; by default the first one stored.
        end: last date; by default the last one that may be seen.
        as_of: answer as if it were this date.
        adjustment: `best` is for total returns where the data allows it, else for splits, else as stored.

    Raises:
        ToolError: UNKNOWN_SYMBOL or AMBIGUOUS_SYMBOL with candidates, NO_DATA, BAD_INPUT, NOT_CONFIGURED.
    """
    return _closes(read_window(symbol, ctx, (start, end, as_of), _ORDER[adjustment]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Shares were split before the session of that day: `ratio` is the number of new shares for each old one."""

    day: date
    ratio: Decimal


def splits(symbol: str, ctx: ToolContext, *, as_of: date | None = None) -> tuple[Split, ...]:
    """The splits that are recorded of a symbol, oldest first, none after `as_of`, the run's date or today.

    Args:
        symbol: exact symbol; looked up in the user's store and in packages that bring prices.
        ctx: of the call.
        as_of: answer as if it were this date.

    Raises:
        ToolError: UNKNOWN_SYMBOL or AMBIGUOUS_SYMBOL with candidates, NO_DATA, BAD_INPUT, NOT_CONFIGURED.
    """
    with opened(ctx.home) as prices:
        found, cap = seen(prices, checked_symbol(symbol), ctx, as_of)
        recorded = recorded_splits(found.connection, found.item.symbol, cap.day)
    return tuple(Split(day=day, ratio=ratio) for day, ratio in recorded)


def _closes(window: Window) -> Closes:
    at_splits = split_warning(window.series.label, window.bars)
    return Closes(
        bars=tuple(window.bars),
        instrument=instrument_of(window.item),
        unit=price_unit(window.item),
        tz=window.item.tz,
        calendar=window.calendar.name,
        as_of=window.bars[-1].day,
        sessions_behind=window.calendar.sessions_after(window.bars[-1].day, window.last),
        adjustment=window.adjustment,
        convention=window.series.convention,
        sources=cite(window.sources, window.bars),
        warnings=(
            *window.cap.warnings,
            *window.series.warnings,
            *at_splits,
            *window.suspicions,
            *((window.remedy,) if window.remedy else ()),
            *unit_warnings(window.item),
            *mixed_warning(window.sources),
        ),
        doubts=window.suspicions,
        at_splits=at_splits,
        remedy=window.remedy,
    )
