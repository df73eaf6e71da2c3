"""Adjusted prices: delivered where the data can give them, refused where it cannot, never mixed.

All adjustment is backward and anchored at the last bar that may be seen, so that nothing of a later split or dividend
shows in an earlier answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from finclaw_market.bars import Adjustment, Bar, Basis, Wanted, exact_text, significant

# How results name the adjustment of stored prices.
LABELS: dict[Basis, str] = {"none": "none", "split": "split", "total": "split+dividend", "unstated": "unstated"}
# What is added to one that the prices contradict.
_DOUBTFUL = " (doubtful)"
_NOTHING = Decimal(0)
_ONE = Decimal(1)
_DIGITS = 12


class CannotAdjust(Exception):
    """The data does not have the requested adjustment; the message names those that it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted:
    """Bars with the adjustment they really have, and who made it."""

    bars: Sequence[Bar]
    label: str
    convention: str
    warnings: tuple[str, ...] = ()


def basis_named(label: str) -> Basis:
    """The adjustment that a label stands for."""
    return next((basis for basis, name in LABELS.items() if name == label), "unstated")


def doubted(label: str, doubts: Sequence[object]) -> str:
    """The label of the prices' adjustment; none where it is doubtful."""
    return label + _DOUBTFUL if doubts and label in {LABELS["split"], LABELS["total"]} else label


def adjusted(bars: Sequence[Bar], bases: Sequence[Basis], wanted: Wanted) -> Adjusted:
    """Give the bars in the wanted adjustment; they must reach up to the last bar that may be seen.

    Raises:
        CannotAdjust: the data does not hold what that takes.
    """
    kinds = set(bases)
    if len(kinds) > 1:
        raise CannotAdjust(f"the bars come from files with different adjustments ({', '.join(sorted(kinds))})")
    basis = kinds.pop()
    if wanted == "as_stored":
        wanted = "none" if basis == "unstated" else basis
    if wanted == basis:
        return _as_stored(bars, basis)
    if wanted == "total" and all(bar.adj_close is not None for bar in bars):
        return _by_adjusted_close(bars)
    match basis, wanted:
        case "unstated", "none":
            return _unstated(bars)
        case "none", "split" if all(bar.split is not None for bar in bars):
            return _by_splits(bars)
        case "none", "total" if all(bar.split is not None and bar.dividend is not None for bar in bars):
            return _by_events(bars)
        case _:
            pass
    raise CannotAdjust(_why_not(basis, wanted))


def _why_not(basis: Basis, wanted: Adjustment) -> str:
    have = f"its file's prices are already adjusted; ask for adjustment {basis}"
    if basis == "unstated":
        have = "it was imported without saying how its prices are adjusted (finclaw data import --adjustment)"
    elif basis == "none":
        lacks = "adjusted closes, nor both dividends and splits for every bar" if wanted == "total" else "splits"
        have = f"its file has unadjusted prices and no column of {lacks}; ask for adjustment none"
    return f"adjustment {wanted} is not available: {have}"


def _as_stored(bars: Sequence[Bar], basis: Basis) -> Adjusted:
    if basis == "none":
        return Adjusted(bars=bars, label=LABELS[basis], convention="prices as in the file")
    return Adjusted(
        bars=bars,
        label=LABELS[basis],
        convention="adjusted by the file's source, as its owner stated; recorded splits of later days are put back",
        warnings=("the source may have adjusted these prices for events after this window",),
    )


def _unstated(bars: Sequence[Bar]) -> Adjusted:
    return Adjusted(
        bars=bars,
        label=LABELS["unstated"],
        convention="prices as in the file",
        warnings=("the import did not say whether these prices are adjusted for splits",),
    )


def split_warning(label: str, bars: Sequence[Bar]) -> tuple[str, ...]:
    """Say where prices that are not adjusted for splits jump with one."""
    if label not in {LABELS["none"], LABELS["unstated"]}:
        return ()
    splits = [f"{exact_text(bar.split)} on {bar.day}" for bar in bars[1:] if bar.split not in {None, _ONE}]
    if not splits:
        return ()
    return (f"split {', '.join(splits)}: prices across it are not comparable; ask for adjustment split",)


def _by_adjusted_close(bars: Sequence[Bar]) -> Adjusted:
    ratios = [(bar.adj_close or bar.close) / bar.close for bar in bars]
    scaled = [_scaled(bar, ratio / ratios[-1], None) for bar, ratio in zip(bars, ratios, strict=True)]
    return Adjusted(
        bars=scaled,
        label=LABELS["total"],
        convention=f"backward by the file's adjusted close, anchored at {bars[-1].day}; volume as in the file",
    )


def _by_splits(bars: Sequence[Bar]) -> Adjusted:
    scaled: list[Bar] = []
    shares = _ONE
    for bar in reversed(bars):
        scaled.append(_scaled(bar, _ONE / shares, shares))
        shares *= bar.split or _ONE
    return Adjusted(
        bars=scaled[::-1],
        label=LABELS["split"],
        convention=f"backward by the file's split column, anchored at {bars[-1].day}; volume adjusted alike",
    )


def _by_events(bars: Sequence[Bar]) -> Adjusted:
    """Total returns: what was paid on a session is worth its part of the close before, in shares of that session.

    The factor of a dividend D after a close P is 1 - D / P, as Yahoo's help page on the adjusted close gives it; it
    keeps prices above zero.
    """
    scaled: list[Bar] = []
    kept = shares = _ONE
    for index in range(len(bars) - 1, -1, -1):
        bar = bars[index]
        scaled.append(_scaled(bar, kept / shares, shares))
        split, paid = bar.split or _ONE, bar.dividend or _NOTHING
        if paid and index:
            before = bars[index - 1].close / split
            if paid >= before:
                raise CannotAdjust(f"the dividend of {paid:f} on {bar.day} is not below the close before it")
            kept *= 1 - paid / before
        shares *= split
    return Adjusted(
        bars=scaled[::-1],
        label=LABELS["total"],
        convention=(
            "backward by the file's dividends, each as 1 - dividend / close before its ex-date, and by its splits, "
            f"anchored at {bars[-1].day}; volume adjusted for splits"
        ),
    )


def _scaled(bar: Bar, factor: Decimal, shares: Decimal | None) -> Bar:
    if factor == 1 and shares in {None, _ONE}:
        return bar
    return replace(
        bar,
        open=_times(bar.open, factor),
        high=_times(bar.high, factor),
        low=_times(bar.low, factor),
        close=significant(bar.close * factor, _DIGITS),
        volume=bar.volume if shares is None else _times(bar.volume, shares),
    )


def _times(number: Decimal | None, factor: Decimal) -> Decimal | None:
    return None if number is None else significant(number * factor, _DIGITS)
