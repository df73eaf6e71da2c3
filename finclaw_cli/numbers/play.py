"""The numbers of an answer that are traced already, by sentence and by line: operands for what stands beside them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf, Measure
from finclaw_cli.numbers.sources import Traced
from finclaw_cli.numbers.steps import Derived

SENTENCE, LINE = re.compile(r"[.!?;。](?=\s)|\n"), re.compile(r"\n")
_NEAREST = 20
_BESIDE = 40
GIVEN = "given"
_MEASURES = {Kind.MONEY: Measure.MONEY, Kind.PERCENT: Measure.FRACTION, Kind.SHARES: Measure.COUNT}
_ASSUMED_BEFORE = re.compile(
    r"(?:\b(?:on|per|for|with|invest(?:ed|ing)?|put)\s(?:a|an|every|each)?\s?|\bif\b.{0,30})$", re.IGNORECASE
)
_ASSUMED_AFTER = re.compile(
    r"\s?(?:position|investment|portfolio|stake|invested|holding)\b|\s?[을를]?\s?투자(?:했|한|하|금|\s?시)|\s?(?:어치|당\b|기준)",
    re.IGNORECASE,
)
_FEW_DIGITS = 2


class Parts:
    """The traced numbers of an answer; what is derived is added in the order of the text."""

    def __init__(self, answer: str, found: Sequence[Figure], shown: Sequence[Traced | None]) -> None:
        self._text = answer
        self._found = found
        self._shown = list(shown)
        self.given: list[Leaf] = []
        """The amounts that the user gave, or that the answer assumes."""
        self._of = {mark: _parts(answer, mark, found) for mark in (SENTENCE, LINE)}
        self._members = {mark: _members(parts) for mark, parts in self._of.items()}

    def add(self, at: int, derived: Derived, result: int) -> None:
        """Add a derived figure as a number for the figures after it."""
        figure = self._found[at]
        value = Decimal(repr(derived.value)) * (-1 if figure.value < 0 else 1)
        measure = _MEASURES.get(figure.kind, Measure.ANY)
        path = (
            derived.first
            if derived.how in {"difference", "sum"}
            else f"({derived.first} {derived.how} {derived.second})"
        )
        self._shown[at] = Traced(result, Leaf(value=value, path=path, measure=measure, currency=derived.currency))

    def add_given(self, figure: Figure) -> None:
        """Add an amount of the user, or an assumed one."""
        measure = _MEASURES.get(figure.kind, Measure.ANY)
        currency = next(iter(figure.currencies)) if len(figure.currencies) == 1 else None
        self.given.append(Leaf(value=figure.value, path=GIVEN, measure=measure, currency=currency))

    def beside(self, at: int, mark: re.Pattern[str]) -> list[Traced]:
        """The numbers of the same sentence or line, up to a maximum, in the order of the text."""
        members = self._members[mark][self._of[mark][at]]
        place = bisect_left(members, at)
        near = members[max(0, place - _NEAREST) : place + _NEAREST]
        return [traced for other in near if other != at and (traced := self._shown[other]) is not None]

    def before(self, at: int) -> list[Traced]:
        """The numbers of the whole answer up to a figure, the nearest ones."""
        return [one for one in self._shown[max(0, at - 2 * _NEAREST) : at] if one is not None]

    def words_beside(self, at: int) -> str:
        """The words between a figure and its neighbours, in the same line."""
        figure = self._found[at]
        start = self._text.rfind("\n", 0, figure.start) + 1
        end = self._text.find("\n", figure.end)
        start = max(start, self._found[at - 1].end if at else 0)
        last = self._found[at + 1].start if at + 1 < len(self._found) else len(self._text)
        end = min(len(self._text) if end < 0 else end, last, figure.end + _BESIDE)
        return self._text[start:end]

    def words(self, at: int) -> str:
        """The sentence of a figure, and the line it is in where that is short."""
        figure = self._found[at]
        start = self._text.rfind("\n", 0, figure.start) + 1
        end = self._text.find("\n", figure.end)
        return self._text[max(start, figure.start - 200) : min(len(self._text) if end < 0 else end, figure.end + 80)]


def is_assumed(text: str, figure: Figure) -> bool:
    """Whether the text itself assumes a round amount: `on a $50,000 position`."""
    if figure.kind is not Kind.MONEY or len(figure.value.normalize().as_tuple().digits) > _FEW_DIGITS:
        return False
    after = _ASSUMED_AFTER.match(text, figure.end) is not None
    korean = any("가" <= sign <= "힣" for sign in text[figure.end : figure.end + 8])
    return after and (korean or _ASSUMED_BEFORE.search(text[max(0, figure.start - 40) : figure.start]) is not None)


def with_places(traced: Iterable[Traced], calls: Sequence[str]) -> tuple[list[Leaf], int]:
    """The numbers of these, and the latest result; where there are several, each path begins with its call."""
    numbers = list(traced)
    latest = max((one.result for one in numbers), default=0)
    if all(one.result == latest for one in numbers):
        return [one.leaf for one in numbers], latest
    return [replace(one.leaf, path=f"{calls[one.result]}:{one.leaf.path}") for one in numbers], latest


def _parts(answer: str, mark: re.Pattern[str], found: Sequence[Figure]) -> list[int]:
    ends = [end.end() for end in mark.finditer(answer)]
    return [bisect_left(ends, figure.end) for figure in found]


def _members(parts: Sequence[int]) -> dict[int, list[int]]:
    members: dict[int, list[int]] = {}
    for at, part in enumerate(parts):
        members.setdefault(part, []).append(at)
    return members
