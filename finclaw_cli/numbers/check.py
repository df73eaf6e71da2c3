"""Trace every figure of an answer to a tool's result, or report that it has no source."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from finclaw_cli.core.events.numbers import NumberStatus
from finclaw_cli.core.record import record
from finclaw_cli.numbers.derive import Derivations, of_any_two, of_one_of_these, of_these
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf, leaves
from finclaw_cli.numbers.scales import multiple
from finclaw_cli.numbers.scan import figures
from finclaw_cli.numbers.spans import dates_of, lasts
from finclaw_cli.numbers.steps import Derived
from finclaw_cli.numbers.trace import Index, first_shown


@record(kw_only=True)
class ToolAnswer:
    """The result of one call."""

    call_id: str
    tool: str
    text: str


@record(kw_only=True)
class Checked:
    """One figure of an answer and its source.

    `paths` leads to the number in the result of that call, or to the two operands of `how`.
    """

    figure: Figure
    status: NumberStatus
    call_id: str | None = None
    tool: str | None = None
    paths: tuple[str, ...] = ()
    how: str | None = None


def check_answer(answer: str, given: Sequence[str], results: Sequence[ToolAnswer]) -> list[Checked]:
    """Trace the figures of an answer.

    Args:
        answer: the final text.
        given: the user's messages, whose figures need no source.
        results: the results of tools, the oldest first.
    """
    return _Check(given, results).of(answer)


_SENTENCE = re.compile(r"[.!?;。](?=\s)|\n")
_SCALE = re.compile(
    r"\((?:단위\s?:?\s?|in )?([^()\n]{0,12}(?:[천만억조]\s?(?:원|달러)|illions?|housands?))\)|\bin ([a-z]+s)\b"
)
# The most figures for which arithmetic is tried; an answer with thousands of untraced numbers is no answer.
_MOST_DERIVED = 500
_NEAREST = 20
_DIGIT = re.compile(r"[\d.,]|.?\s?\d$")
_LINE = re.compile(r"\n")
_Traced = tuple[int, Leaf]


def _neighbours(
    answer: str, mark: re.Pattern[str], found: Sequence[Figure], shown: Sequence[_Traced | None]
) -> list[list[_Traced]]:
    """For each figure, the traced numbers of the same sentence or line."""
    ends = [end.end() for end in mark.finditer(answer)]
    parts = [bisect_left(ends, figure.end) for figure in found]
    together: dict[int, list[tuple[int, _Traced]]] = {}
    for at, (part, traced) in enumerate(zip(parts, shown, strict=True)):
        if traced is not None:
            together.setdefault(part, []).append((at, traced))
    return [
        [traced for other, traced in together.get(part, ())[:_NEAREST] if other != at] for at, part in enumerate(parts)
    ]


def _table_scale(answer: str) -> Decimal | None:
    """The scale of the numbers in an answer's tables, where it is given: `(억 원)`, `in millions`."""
    found = _SCALE.search(answer)
    times = multiple(found[1] or found[2]) if found else Decimal(1)
    return times if times > 1 else None


def _in_table(answer: str, figure: Figure) -> bool:
    line = answer[answer.rfind("\n", 0, figure.start) + 1 : figure.start]
    return line.lstrip().startswith("|")


def _in_scale(figure: Figure, times: Decimal) -> Figure:
    return replace(figure, kind=Kind.MONEY, value=figure.value * times, half=figure.half * times)


def _ways(figure: Figure) -> Iterator[Figure]:
    """The possible readings of a figure by the headings around it."""
    yield figure
    if figure.in_percent_table:
        yield _as_percent(figure)
    if figure.table_scale is not None and figure.kind is Kind.PLAIN:
        yield _in_scale(figure, figure.table_scale)


def _as_percent(figure: Figure) -> Figure:
    """A number of hundredths as a fraction."""
    return replace(figure, kind=Kind.PERCENT, value=figure.value / 100, half=figure.half / 100)


