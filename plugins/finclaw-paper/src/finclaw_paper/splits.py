"""How many shares of today each fill has become: splits are the market store's, as far as a call may see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_paper.book import Fill

_MOST_PARTS = 1_000
_SAME = Fraction(1, 10**9)
_NEAR = Fraction(1, 100)
# Prices that contradict a recorded split leave open whether there was one.
_CONTRADICTING = frozenset({"split_without_jump", "split_not_applied"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareHistory:
    """The splits of one symbol, and its stored closes, which show in which shares a fill was."""

    splits: tuple[tuple[date, Fraction], ...] = ()
    """The first session with the new shares, and how many there are for each old one; oldest first."""
    closes: Mapping[date, Decimal] = field(default_factory=dict)
    adjusted: frozenset[date] = frozenset()
    """The sessions whose stored prices are adjusted for splits."""
    is_doubtful: bool = False

    def factor(self, fill: Fill) -> Fraction | None:
        """How many shares one share of a fill has become; None where that is not known."""
        product = Fraction(1)
        for day, ratio in self.splits:
            product *= ratio if day > fill.session else 1
        if product == 1:
            return product
        if self.is_doubtful or fill.session not in self.closes:
            return None
        if fill.session not in self.adjusted:
            return product
        # Adjusted prices may have been stored before or after the split that they are adjusted for.
        close, paid = Fraction(self.closes[fill.session]), Fraction(fill.price)
        if close == paid:
            return Fraction(1)
        return product if abs(close * product / paid - 1) <= _NEAR else None


class Splits:
    """The histories of the symbols of one call, each read at its first use."""

    def __init__(self, ctx: ToolContext) -> None:
        self._ctx = ctx
        self._histories: dict[str, ShareHistory] = {}

    def factor(self, fill: Fill) -> Fraction | None:
        """How many shares of the call's day one share of a fill has become; None where that is not known."""
        if fill.symbol not in self._histories:
            self._histories[fill.symbol] = _history(fill.symbol, self._ctx)
        return self._histories[fill.symbol].factor(fill)

    def days(self, symbol: str, since: date) -> tuple[date, ...]:
        """The first sessions after splits of a symbol, later than a day."""
        history = self._histories.get(symbol, ShareHistory())
        return tuple(day for day, _ in history.splits if day > since)


def _history(symbol: str, ctx: ToolContext) -> ShareHistory:
    from finclaw_market.checks import suspected
    from finclaw_market.known import known_between
    from finclaw_market.queries import recorded_splits
    from finclaw_market.results import cap_for, opened

    try:
        with opened(ctx.home, may_be_empty=True) as prices:
            found = prices.one(symbol, cap_for(ctx, None).day)
            if found is None:
                return ShareHistory()
            cap = cap_for(ctx, None, found.item.tz).day
            splits = recorded_splits(found.connection, symbol, cap)
            if not splits:
                return ShareHistory()
            known = known_between(found.connection, symbol, date.min, cap)
    except ToolError:
        return ShareHistory()  # without the store there is no price and no value either
    # Prices of unstated adjustment must jump with a split, as unadjusted ones do.
    doubts = suspected(symbol, known.bars, "none" if known.basis == "unstated" else known.basis)
    return ShareHistory(
        splits=tuple((day, _exact(ratio)) for day, ratio in splits),
        closes={bar.day: bar.close for bar in known.bars},
        adjusted=frozenset(bar.day for bar in known.bars if known.bases[bar.source_id] in {"split", "total"}),
        is_doubtful=any(doubt.kind in _CONTRADICTING for doubt in doubts),
    )


def _exact(ratio: Decimal) -> Fraction:
    """The ratio as it was meant: a third, where a file could only write 0.333333333333."""
    written = Fraction(ratio)
    simple = written.limit_denominator(_MOST_PARTS)
    return simple if abs(simple / written - 1) <= _SAME else written
