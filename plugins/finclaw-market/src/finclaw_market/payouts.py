"""Recorded dividends against prices and adjusted closes: missing, doubled, in another unit, left out of the adjustment.

An adjusted close falls behind the close, before an ex-date, by 1 - dividend / close before, as Yahoo's help page on
the adjusted close gives it. Where a file has both, each session shows which dividend its adjusted closes contain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from finclaw_market.bars import Bar, exact_text, significant
from finclaw_market.mending import Repair, in_text

# Parts of the close before: differences below are rounding.
_LEAST_DIFFERENCE = 0.0015
_LEAST_SHARE = 0.05
_SAME_AMOUNT = 0.1
_TWICE_DAYS = 5
_AGAIN_DAYS = 10
_LARGE = 0.1
_FALL_SHARE = 1 / 3
_HUNDRED = Decimal(100)
_EXACTLY = Decimal("0.015")
# The logarithm of how much better a hundredth or a hundredfold must explain the falls, and what one may add to it.
_ENOUGH = 5.0
_AT_MOST = 4.0
_LEAST_SPREAD = 0.002
_NORMAL = 1.4826  # a standard deviation in median absolute deviations
_MANY_A_YEAR_DAYS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    """A recorded dividend: the sessions around it and what the prices say, in parts of the close before."""

    index: int
    amount: Decimal
    part: float
    change: float
    """Of the close, from the session before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutError:
    """A dividend or an adjusted close that is probably wrong."""

    kind: str
    index: int
    detail: str
    repair: Repair


def payout_errors(bars: Sequence[Bar], basis: str) -> Iterator[PayoutError]:
    """What is probably wrong with the dividends and adjusted closes of bars, oldest first."""
    paid = payouts(bars, basis)
    wrong: set[int] = set()
    for error in (*_twice(bars, paid), *_too_large(bars, paid), *_hundredfold(bars, paid)):
        if error.index not in wrong:
            wrong.add(error.index)
            yield error
    if basis != "total":
        yield from (error for error in _unlike(bars, basis, paid) if error.index not in wrong)


def payouts(bars: Sequence[Bar], basis: str) -> list[Payout]:
    """The recorded dividends with what the prices did."""
    found: list[Payout] = []
    for index in range(1, len(bars)):
        amount, before = bars[index].dividend, bars[index - 1].close
        if amount:
            base = before / _shares(bars[index], basis, bars[index].close / before)
            found.append(
                Payout(
                    index=index,
                    amount=amount,
                    part=float(amount / base),
                    change=float(bars[index].close / base) - 1,
                )
            )
    return found


def _shares(bar: Bar, basis: str, ratio: Decimal) -> Decimal:
    """The split that is in the prices of a session; where it is not stated how they are adjusted, by the jump."""
    split = bar.split or Decimal(1)
    if basis == "none" or (basis == "unstated" and abs(ratio * split - 1) < abs(ratio - 1)):
        return split
    return Decimal(1)