class _Check:
    def __init__(self, given: Sequence[str], results: Sequence[ToolAnswer]) -> None:
        self._results = results
        self._indices = [Index(leaves(result.text)) for result in results]
        self._given = Index([leaf for text in given for leaf in leaves(text)])
        self._dates = [dates_of(result.text) for result in results]
        self._beside: dict[tuple[int, tuple[Leaf, ...]], tuple[Derivations, Derivations]] = {}
        self._underived = 0

    @cached_property
    def _derivations(self) -> list[Derivations]:
        """The derivations of each result; not made where every figure is found."""
        return [of_any_two(index.plain) for index in self._indices]

    def of(self, answer: str) -> list[Checked]:
        found = figures(answer)
        scale = _table_scale(answer)
        found = [replace(figure, table_scale=scale) if _in_table(answer, figure) else figure for figure in found]
        shown = [self._shown(figure) for figure in found]
        near = [_neighbours(answer, mark, found, shown) for mark in (_SENTENCE, _LINE)]
        return [
            self._one(figure, shown[at], [neighbours[at] for neighbours in near]) for at, figure in enumerate(found)
        ]

    def _shown(self, figure: Figure) -> _Traced | None:
        found = first_shown(self._indices, figure)
        if found is None and figure.table_scale is not None and figure.kind is Kind.PLAIN:
            return first_shown(self._indices, _in_scale(figure, figure.table_scale))
        return found

    def _one(self, figure: Figure, shown: _Traced | None, near: Sequence[Sequence[_Traced]]) -> Checked:
        if shown is not None:
            return self._from(shown[0], figure, "found", (shown[1].path,))
        if self._given.shown_as(figure) is not None:
            return Checked(figure=figure, status="given")
        self._underived += 1
        for way in _ways(figure) if self._underived < _MOST_DERIVED else ():
            for result, derived in self._derived(way, near):
                if derived is not None:
                    return self._from(result, figure, "derived", (derived.first, derived.second), derived.how)
        return self._span(figure) or self._literal(figure) or Checked(figure=figure, status="ungrounded")

    def _derived(self, figure: Figure, near: Sequence[Sequence[_Traced]]) -> Iterator[tuple[int, Derived | None]]:
        """Derive it from numbers of one result in the same sentence or line, else from any two of one result."""
        for beside in near:
            by_result: dict[int, list[Leaf]] = {}
            for result, leaf in beside:
                by_result.setdefault(result, []).append(leaf)
            for result, operands in by_result.items():
                alone, with_others = self._named(result, tuple(operands))
                yield result, alone.give(figure)
                yield result, with_others.give(figure)
        for result in range(len(self._results) - 1, -1, -1):
            yield result, self._derivations[result].give(figure)

    def _named(self, result: int, operands: tuple[Leaf, ...]) -> tuple[Derivations, Derivations]:
        """Derivations from these alone, and from one of these and another number of the result."""
        key = (result, operands)
        if key not in self._beside:
            self._beside = {key: (of_these(operands), of_one_of_these(operands, self._indices[result].plain))}
        return self._beside[key]

    def _span(self, figure: Figure) -> Checked | None:
        if figure.kind is not Kind.DURATION:
            return None
        for result in range(len(self._results) - 1, -1, -1):
            if between := lasts(figure, self._dates[result]):
                return self._from(result, figure, "derived", tuple(map(str, between)), "difference")
        return None

    def _literal(self, figure: Figure) -> Checked | None:
        """A literal text of a result that is none of its numbers: `12 months`."""
        if figure.kind is Kind.PLAIN:
            return None
        for result, source in enumerate(self._results):
            at = source.text.find(figure.text)
            around = source.text[max(0, at - 1) : at + len(figure.text) + 1] if at >= 0 else ""
            if around and not _DIGIT.match(around.replace(figure.text, " ", 1)):
                return self._from(result, figure, "found", ())
        return None

    def _from(
        self, result: int, figure: Figure, status: NumberStatus, paths: tuple[str, ...], how: str | None = None
    ) -> Checked:
        source = self._results[result]
        return Checked(figure=figure, status=status, call_id=source.call_id, tool=source.tool, paths=paths, how=how)
