"""Which numbers of a result are related, so that arithmetic between them is tried."""

from __future__ import annotations

import re

from finclaw_cli.numbers.leaves import Leaf

_PRICE = re.compile(
    r"price|cost|close|last|value|target|average|avg|high|low|consensus|nav|목표|현재|평균|단가", re.IGNORECASE
)
# Names without a meaning of their own, which the name above or next to them gives.
_NAMELESS = frozenset({"value", "amount"})
_COUNT = re.compile(r"quantity|qty|shares|count|^n$|수량|종목수|건수|주식수", re.IGNORECASE)
_TOTALS = ("total", "sum", "합계", "총")


def of_one_name(one: str, two: str) -> bool:
    """Whether the numbers at two paths have similar names: `rate` and `max_rate`."""
    names = [set(path.rpartition(".")[2].lower().split("_")) for path in (one, two)]
    return bool(names[0] & names[1])


def are_prices(one: str, two: str) -> bool:
    """Whether both paths are of prices or values."""
    return all(_PRICE.search(path.rpartition(".")[2]) for path in (one, two))


def may_be_part(one: str, two: str) -> bool:
    """Whether a number may be a share of another one: of the same row or object, and neither a count."""
    if any(_COUNT.search(path.rpartition(".")[2]) for path in (one, two)):
        return False
    first, second = one.split("."), two.split(".")
    return first[:-1] == second[:-1] or first[-1] != second[-1] or first[-1] in _NAMELESS


def related(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers are of one row, adjacent in one column, a part and its total, or of similar names."""
    if one.figure is not None or two.figure is not None:
        return False  # numbers of a text have no structure that relates them
    first, second = one.path.split("."), two.path.split(".")
    if first[:-1] == second[:-1]:
        return True
    if any(
        _is_total(path[-1]) and path[:-1] == other[: len(path) - 1]
        for path, other in ((first, second), (second, first))
    ):
        return True
    if first[-1] != second[-1]:
        return False
    if len(first) != len(second):
        return not any(part.isdigit() for part in (*first, *second))
    return _beside(first, second)


def _is_total(name: str) -> bool:
    return any(word in name.lower() for word in _TOTALS)


def _beside(first: list[str], second: list[str]) -> bool:
    """Whether rows are adjacent, or one of them is the first."""
    for mine, other in zip(first, second, strict=True):
        if mine != other and mine.isdigit() and other.isdigit():
            return abs(int(mine) - int(other)) == 1 or "0" in {mine, other}
    return True
