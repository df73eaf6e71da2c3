"""`finclaw data check`: what looks wrong in stored prices. Finds and explains; changes nothing.

The tests are those errors that feeds really make: days that are missing, pence for pounds, splits that were not
applied or are recorded on another day, prices that stand still.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby, pairwise

from finclaw_market.bars import Bar, Basis
from finclaw_market.calendars import zone_of
from finclaw_market.jumps import jumps, price_errors
from finclaw_market.mending import Repair, in_text, repair_words
from finclaw_market.payouts import payout_errors
from finclaw_market.series import DAILY_DAYS, typical_gap
from finclaw_market.sessions import weekdays_after

_MAX_MISSING_WEEKDAYS = 4
# A weekly or monthly series has a hole where a gap is this many times the usual one.
_WIDE_GAP = 1.6
_ZERO_VOLUME_RUN = 3
_STALE_RUN = 5
_NEARBY_SESSIONS = 5
_MAX_SUSPICIONS = 3
_SATURDAY = 5
# Seoul and Tokyo traded on Saturdays until 1998 and 1989, New York until 1952.
_NO_SATURDAYS_SINCE = 2000
_Found = tuple[str, Bar, Bar, str, Repair | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a person should look at."""

    symbol: str
    kind: str
    first: str
    last: str
    detail: str
    repair: Repair | None = None
    """What would probably correct it."""


def check(symbol: str, bars: Sequence[Bar], basis: str, exchange: str | None = None) -> list[Finding]:
    """All findings for one symbol, by date; `bars` are oldest first, `exchange` is its ISO 10383 code."""
    wrong = [*_price_jumps(bars, basis), *_splits(bars, basis), *_payouts(bars, basis)]
    return _named(symbol, [*_gaps(bars), *wrong, *_zero_volume(bars), *_stale(bars), *_weekends(bars, exchange)])


def suspected(symbol: str, bars: Sequence[Bar], basis: str) -> list[Finding]:
    """The probable errors that make prices wrong, by date; `bars` are oldest first."""
    return _named(symbol, [*_price_jumps(bars, basis), *_splits(bars, basis)])


def suspected_payouts(symbol: str, bars: Sequence[Bar], basis: str) -> list[Finding]:
    """The probable errors of dividends and adjusted closes, which only total returns contain; by date."""
    return _named(symbol, [*_payouts(bars, basis)])


