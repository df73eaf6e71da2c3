"""Which two numbers of a result are worth reckoning with, where nobody says which: those that stand to each other."""

from __future__ import annotations

import re

from finclaw_cli.numbers.leaves import Leaf

_PRICE = re.compile(
    r"price|cost|close|last|value|target|average|avg|high|low|consensus|nav|목표|현재|평균|단가", re.IGNORECASE
)
# Names that say nothing: what they are of stands above them, or beside.
_NAMELESS = frozenset({"value", "amount"})
_COUNT = re.compile(r"quantity|qty|shares|count|^n$|수량|종목수|건수|주식수", re.IGNORECASE)
_TOTALS = ("total", "sum", "합계", "총")


def of_one_name(one: str, two: str) -> bool:
    """Whether the numbers at two places are called alike: `rate` and `max_rate`."""
    names = [set(path.rpartition(".")[2].lower().split("_")) for path in (one, two)]
    return bool(names[0] & names[1])


def are_prices(one: str, two: str) -> bool:
    """Whether both places hold what something is or was worth."""
    return all(_PRICE.search(path.rpartition(".")[2]) for path in (one, two))


def may_be_part(one: str, two: str) -> bool:
    """Whether a number may be told as a share of another one: of the same row or object, and neither a count."""
    if any(_COUNT.search(path.rpartition(".")[2]) for path in (one, two)):
        return False
    first, second = one.split("."), two.split(".")
    return first[:-1] == second[:-1] or first[-1] != second[-1] or first[-1] in _NAMELESS


def related(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers are of one row, of one column beside each other, a part and its total, or called alike."""
    if one.said is not None or two.said is not None:
        return False  # words of a text: nothing says which of them belong together
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
    """Whether rows stand next to each other, or one of them is the first."""
    for mine, other in zip(first, second, strict=True):
        if mine != other and mine.isdigit() and other.isdigit():
            return abs(int(mine) - int(other)) == 1 or "0" in {mine, other}
    return True
