"""Overnight jumps that no market makes, and what probably caused each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finclaw_market.bars import Bar, exact_text, significant
from finclaw_market.mending import Repair, in_text
from finclaw_market.series import DAILY_DAYS, typical_gap

# Smaller moves happen; crashes of more than this do not, often.
_LEAST = 1.45
_LEAST_OF_A_MONTH = 1.9
_HUNDRED = 100.0
_HUNDRED_TOLERANCE = 0.15
_SPLITS = (1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50)
_SPLIT_TOLERANCE = 0.02
_OUTLIER = 3.0
_OUTLIER_OF_A_MONTH = 10.0
_RETURN_TOLERANCE = 0.25
# An error that lasts longer than this is a new level.
_LONGEST_ERROR = 60
# One session this far off, and the next one back: how far it may be from the level before, by the size of the move.
_LEAST_SPIKE = 1.3
_SPIKE_TOLERANCE = 1 / 6
_MOST_SPIKE_TOLERANCE = 0.2
# News that halve a price multiply what is traded in money; a split does not. Below this size, that must be known.
_NEWS = 4.0
_SURE = 1.9
_TRADED_BEFORE = 20
# A split is recorded, or applied, at most so many sessions from its day.
_NEARBY = 10
_RECORDED_TOLERANCE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """A move from the close before to a session, as new price per old one."""

    index: int
    close_ratio: float
    open_ratio: float
    accounted: bool
    """A split recorded on that session explains it."""

    @property
    def size(self) -> float:
        return max(self.close_ratio, 1 / self.close_ratio)

    @property
    def hundredfold(self) -> bool:
        return abs(self.size / _HUNDRED - 1) <= _HUNDRED_TOLERANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceError:
    """A probable error and the stretch of bars it concerns."""

    kind: str
    first: int
    last: int
    detail: str
    repair: Repair | None = None


def jumps(bars: Sequence[Bar]) -> list[Jump]:
    """Every move too large to be an ordinary one."""
    found: list[Jump] = []
    for index in range(1, len(bars)):
        before, bar = bars[index - 1], bars[index]
        ratio = float(bar.close / before.close)
        if 1 / _LEAST < ratio < _LEAST and bar.split in {None, Decimal(1)}:
            continue
        opened = float((bar.open or bar.close) / before.close)
        accounted = bar.split not in {None, Decimal(1)} and _near(1 / opened, float(bar.split or 1), 0.2)
        found.append(Jump(index=index, close_ratio=ratio, open_ratio=opened, accounted=accounted))
    return found


def price_errors(bars: Sequence[Bar], basis: str = "unstated") -> Iterator[PriceError]:
    """Name the probable cause of each jump that no recorded split explains."""
    # Within a month a price may well halve by itself; overnight it does not.
    daily = typical_gap([bar.day for bar in bars]) <= DAILY_DAYS
    least, outlier = (_LEAST, _OUTLIER) if daily else (_LEAST_OF_A_MONTH, _OUTLIER_OF_A_MONTH)
    spikes = _spikes(bars) if daily else []
    for index in spikes:
        yield _excursion(bars, index, index)
    known = {index + step for index in spikes for step in (0, 1)}
    pending = [jump for jump in jumps(bars) if not jump.accounted and jump.size >= least and jump.index not in known]
    while pending:
        jump = pending.pop(0)
        back = next((other for other in pending if _undoes(jump, other)), None)
        if back is not None and (jump.hundredfold or jump.size >= outlier):
            pending.remove(back)
            yield _excursion(bars, jump.index, back.index - 1)
        elif (error := _level(bars, jump, basis, outlier)) is not None:
            yield error


def _spikes(bars: Sequence[Bar]) -> list[int]:
    """The single sessions that are far off the one before, where the next one is back."""
    closes = [float(bar.close) for bar in bars]
    found: list[int] = []
    for index in range(1, len(closes) - 1):
        ratio = closes[index] / closes[index - 1]
        if 1 / _LEAST_SPIKE < ratio < _LEAST_SPIKE or (found and found[-1] == index - 1):
            continue
        size = max(ratio, 1 / ratio)
        if abs(closes[index + 1] / closes[index - 1] - 1) <= min(_MOST_SPIKE_TOLERANCE, (size - 1) * _SPIKE_TOLERANCE):
            found.append(index)
    return found


def _undoes(jump: Jump, other: Jump) -> bool:
    soon = other.index - jump.index <= _LONGEST_ERROR
    return soon and _near(jump.close_ratio * other.close_ratio, 1.0, _RETURN_TOLERANCE)


def _excursion(bars: Sequence[Bar], first: int, last: int) -> PriceError:
    usual = bars[first - 1].close
    times = float(bars[first].close / usual)
    hundredfold = _near(max(times, 1 / times), _HUNDRED, _HUNDRED_TOLERANCE)
    count = last - first + 1
    cause = "; one of the two is in another unit: pence for pounds or the like?" if hundredfold else ""
    relation = f"{times:.4g} times" if times > 1 else f"1/{1 / times:.4g} of"
    sessions = f"{count} session{'s' * (count != 1)}"
    detail = f"{sessions} at {relation} the prices around them ({usual:.6g}){cause}"
    return PriceError(
        kind="unit_error" if hundredfold else "outlier",
        first=first,
        last=last,
        detail=detail,
        repair=_back(bars, (first, last), times, hundredfold=hundredfold),
    )


def _back(bars: Sequence[Bar], at: tuple[int, int], times: float, *, hundredfold: bool) -> Repair:
    """How to bring a stretch back to the prices around it."""
    first, last = bars[at[0]].day, bars[at[1]].day
    if hundredfold:
        return Repair(action="scale", first=first, last=last, value="0.01" if times > 1 else "100")
    recorded = _recorded(bars, at[0], times)
    if recorded is not None:
        return Repair(action="scale", first=first, last=last, value=in_text(1 / recorded))
    return Repair(action="leave_out", first=first, last=last)


def _recorded(bars: Sequence[Bar], index: int, times: float) -> Decimal | None:
    """The factor by which a split that is recorded nearby changes prices, where it is that of the move."""
    for bar in bars[max(0, index - _NEARBY) : index + _NEARBY + 1]:
        split = bar.split or Decimal(1)
        for factor in (1 / split, split) if split != 1 else ():
            if _near(times, float(factor), _RECORDED_TOLERANCE):
                return factor
    return None


def _level(bars: Sequence[Bar], jump: Jump, basis: str, outlier: float) -> PriceError | None:
    moved = f"close {_close(bars[jump.index - 1])} → {_close(bars[jump.index])}"
    if jump.hundredfold:
        factor = Decimal(100) if jump.close_ratio > 1 else Decimal("0.01")
        words = f"prices change by a factor of {_shown(jump.close_ratio)} and stay: {moved}; other unit?"
        return _at(jump, "unit_error", words, _before(bars, jump.index, factor))
    split = _split_of(bars, jump)
    if split is not None:
        words = f"probable {_named(split)} split not applied: {moved}"
        return _at(jump, "unapplied_split", words, _applied(bars, jump.index, split, basis))
    if jump.size >= outlier:
        words = f"prices change by a factor of {_shown(jump.close_ratio)} in one session: {moved}"
        return _at(jump, "outlier", words, None)
    return None


def _before(bars: Sequence[Bar], index: int, factor: Decimal) -> Repair:
    return Repair(action="scale", first=bars[0].day, last=bars[index - 1].day, value=in_text(factor))


def _applied(bars: Sequence[Bar], index: int, split: Decimal, basis: str) -> Repair:
    """Unadjusted prices lack the record of a split, adjusted ones its factor."""
    if basis == "none":
        return Repair(action="split", first=bars[index].day, last=bars[index].day, value=in_text(split))
    return _before(bars, index, 1 / split)


def _close(bar: Bar) -> str:
    return exact_text(significant(bar.close, 6)) or ""


def _at(jump: Jump, kind: str, detail: str, repair: Repair | None) -> PriceError:
    return PriceError(kind=kind, first=jump.index, last=jump.index, detail=detail, repair=repair)


def _split_of(bars: Sequence[Bar], jump: Jump) -> Decimal | None:
    """The split that a jump looks like: one that is recorded nearby, or a usual one; the open shows it best."""
    recorded = _recorded(bars, jump.index, jump.close_ratio)
    if recorded is not None:
        return 1 / recorded
    forward = jump.open_ratio < 1
    size = 1 / jump.open_ratio if forward else jump.open_ratio
    found = next((ratio for ratio in _SPLITS if _near(size, ratio, _SPLIT_TOLERANCE)), None)
    traded = _traded(bars, jump.index)
    if found is None or (traded >= _NEWS if traded is not None else found < _SURE):
        return None
    return Decimal(str(found)) if forward else 1 / Decimal(str(found))


def _traded(bars: Sequence[Bar], index: int) -> float | None:
    """How many times the usual amount of money was traded on a session; None where it is not known."""
    before = sorted(float(bar.close * bar.volume) for bar in bars[max(0, index - _TRADED_BEFORE) : index] if bar.volume)
    volume = bars[index].volume
    if not before or not volume:
        return None
    return float(bars[index].close * volume) / before[len(before) // 2]


def _named(split: Decimal) -> str:
    return f"{float(split):.4g}-for-1" if split > 1 else f"1-for-{float(1 / split):.4g}"


def _near(value: float, target: float, tolerance: float) -> bool:
    return abs(value / target - 1) <= tolerance


def _shown(ratio: float) -> str:
    return f"{ratio:.4g}" if ratio >= 1 else f"1/{1 / ratio:.4g}"
