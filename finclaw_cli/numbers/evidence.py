"""The evidence for a derivation: the words beside a figure, and how many other numbers equal it by chance."""

from __future__ import annotations

import re
from decimal import Decimal

from finclaw_cli.numbers.combine import names_sum
from finclaw_cli.numbers.context import Context
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.steps import Derived

_HALF_PERCENT = Decimal("0.005")
_FEW_DIGITS, _LARGE_COUNT = 2, 2_000
_POINTS = re.compile(r"points?|%p|pp\b|bps?\b|포인트", re.IGNORECASE)
_RATIO = re.compile(r"\bratio|multiple|비율|배수", re.IGNORECASE)
_YEARS = re.compile(r"years?|yrs?|년|y$", re.IGNORECASE)
_COMPARED = re.compile(
    r"differ|gap|apart|range|i\.e\.|points?\b|\bpp\b|bps|basis|change|net\b|off\b|over\b|swing|drop|gain|lost|los[es]|"
    r"cost|worth|spread|more|less|higher|lower|above|below|ahead|behind|up\b|down|rose|fell|improv|wors|save|leav|left|"
    r"to go|lack|short|remain|deficit|histogram|decreas|increas|ris[ei]|grew|grow|becom|would|jump|break-even|sum|"
    r"total|combined|together|average|without|excluding|except|apart|\bbut\b|"
    r"폭|추월|위에|아래|인하|인상|개선|악화|차\b|금리차|포인트|차이|높|낮|앞|뒤|올|내|늘|줄|상승|하락|비[싸쌉]|남|아끼|아낄|손익분기|"
    r"부족|됐|되었|합|평균",
    re.IGNORECASE,
)


class Wording:
    """What the words beside a figure may name: a difference, a sum, growth by the year."""

    def __init__(self, figure: Figure, beside: str, context: Context) -> None:
        self._compared = figure.signed or figure.direction != 0 or names_comparison(beside)
        self._sums = names_sum(beside)
        self._yearly = figure.kind is Kind.PERCENT and context.metrics == {"cagr"}

    def fits(self, derived: Derived) -> bool:
        """Whether a derivation is what the words name."""
        if (derived.how == "ratio" and self._yearly) or (derived.relative and not self._compared):
            return False
        return (derived.how != "difference" or self._compared) and (derived.how != "sum" or self._sums)


def names_comparison(words: str) -> bool:
    """Whether words compare: more, above, a gap."""
    return _COMPARED.search(words) is not None


def names_ratio(words: str) -> bool:
    """Whether words name a ratio."""
    return _RATIO.search(words) is not None


def in_points(figure: Figure) -> bool:
    """Whether a figure is in percentage points."""
    return _POINTS.search(figure.text) is not None


def in_years(figure: Figure) -> bool:
    """Whether a figure is a number of years."""
    return figure.kind is Kind.DURATION and _YEARS.search(figure.text) is not None


def is_coarse(figure: Figure) -> bool:
    """Whether many pairs of numbers give it: a percentage without decimals, a count, a multiple of two digits."""
    if figure.kind is Kind.PERCENT:
        return figure.half >= _HALF_PERCENT and not figure.signed
    digits = len(figure.value.normalize().as_tuple().digits)
    if figure.kind in {Kind.SHARES, Kind.DURATION}:
        return digits <= _FEW_DIGITS + 1 and abs(figure.value) < _LARGE_COUNT
    return figure.kind is Kind.TIMES and digits <= _FEW_DIGITS
