"""Derive a figure from numbers of the results: the steps in order, those with the most evidence first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from finclaw_cli.core.record import record
from finclaw_cli.numbers.candidates import Candidates
from finclaw_cli.numbers.combine import (
    aggregates,
    columns,
    growth,
    lengths_in,
    names_aggregate,
    per_period,
    steps_of,
)
from finclaw_cli.numbers.context import Context
from finclaw_cli.numbers.derive import (
    Derivations,
    of_any_two,
    of_one_of_these,
    of_pairs,
    of_related,
    of_these,
    with_given,
)
from finclaw_cli.numbers.evidence import Wording, in_points, in_years, is_coarse, names_comparison, names_ratio
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.formulas import by_formula, has_formula, of_two_metrics
from finclaw_cli.numbers.leaves import Leaf, Measure
from finclaw_cli.numbers.metrics import DISTINCT, metrics_in, metrics_of
from finclaw_cli.numbers.play import GIVEN, LINE, SENTENCE, Parts, with_places
from finclaw_cli.numbers.sources import Sources, Traced, has_word, may_show
from finclaw_cli.numbers.steps import Derived
from finclaw_cli.numbers.trace import Index

_GROWN, _AGGREGATED, _FORMULA = 0.2, 0.1, 0.5
_TWO, _STEPS = 0.2, 0.5
_MOST_NAMED, _LONGEST_COLUMN = 12, 60
_MONTHS, _FEW_RESULTS = 12, 2
_NO_PATHS = frozenset({"1", GIVEN, *map(str, range(2, 13))})
_PERIOD = re.compile(r"\d{4}-\d\d|month|week|day|quarter|year|[월주일]|분기|전년", re.IGNORECASE)


@record
class Found:
    """A derivation, and the latest result that it uses."""

    derived: Derived
    result: int
    named: bool = False
    """Whether the text shows both numbers beside the figure."""


class Deriving:
    """Derives the figures of an answer."""

    def __init__(self, sources: Sources, indices: Sequence[Index], given: Index, calls: Sequence[str]) -> None:
        self._sources = sources
        self._indices = indices
        self._given = [replace(leaf, path=GIVEN, figure=None) for leaf in given.leaves[:_MOST_NAMED]]
        self._pairs: dict[frozenset[str], Derivations] = {}
        self._calls = calls
        self._beside: dict[tuple[int, tuple[Leaf, ...]], tuple[Derivations, Derivations]] = {}

    @cached_property
    def _any_two(self) -> list[Derivations]:
        """The derivations of each result; not made where every figure is found."""
        return [of_any_two(index.plain) for index in self._indices]

    def _groups(self, lengths: Sequence[int]) -> list[list[Leaf]]:
        """The groups of numbers that a sum or an average may be of."""
        groups = [group for index in self._indices for group in columns(index.leaves, lengths)]
        return groups + self._same

    @cached_property
    def _same(self) -> list[list[Leaf]]:
        """The numbers of one place of several results."""
        across: dict[str, list[Traced]] = {}
        for result, index in enumerate(self._indices):
            for leaf in index.plain:
                across.setdefault(leaf.path, []).append(Traced(result, leaf))
        return [with_places(same, self._calls)[0] for same in across.values() if len(same) > 1]

    def give(self, figure: Figure, at: int, parts: Parts, context: Context) -> Found | None:
        """The first derivation that agrees with the names beside the figure."""
        if decided := self._of_formula(figure, context):
            return decided[0]
        beside = parts.words_beside(at) + figure.text
        wording = Wording(figure, beside, context)
        if figure.kind is Kind.PLAIN and not names_comparison(parts.words(at)):
            return None
        needed = self._needed(figure, context)
        doubtful = is_coarse(figure) or (len(self._indices) > _FEW_RESULTS and figure.kind is not Kind.MONEY)
        for found in self._ways(figure, at, parts, context):
            if found is None or (needed and not _is_of(found.derived, needed)):
                continue
            if doubtful and not found.named and not _has_support(found.derived, context):
                continue
            if (found.named and not found.derived.relative) or wording.fits(found.derived):
                return found
        return None

    def _of_formula(self, figure: Figure, context: Context) -> list[Found | None]:
        """The derivation by a formula that the text names, or that there is none; empty where others may be tried."""
        metrics = context.metrics or context.asked
        entities = context.entities or context.entities_around
        if not has_formula(metrics) or in_points(figure):
            return []
        made = list(by_formula(self._sources, metrics, entities, figure.kind))
        derived = Candidates(made).give(figure, _FORMULA)
        if derived:
            return [Found(derived, derived.result or 0)]
        return [None] if made and not metrics & {"position"} else []

    def _needed(self, figure: Figure, context: Context) -> frozenset[str]:
        """The metrics that operands must have: those of which the results have a number in this unit."""
        named = self._sources.of_metrics(context.metrics & DISTINCT)
        fits = any(may_show(figure, one.leaf) and self._sources.is_of(one, context.entities) for one in named)
        return context.metrics if fits else frozenset()

    def _ways(self, figure: Figure, at: int, parts: Parts, context: Context) -> Iterator[Found | None]:
        if figure.kind is Kind.PLAIN and names_ratio(parts.words_beside(at)):
            figure = replace(figure, kind=Kind.TIMES)
        yield self._of_months(figure)
        for mark in (SENTENCE, LINE):
            beside = parts.beside(at, mark)
            yield from self._of_named(figure, beside)
            yield from self._grown(figure, beside, [*self._given, *parts.given[-_MOST_NAMED:]], parts.words(at))
        if names_aggregate(words := parts.words_beside(at)):
            shown, lengths = parts.beside(at, LINE), lengths_in(parts.words(at))
            yield from self._aggregated(figure, shown, parts.before(at), words, lengths)
        yield from self._across(figure, parts.before(at), context)
        yield from self._of_returns(figure, [*self._given, *parts.given[-_MOST_NAMED:]], context)
        yield from self._of_two(figure, replace(context, around=_named_in(parts.words_beside(at))))
        yield from self._of_two(figure, context)
        yield from self._of_steps(figure, parts.words(at))
        yield from self._of_metrics(figure, context)
        for result in range(len(self._indices) - 1, -1, -1):
            yield _found(self._any_two[result].give(figure), result)

    def _of_named(self, figure: Figure, beside: Sequence[Traced]) -> Iterator[Found | None]:
        """From two numbers beside it, of one result or of several; then from one of them and another one."""
        by_result: dict[int, list[Leaf]] = {}
        for one in beside:
            by_result.setdefault(one.result, []).append(one.leaf)
        if len(by_result) > 1:
            operands, latest = with_places(beside, self._calls)
            yield _found(of_these(operands).give(figure), latest, named=True)
        for result, leaves in by_result.items():
            alone, with_others = self._named(result, tuple(leaves))
            yield _found(alone.give(figure), result, named=True)
            found = with_others.give(figure)
            yield _found(found, result, named=figure.kind is Kind.MONEY and found is not None and found.how != "sum")

    def _named(self, result: int, operands: tuple[Leaf, ...]) -> tuple[Derivations, Derivations]:
        key = (result, operands)
        if key not in self._beside:
            self._beside = {key: (of_these(operands), of_one_of_these(operands, self._indices[result].plain))}
        return self._beside[key]

    def _grown(
        self, figure: Figure, beside: Sequence[Traced], given: list[Leaf], around: str
    ) -> Iterator[Found | None]:
        operands, latest = with_places(beside[:_MOST_NAMED], self._calls)
        yield _found(with_given(operands, given).give(figure), latest, named=figure.kind is not Kind.PERCENT)
        made = Candidates([*growth(operands, given, figure.kind, around), *per_period(operands, figure.kind, around)])
        yield _found(made.give(figure, _GROWN), latest)

    def _aggregated(
        self, figure: Figure, beside: Sequence[Traced], before: Sequence[Traced], around: str, lengths: Sequence[int]
    ) -> Iterator[Found | None]:
        operands, latest = with_places(beside, self._calls)
        earlier, last = with_places(before, self._calls)
        runs = [operands[start:end] for start in range(len(operands)) for end in range(start + 2, len(operands) + 1)]
        by_name: dict[str, list[Leaf]] = {}
        for leaf in earlier:
            by_name.setdefault(leaf.path.rpartition(":")[2].rpartition(".")[2], []).append(leaf)
        yield _found(Candidates(aggregates(runs, figure.kind, around)).give(figure, _AGGREGATED), latest, named=True)
        yield _found(
            Candidates(aggregates(by_name.values(), figure.kind, around)).give(figure, _AGGREGATED), last, named=True
        )
        made = Candidates(aggregates(self._groups(lengths), figure.kind, around))
        yield _found(made.give(figure, _AGGREGATED), len(self._indices) - 1)

    def _across(self, figure: Figure, before: Sequence[Traced], context: Context) -> Iterator[Found | None]:
        """From two numbers of one name that the answer shows further above, or at one place of two results."""
        operands, latest = with_places(before, self._calls)
        yield _found(of_related(operands).give(figure), latest, named=not is_coarse(figure))
        entities = context.entities_around
        if entities not in self._pairs:
            pairs = [with_places(pair, self._calls)[0] for pair in self._sources.across(entities)]
            self._pairs[entities] = of_pairs([(one, two) for one, two in pairs])
        yield _found(self._pairs[entities].give(figure), len(self._indices) - 1)

    def _of_returns(self, figure: Figure, given: list[Leaf], context: Context) -> Iterator[Found | None]:
        """What an amount of the user becomes at a return that the answer does not show."""
        amounts = [leaf for leaf in given if leaf.measure is not Measure.FRACTION]
        if figure.kind not in {Kind.MONEY, Kind.PLAIN} or not amounts:
            return
        entities = context.entities or context.entities_around
        named = [one for one in self._sources.of_metrics(["return"]) if self._sources.is_of(one, entities)]
        operands, latest = with_places(named[: 2 * _MOST_NAMED], self._calls)
        made = Candidates(one for one in growth(operands, amounts, figure.kind, "") if one.how == "growth")
        yield _found(made.give(figure, _GROWN), latest, named=True)

    def _of_months(self, figure: Figure) -> Found | None:
        """The years that a number of monthly payments takes."""
        if figure.kind is not Kind.DURATION or not in_years(figure):
            return None
        for one in self._sources.of_metrics(["payment"]):
            if one.leaf.path.rpartition(".")[2] == "payments" and one.leaf.value == figure.value * _MONTHS:
                return Found(Derived(float(figure.value), "ratio", one.leaf.path, str(_MONTHS)), one.result, named=True)
        return None

    def _of_two(self, figure: Figure, context: Context) -> Iterator[Found | None]:
        entities = context.entities or context.entities_around
        derived = Candidates(of_two_metrics(self._sources, context.around, entities, figure.kind)).give(figure, _TWO)
        yield _found(derived, (derived and derived.result) or 0)

    def _of_steps(self, figure: Figure, around: str) -> Iterator[Found | None]:
        if _PERIOD.search(around) and not names_aggregate(around):
            made = Candidates(one for column in self._whole_columns for one in steps_of(column, figure.kind))
            yield _found(made.give(figure, _STEPS), len(self._indices) - 1)

    @cached_property
    def _whole_columns(self) -> list[list[Leaf]]:
        found = (group for index in self._indices for group in columns(index.leaves))
        return [group for group in found if len(group) <= _LONGEST_COLUMN]

    def _of_metrics(self, figure: Figure, context: Context) -> Iterator[Found | None]:
        """From numbers whose metric the line names: a high, a close."""
        entities = context.entities_around
        named = self._sources.of_metrics(context.metrics or context.around)
        named = [one for one in named if not one.leaf.in_rows]
        named = [one for one in named if self._sources.is_of(one, entities)]
        for result in sorted({one.result for one in named}, reverse=True):
            leaves = [one.leaf for one in named if one.result == result]
            yield _found(with_given(leaves, self._given).give(figure), result)
            yield _found(of_related(leaves[: 2 * _MOST_NAMED]).give(figure), result)
        operands, latest = with_places(named[: 2 * _MOST_NAMED], self._calls)
        yield _found(of_related(operands).give(figure), latest)


def _is_of(derived: Derived, metrics: Iterable[str]) -> bool:
    """Whether every number of a derivation has one of these metrics."""
    paths = (derived.first, derived.second)
    return all(metrics_of(path) & set(metrics) for path in paths if path not in _NO_PATHS)


def _named_in(words: str) -> frozenset[str]:
    return frozenset(one.name for one in metrics_in(words))


def _has_support(derived: Derived, context: Context) -> bool:
    """Whether the text names the numbers of a derivation, by their metrics or by a word of a name."""
    if context.metrics & DISTINCT:
        return _is_of(derived, context.metrics)
    paths = (derived.first, derived.second)
    return _is_of(derived, context.around) or (
        GIVEN not in paths and any(has_word(path, context.words) for path in paths)
    )


def _found(derived: Derived | None, result: int, *, named: bool = False) -> Found | None:
    return Found(derived, result, named) if derived is not None else None
