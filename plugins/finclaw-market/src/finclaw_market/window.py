"""A stretch of one instrument's bars, adjusted as far as the data allows, and what an answer about it must say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from finclaw_cli.sdk import ToolContext, no_data
from finclaw_market.adjust import Adjusted, CannotAdjust, adjusted, basis_named, doubted
from finclaw_market.bars import Bar, Wanted, as_json_number
from finclaw_market.calendars import Calendar, calendar_for
from finclaw_market.checks import basis_of, doubts_of, in_words, suspected_payouts
from finclaw_market.known import known_between
from finclaw_market.live import bring_prices
from finclaw_market.queries import Listed, StoredSource
from finclaw_market.remedies import what_would_change
from finclaw_market.repairs import repair_note
from finclaw_market.results import Cap, cap_for, checked_symbol, opened, seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The bars from `first` to `last`, oldest first, and the files they came from."""

    item: Listed
    cap: Cap
    first: date
    last: date
    series: Adjusted
    sources: list[StoredSource]
    bars: Sequence[Bar]
    suspicions: tuple[str, ...]
    """Probable errors among the bars."""
    remedy: str | None
    """What repairs of them would change, in words."""
    payout_doubts: tuple[str, ...]
    """Probable errors of dividends that are not in these prices, but in `total_return`."""
    calendar: Calendar
    """That of its exchange, where it is known."""
    total_return: float | None
    """Of the file's adjusted closes, dividends included, as a fraction; None where it has none."""

    @property
    def adjustment(self) -> str:
        """What the prices are adjusted for; where they look otherwise, with that."""
        return doubted(self.series.label, self.suspicions)


def read_window(
    symbol: str, ctx: ToolContext, dates: tuple[date | None, date | None, date | None], wanted: Sequence[Wanted]
) -> Window:
    """Read the bars of a symbol between the first two `dates`, as seen on the third.

    Args:
        symbol: as the user or model wrote it.
        ctx: of the call.
        dates: start, end and as_of; None for as early, as late and as current as may be.
        wanted: adjustments in the order of preference; the first that the data can give is given.

    Raises:
        ToolError: unknown symbol, no bars in the window, or none of the wanted adjustments can be given.
    """
    start, end, as_of = dates
    wanted_symbol = checked_symbol(symbol)
    latest = cap_for(ctx, as_of).day
    notes = bring_prices(ctx, wanted_symbol, start, min(end or latest, latest))
    with opened(ctx.home) as prices:
        found, cap = seen(prices, wanted_symbol, ctx, as_of)
        item = found.item
        first, last = start or item.first, min(end or cap.day, cap.day)
        if first > last:
            raise no_data(f"start {first} is after the end of the window, {last}", code="BAD_INPUT")
        # Adjusting looks back from the last bar that may be seen, so bars after `end` are read as well.
        known = known_between(found.connection, item.symbol, first, cap.day)
        bars, sources = known.bars, known.sources
        if not bars or bars[0].day > last:
            raise no_data(f"{item.symbol} has no bars from {first} to {last}; it has {item.first} to {item.last}")
    stored = [bar for bar in bars if bar.day <= last]
    used = {bar.source_id for bar in stored}
    cited = [source for source in sources if source.id in used]
    series = _adjusted(item, bars, sources, wanted)
    basis, shown = basis_of(source.basis for source in cited), series.bars[: len(stored)]
    label = basis_named(series.label)
    doubts = doubts_of(item.symbol, (stored, basis), (shown, label))
    total = _total_return(stored)
    payouts = suspected_payouts(item.symbol, stored, basis) if total is not None and label != "total" else []
    days = (stored[0].day, stored[-1].day)
    asked: Wanted = "as_stored" if label == "unstated" else label
    return Window(
        item=item,
        cap=replace(cap, warnings=(*cap.warnings, *notes, *repair_note(item.symbol, stored))),
        first=first,
        last=last,
        series=series,
        sources=cited,
        bars=shown,
        suspicions=in_words(item.symbol, doubts),
        remedy=what_would_change(item.symbol, bars, basis, asked, days) if doubts else None,
        payout_doubts=in_words(item.symbol, payouts),
        calendar=calendar_for(item.exchange, ctx.home, stored[0].day, last),
        total_return=None if payouts else total,
    )


def _total_return(stored: Sequence[Bar]) -> float | None:
    first, last = stored[0].adj_close, stored[-1].adj_close
    if first is None or last is None or len({bar.source_id for bar in stored}) > 1:
        return None
    return as_json_number(last / first - 1)


def _adjusted(item: Listed, bars: list[Bar], sources: list[StoredSource], wanted: Sequence[Wanted]) -> Adjusted:
    refused = None
    for adjustment in wanted:
        try:
            return adjusted(bars, [source.basis for source in sources], adjustment)
        except CannotAdjust as error:
            refused = error
    raise no_data(f"{item.symbol}: {refused}", code="BAD_INPUT") from None