def _twice(bars: Sequence[Bar], paid: Sequence[Payout]) -> Iterator[PayoutError]:
    gaps = sorted((bars[after.index].day - bars[before.index].day).days for before, after in pairwise(paid))
    if len(gaps) > 1 and gaps[len(gaps) // 2] <= _MANY_A_YEAR_DAYS:
        return
    for before, after in pairwise(paid):
        days = (bars[after.index].day - bars[before.index].day).days
        if days <= _TWICE_DAYS and abs(float(before.amount / after.amount) - 1) <= _SAME_AMOUNT:
            extra, kept = (before, after) if before.change > after.change else (after, before)
            words = f"the dividend of {_text(extra.amount)} is recorded again on {bars[kept.index].day}"
            yield _error("dividend_twice", extra.index, words, _set(bars, extra.index, Decimal(0)))


def _too_large(bars: Sequence[Bar], paid: Sequence[Payout]) -> Iterator[PayoutError]:
    for each in paid:
        if each.part >= _LARGE and -each.change < each.part * _FALL_SHARE:
            what = "falls" if each.change < 0 else "rises"
            words = (
                f"a dividend of {_text(each.amount)} is {each.part:.3g} of the close before it, "
                f"{_text(bars[each.index - 1].close)}, but the price {what} by {abs(each.change):.2g}"
            )
            again = any(_is_hundredth(bars, each, other) for other in paid)
            repair = _set(bars, each.index, Decimal(0) if again else each.amount / _HUNDRED)
            yield _error("dividend_without_fall", each.index, words, repair)


def _is_hundredth(bars: Sequence[Bar], each: Payout, other: Payout) -> bool:
    """Whether the same dividend is recorded in the right unit a few days off."""
    near = abs((bars[each.index].day - bars[other.index].day).days) <= _AGAIN_DAYS
    return near and abs(each.amount / other.amount / _HUNDRED - 1) <= _EXACTLY


def _hundredfold(bars: Sequence[Bar], paid: Sequence[Payout]) -> Iterator[PayoutError]:
    """Dividends in another unit: all of them, by how prices fall, or one, a hundredth of those around it."""
    small = [each for each in paid if each.part * 100 < _LARGE]
    spread = _spread(bars)
    gains = [max(-_AT_MOST, min(_AT_MOST, _gain(each, spread))) for each in small]
    proven = len(small) > 1 and math.fsum(gains) >= _ENOUGH
    for each in small if proven else [each for each in small if _outlying(each, paid)]:
        words = f"a dividend of {_text(each.amount)} is probably a hundredth of what was paid: pence for pounds?"
        yield _error("dividend_unit", each.index, words, _set(bars, each.index, each.amount * _HUNDRED))


def _gain(each: Payout, spread: float) -> float:
    """How much better a hundredfold dividend explains the change, as a logarithm of likelihoods."""
    return ((each.change + each.part) ** 2 - (each.change + each.part * 100) ** 2) / (2 * spread**2)


def _spread(bars: Sequence[Bar]) -> float:
    changes = sorted(abs(float(after.close / before.close) - 1) for before, after in pairwise(bars))
    return max(_LEAST_SPREAD, _NORMAL * changes[len(changes) // 2]) if changes else _LEAST_SPREAD


def _outlying(each: Payout, paid: Sequence[Payout]) -> bool:
    at = paid.index(each)
    beside = [paid[number] for number in (at - 1, at + 1) if 0 <= number < len(paid)]
    return any(abs(other.amount / each.amount / _HUNDRED - 1) <= _EXACTLY for other in beside)


def _unlike(bars: Sequence[Bar], basis: str, paid: Sequence[Payout]) -> Iterator[PayoutError]:
    """Sessions whose adjusted closes contain another dividend than the recorded one."""
    recorded = {each.index: each for each in paid}
    rounding = _rounding(bars)
    for index in range(1, len(bars)):
        before, bar = bars[index - 1], bars[index]
        if before.adj_close is None or bar.adj_close is None or bar.dividend is None:
            continue
        shares = _shares(bar, basis, bar.close / before.close)
        contained = 1 - float(before.adj_close / before.close / (bar.adj_close / bar.close) * shares)
        part = recorded[index].part if index in recorded else 0.0
        noise = rounding * float(1 / before.adj_close + 1 / bar.adj_close)
        if abs(contained - part) > max(_LEAST_DIFFERENCE + noise, _LEAST_SHARE * max(abs(contained), part)):
            yield _contradiction(bars, index, recorded.get(index), contained)


def _rounding(bars: Sequence[Bar]) -> float:
    """Half of the last decimal that the adjusted closes have."""
    exponents = [bar.adj_close.as_tuple().exponent for bar in bars if bar.adj_close is not None]
    least = min((exponent for exponent in exponents if isinstance(exponent, int)), default=0)
    return 0.5 * 10.0 ** min(least, 0)


def _contradiction(bars: Sequence[Bar], index: int, each: Payout | None, contained: float) -> PayoutError:
    base = bars[index - 1].close
    amount = significant(base * Decimal(contained), 4)
    if each is None:
        words = f"the adjusted closes contain a dividend of {_text(amount)}, but none is recorded"
        return _error("dividend_missing", index, words, _readjust(bars))
    have = "no dividend" if abs(contained) < _LEAST_DIFFERENCE / 2 else f"one of {_text(amount)}"
    words = f"a dividend of {_text(each.amount)} is recorded, but the adjusted closes contain {have}"
    split = bars[index].split or Decimal(1)
    in_old_shares = split != 1 and abs(each.part / contained / float(split) - 1) <= _LEAST_SHARE if contained else False
    fits = in_old_shares or (abs(each.change + contained) < abs(each.change + each.part) and each.part >= _LARGE)
    repair = _set(bars, index, amount) if fits else _readjust(bars)
    return _error("adjustment_unlike_dividend", index, words, repair)


def _readjust(bars: Sequence[Bar]) -> Repair:
    return Repair(action="readjust", first=bars[0].day, last=bars[-1].day)


def _set(bars: Sequence[Bar], index: int, amount: Decimal) -> Repair:
    return Repair(action="dividend", first=bars[index].day, last=bars[index].day, value=in_text(amount))


def _error(kind: str, index: int, detail: str, repair: Repair) -> PayoutError:
    return PayoutError(kind=kind, index=index, detail=detail, repair=repair)


def _text(amount: Decimal) -> str:
    return exact_text(significant(amount, 6)) or ""