def in_words(symbol: str, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Probable errors as warnings of an answer from these bars: the first few."""
    found = [f"{when(finding)}: {explained(finding)}" for finding in findings]
    more = (f"{len(found) - _MAX_SUSPICIONS} more probable errors: finclaw data check {symbol}",)
    return (*found[:_MAX_SUSPICIONS], *(more if len(found) > _MAX_SUSPICIONS else ()))


def doubts_of(symbol: str, stored: tuple[Sequence[Bar], Basis], shown: tuple[Sequence[Bar], Basis]) -> list[Finding]:
    """The probable errors of adjusted bars: not those among the stored ones that adjusting took away.

    Args:
        symbol: whose bars they are.
        stored: the bars as they are stored, oldest first, and their adjustment.
        shown: the same sessions as an answer gives them, and the adjustment it claims.
    """
    found = suspected(symbol, *stored)
    if stored[1] == shown[1]:
        return found
    paid = suspected_payouts(symbol, *stored) if shown[1] == "total" else []
    remaining = suspected(symbol, *shown)
    days = {finding.first for finding in remaining}
    # In the stored prices' own words, where they are the same.
    kept = [finding for finding in found if finding.first in days]
    first_days = {finding.first for finding in (*kept, *paid)}
    new = [finding for finding in remaining if finding.first not in first_days]
    return sorted([*kept, *new, *paid], key=lambda finding: finding.first)


def explained(finding: Finding) -> str:
    """A finding and the repair that is proposed, in words."""
    proposed = f"; proposed repair: {repair_words(finding.repair)}" if finding.repair else ""
    return finding.detail + proposed


def when(finding: Finding) -> str:
    """The day or the stretch of a finding."""
    return finding.first if finding.first == finding.last else f"{finding.first}..{finding.last}"


def basis_of(bases: Iterable[Basis]) -> Basis:
    """The one adjustment that all bars have; unstated where it differs."""
    known = set(bases)
    return known.pop() if len(known) == 1 else "unstated"


def _named(symbol: str, found: list[_Found]) -> list[Finding]:
    return [
        Finding(
            symbol=symbol,
            kind=kind,
            first=first.day.isoformat(),
            last=last.day.isoformat(),
            detail=detail,
            repair=repair,
        )
        for kind, first, last, detail, repair in sorted(found, key=lambda item: (item[1].day, item[0]))
    ]


def _payouts(bars: Sequence[Bar], basis: str) -> Iterator[_Found]:
    for error in payout_errors(bars, basis):
        yield error.kind, bars[error.index], bars[error.index], error.detail, error.repair


def _gaps(bars: Sequence[Bar]) -> Iterator[_Found]:
    usual = typical_gap([bar.day for bar in bars])
    for before, after in pairwise(bars):
        if usual > DAILY_DAYS:
            days = (after.day - before.day).days
            if days > usual * _WIDE_GAP:
                yield "gap", before, after, f"{days} days without a bar, where {usual} are usual", None
            continue
        missing = weekdays_after(before.day, after.day) - 1
        if missing > _MAX_MISSING_WEEKDAYS:
            yield "gap", before, after, f"{missing} weekdays in a row without a bar", None


def _price_jumps(bars: Sequence[Bar], basis: str) -> Iterator[_Found]:
    for error in price_errors(bars, basis):
        yield (
            error.kind,
            bars[error.first],
            bars[error.last],
            error.detail + _recorded_nearby(bars, error.kind, error.first),
            error.repair,
        )


def _recorded_nearby(bars: Sequence[Bar], kind: str, index: int) -> str:
    if kind != "unapplied_split":
        return ""
    near = bars[max(0, index - _NEARBY_SESSIONS) : index + _NEARBY_SESSIONS + 1]
    recorded = [bar for bar in near if bar.split not in {None, Decimal(1)} and bar.day != bars[index].day]
    if not recorded:
        return "; no split is recorded near it"
    return f"; a split of {recorded[0].split:f} is recorded on {recorded[0].day}"


def _splits(bars: Sequence[Bar], basis: str) -> Iterator[_Found]:
    """Recorded splits that the prices contradict."""
    if basis == "unstated":
        return
    seen = {jump.index: jump for jump in jumps(bars)}
    for index, bar in enumerate(bars):
        if bar.split in {None, Decimal(1)} or index == 0:
            continue
        applied = index in seen and seen[index].accounted
        if basis == "none" and not applied:
            repair = Repair(action="split", first=bar.day, last=bar.day, value="1")
            detail = f"a split of {bar.split:f} is recorded, but the price does not jump"
            yield "split_without_jump", bar, bar, detail, repair
        if basis != "none" and applied:
            factor = in_text(1 / (bar.split or Decimal(1)))
            repair = Repair(action="scale", first=bars[0].day, last=bars[index - 1].day, value=factor)
            detail = f"prices should be adjusted, but jump with the split of {bar.split:f}"
            yield "split_not_applied", bar, bar, detail, repair


def _weekends(bars: Sequence[Bar], exchange: str | None) -> Iterator[_Found]:
    """Bars on days on which none of the main exchanges trades, but for a rare special session."""
    if zone_of(exchange) is None:
        return
    days = [bar for bar in bars if bar.day.weekday() >= _SATURDAY and bar.day.year >= _NO_SATURDAYS_SINCE]
    if days:
        detail = f"{len(days)} bars on a Saturday or Sunday, when {exchange} does not trade"
        yield "weekend", days[0], days[-1], detail, None


def _zero_volume(bars: Sequence[Bar]) -> Iterator[_Found]:
    for zero, run in groupby(bars, key=lambda bar: bar.volume == 0):
        group = list(run)
        if zero and len(group) >= _ZERO_VOLUME_RUN:
            yield "zero_volume", group[0], group[-1], f"{len(group)} sessions with volume 0", None


def _stale(bars: Sequence[Bar]) -> Iterator[_Found]:
    for _, run in groupby(bars, key=lambda bar: (bar.open, bar.high, bar.low, bar.close)):
        group = list(run)
        if len(group) >= _STALE_RUN:
            yield "stale", group[0], group[-1], f"{len(group)} sessions with the same prices", None
