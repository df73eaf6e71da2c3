"""Trace every figure of an answer to a tool's result, or report that it has no source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from finclaw_cli.core.events.numbers import NumberStatus
from finclaw_cli.core.record import record
from finclaw_cli.numbers.context import Context, Names
from finclaw_cli.numbers.deriving import Deriving
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import leaves
from finclaw_cli.numbers.play import Parts, is_assumed
from finclaw_cli.numbers.scales import multiple
from finclaw_cli.numbers.scan import figures
from finclaw_cli.numbers.sources import Sources, Traced
from finclaw_cli.numbers.spans import dates_of, lasts
from finclaw_cli.numbers.trace import Index


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


_SCALE = re.compile(
    r"\((?:단위\s?:?\s?|in )?([^()\n]{0,12}(?:[천만억조]\s?(?:원|달러)|illions?|housands?))\)|\bin ([a-z]+s)\b"
)
# The most figures for which arithmetic is tried; an answer with thousands of untraced numbers is no answer.
_MOST_DERIVED = 500
_LONGEST_QUESTION = 4_000
_DIGIT = re.compile(r"[\d.,]|.?\s?\d$")


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


@lru_cache(maxsize=256)
def _index(result: str) -> Index:
    """The numbers of a result, which each later answer of a conversation is checked against again."""
    return Index(leaves(result))


class _Check:
    def __init__(self, given: Sequence[str], results: Sequence[ToolAnswer]) -> None:
        self._results = results
        indices = [_index(result.text) for result in results]
        self._sources = Sources([result.text for result in results], indices)
        self._question = "\n".join(given)[-_LONGEST_QUESTION:]
        self._given = Index([leaf for text in given for leaf in leaves(text)])
        self._deriving = Deriving(self._sources, indices, self._given, [result.call_id for result in results])
        self._dates = [dates_of(result.text) for result in results]

    def of(self, answer: str) -> list[Checked]:
        found = figures(answer)
        scale = _table_scale(answer)
        found = [replace(figure, table_scale=scale) if _in_table(answer, figure) else figure for figure in found]
        contexts = Names(answer, self._sources.labels, self._question).contexts(found)
        shown = [self._shown(figure, context) for figure, context in zip(found, contexts, strict=True)]
        parts = Parts(answer, found, shown)
        underived, checked = 0, []
        for at, (figure, context) in enumerate(zip(found, contexts, strict=True)):
            one = self._plain(answer, figure, shown[at])
            if one is not None and one.status == "given":
                parts.add_given(figure)
            if one is None:
                underived += 1
                one = self._derived(figure, at, parts, context) if underived < _MOST_DERIVED else None
            checked.append(one or self._otherwise(figure))
        return checked

    def _shown(self, figure: Figure, context: Context) -> Traced | None:
        found = self._sources.shown(figure, context)
        if found is None and figure.table_scale is not None and figure.kind is Kind.PLAIN:
            return self._sources.shown(_in_scale(figure, figure.table_scale), context)
        return found

    def _plain(self, answer: str, figure: Figure, shown: Traced | None) -> Checked | None:
        if shown is not None:
            return self._from(shown.result, figure, "found", (shown.leaf.path,))
        if self._given.shown_as(figure) is not None or is_assumed(answer, figure):
            return Checked(figure=figure, status="given")
        return None

    def _derived(self, figure: Figure, at: int, parts: Parts, context: Context) -> Checked | None:
        for way in _ways(figure):
            if found := self._deriving.give(way, at, parts, context):
                derived = found.derived
                parts.add(at, derived, found.result)
                return self._from(found.result, figure, "derived", (derived.first, derived.second), derived.how)
        return None

    def _otherwise(self, figure: Figure) -> Checked:
        return self._span(figure) or self._literal(figure) or Checked(figure=figure, status="ungrounded")

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
