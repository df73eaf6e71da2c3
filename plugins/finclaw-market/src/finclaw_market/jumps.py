"""Overnight jumps that no market makes, and what probably caused each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finclaw_market.bars import Bar, exact_text, significant
from finclaw_market.series import DAILY_DAYS, typical_gap

# Smaller moves happen; crashes of more than this do not, often.
_LEAST = 1.45
_LEAST_OF_A_MONTH = 1.9
_HUNDRED = 100.0
_HUNDRED_TOLERANCE = 0.15
_SPLITS = (1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50)
_SPLIT_TOLERANCE = 0.02
_OUTLIER = 3.0
_RETURN_TOLERANCE = 0.25
# An error that lasts longer than this is a new level.
_LONGEST_ERROR = 60
_NEIGHBOURHOOD = 5


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


def price_errors(bars: Sequence[Bar]) -> Iterator[PriceError]:
    """Name the probable cause of each jump that no recorded split explains."""
    # Within a month a price may well halve by itself; overnight it does not.
    daily = typical_gap([bar.day for bar in bars]) <= DAILY_DAYS
    least = _LEAST if daily else _LEAST_OF_A_MONTH
    pending = [jump for jump in jumps(bars) if not jump.accounted and jump.size >= least]
    while pending:
        jump = pending.pop(0)
        back = next((other for other in pending if _undoes(jump, other)), None)
        if back is not None and (jump.hundredfold or jump.size >= _OUTLIER):
            pending.remove(back)
            yield _excursion(bars, jump, back.index - 1)
        elif (error := _level(bars, jump)) is not None:
            yield error


def _undoes(jump: Jump, other: Jump) -> bool:
    soon = other.index - jump.index <= _LONGEST_ERROR
    return soon and _near(jump.close_ratio * other.close_ratio, 1.0, _RETURN_TOLERANCE)


def _excursion(bars: Sequence[Bar], jump: Jump, last: int) -> PriceError:
    around = [*bars[max(0, jump.index - _NEIGHBOURHOOD) : jump.index], *bars[last + 1 : last + 1 + _NEIGHBOURHOOD]]
    usual = sorted(bar.close for bar in around)[len(around) // 2]
    times = float(bars[jump.index].close / usual)
    count = last - jump.index + 1
    cause = "; one of the two is in another unit: pence for pounds or the like?" if jump.hundredfold else ""
    relation = f"{times:.4g} times" if times > 1 else f"1/{1 / times:.4g} of"
    sessions = f"{count} session{'s' * (count != 1)}"
    detail = f"{sessions} at {relation} the prices around them ({usual:.6g}){cause}"
    return PriceError(kind="unit_error" if jump.hundredfold else "outlier", first=jump.index, last=last, detail=detail)


def _level(bars: Sequence[Bar], jump: Jump) -> PriceError | None:
    moved = f"close {_close(bars[jump.index - 1])} → {_close(bars[jump.index])}"
    if jump.hundredfold:
        return _at(
            jump,
            "unit_error",
            f"prices change by a factor of {_shown(jump.close_ratio)} and stay: {moved}; other unit?",
        )
    ratio = _split_of(jump)
    if ratio is not None:
        return _at(jump, "unapplied_split", f"probable {ratio} split not applied: {moved}")
    if jump.size >= _OUTLIER:
        return _at(jump, "outlier", f"prices change by a factor of {_shown(jump.close_ratio)} in one session: {moved}")
    return None


def _close(bar: Bar) -> str:
    return exact_text(significant(bar.close, 6)) or ""


def _at(jump: Jump, kind: str, detail: str) -> PriceError:
    return PriceError(kind=kind, first=jump.index, last=jump.index, detail=detail)


def _split_of(jump: Jump) -> str | None:
    """The split that a jump looks like, in words; the opening price shows it best."""
    forward = jump.open_ratio < 1
    size = 1 / jump.open_ratio if forward else jump.open_ratio
    found = next((ratio for ratio in _SPLITS if _near(size, ratio, _SPLIT_TOLERANCE)), None)
    if found is None:
        return None
    return f"{found:g}-for-1" if forward else f"1-for-{found:g}"


def _near(value: float, target: float, tolerance: float) -> bool:
    return abs(value / target - 1) <= tolerance


def _shown(ratio: float) -> str:
    return f"{ratio:.4g}" if ratio >= 1 else f"1/{1 / ratio:.4g}"
