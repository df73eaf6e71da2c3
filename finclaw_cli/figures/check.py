"""Trace every figure of an answer to a tool's result, or say that it has no source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finclaw_cli.figures.derive import Derivations, Derived
from finclaw_cli.figures.figure import Figure, Kind
from finclaw_cli.figures.leaves import Leaf, leaves
from finclaw_cli.figures.scan import figures
from finclaw_cli.figures.spans import dates_of, lasts
from finclaw_cli.figures.trace import Index, first_shown

Status = Literal["found", "derived", "given", "ungrounded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What one call has brought into the conversation."""

    call_id: str
    tool: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One figure of an answer and where it is from.

    `paths` leads to the number of the result of that call, or to the two that `how` makes it of.
    """

    figure: Figure
    status: Status
    call_id: str | None = None
    tool: str | None = None
    paths: tuple[str, ...] = ()
    how: str | None = None


def check_answer(answer: str, given: Sequence[str], results: Sequence[ToolAnswer]) -> list[Checked]:
    """Trace the figures of an answer.

    Args:
        answer: the final text.
        given: what the user has said: a figure of his own needs no source.
        results: what tools have answered, the oldest first.
    """
    return _Check(given, results).of(answer)


class _Check:
    def __init__(self, given: Sequence[str], results: Sequence[ToolAnswer]) -> None:
        self._results = results
        self._indices = [Index(leaves(result.text)) for result in results]
        self._given = Index([leaf for text in given for leaf in leaves(text)])
        self._dates = [dates_of(result.text) for result in results]
        self._derivations = [Derivations(index.plain) for index in self._indices]

    def of(self, answer: str) -> list[Checked]:
        found = figures(answer)
        shown = [first_shown(self._indices, figure) for figure in found]
        lines = [answer.count("\n", 0, figure.start) for figure in found]
        checked = []
        for number, figure in enumerate(found):
            beside = [
                traced
                for at, traced in enumerate(shown)
                if traced is not None and at != number and lines[at] == lines[number]
            ]
            checked.append(self._one(figure, shown[number], beside))
        return checked

    def _one(self, figure: Figure, shown: tuple[int, Leaf] | None, beside: Sequence[tuple[int, Leaf]]) -> Checked:
        if shown is not None:
            return self._from(shown[0], figure, "found", (shown[1].path,))
        if self._given.shown_as(figure) is not None:
            return Checked(figure=figure, status="given")
        for result, derived in self._derived(figure, beside):
            if derived is not None:
                return self._from(result, figure, "derived", (derived.first, derived.second), derived.how)
        return self._span(figure) or Checked(figure=figure, status="ungrounded")

    def _span(self, figure: Figure) -> Checked | None:
        if figure.kind is not Kind.DURATION:
            return None
        for result in range(len(self._results) - 1, -1, -1):
            if between := lasts(figure, self._dates[result]):
                return self._from(result, figure, "derived", tuple(map(str, between)), "difference")
        return None

    def _derived(self, figure: Figure, beside: Sequence[tuple[int, Leaf]]) -> list[tuple[int, Derived | None]]:
        """From the numbers of one result that stand in the same line; else from any two of one result."""
        by_result: dict[int, list[Leaf]] = {}
        for result, leaf in beside:
            by_result.setdefault(result, []).append(leaf)
        named = [(result, Derivations((), operands).give(figure)) for result, operands in by_result.items()]
        half_named = [
            (result, Derivations(self._indices[result].plain, operands).give(figure))
            for result, operands in by_result.items()
        ]
        latest = range(len(self._results) - 1, -1, -1)
        return [*named, *half_named, *((result, self._derivations[result].give(figure)) for result in latest)]

    def _from(
        self, result: int, figure: Figure, status: Status, paths: tuple[str, ...], how: str | None = None
    ) -> Checked:
        source = self._results[result]
        return Checked(figure=figure, status=status, call_id=source.call_id, tool=source.tool, paths=paths, how=how)
