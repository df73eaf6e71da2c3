"""Derive a figure from numbers of the results: the steps in order, those with the most evidence first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from finclaw_cli.core.record import record
from finclaw_cli.numbers.candidates import Candidates
from finclaw_cli.numbers.combine import (
    aggregates,
    columns,
    growth,
    lengths_in,
    names_aggregate,
    names_sum,
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
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.formulas import by_formula, has_formula, of_two_metrics
from finclaw_cli.numbers.leaves import Leaf, Measure
from finclaw_cli.numbers.metrics import DISTINCT, metrics_of
from finclaw_cli.numbers.play import GIVEN, LINE, SENTENCE, Parts, with_places
from finclaw_cli.numbers.sources import Sources, Traced, has_word, may_show
from finclaw_cli.numbers.steps import Derived
from finclaw_cli.numbers.trace import Index

_GROWN, _AGGREGATED, _FORMULA = 0.2, 0.1, 0.5
_TWO, _STEPS = 0.2, 0.5
_MOST_NAMED, _LONGEST_COLUMN = 12, 60
_LARGE_COUNT = 2_000
_FEW_DIGITS, _FEW_RESULTS = 2, 2
_HALF_PERCENT = Decimal("0.005")
_NO_PATHS = frozenset({"1", GIVEN, *map(str, range(2, 13))})
_PERIOD = re.compile(r"\d{4}-\d\d|month|week|day|quarter|year|[월주일]|분기|전년", re.IGNORECASE)
_COMPARED = re.compile(
    r"differ|gap|apart|range|i\.e\.|points?\b|\bpp\b|bps|basis|change|net\b|off\b|over\b|swing|drop|gain|lost|los[es]|"
    r"cost|worth|spread|more|less|higher|lower|above|below|ahead|behind|up\b|down|rose|fell|improv|wors|save|leav|left|"
    r"to go|lack|short|remain|deficit|histogram|decreas|increas|ris[ei]|grew|grow|becom|would|jump|break-even|sum|"
    r"total|combined|together|average|without|excluding|"
    r"폭|추월|위에|아래|인하|인상|개선|악화|차\b|금리차|포인트|차이|높|낮|앞|뒤|올|내|늘|줄|상승|하락|비[싸쌉]|남|아끼|아낄|손익분기|"
    r"부족|됐|되었|합|평균",
    re.IGNORECASE,
)


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
        metrics = context.metrics or context.asked
        if has_formula(metrics):
            entities = context.entities or context.entities_around
            made = list(by_formula(self._sources, metrics, entities, figure.kind))
            if made:
                derived = Candidates(made).give(figure, _FORMULA)
                return Found(derived, derived.result or 0) if derived else None
        beside = parts.words_beside(at) + figure.text
        compared = figure.signed or figure.direction != 0 or _COMPARED.search(beside) is not None
        sums, yearly = names_sum(beside), figure.kind is Kind.PERCENT and context.metrics == {"cagr"}
        if figure.kind is Kind.PLAIN and not _COMPARED.search(parts.words(at)):
            return None
        needed = self._needed(figure, context)
        doubtful = _is_coarse(figure) or (len(self._indices) > _FEW_RESULTS and figure.kind is not Kind.MONEY)
        for found in self._ways(figure, at, parts, context):
            if found is None or (needed and not _is_of(found.derived, needed)):
                continue
            if doubtful and not found.named and not _has_support(found.derived, context):
                continue
            if (found.named and not found.derived.relative) or self._fits_words(
                found.derived, compared=compared, sums=sums, yearly=yearly
            ):
                return found
        return None

    @staticmethod
    def _fits_words(derived: Derived, *, compared: bool, sums: bool, yearly: bool) -> bool:
        """Whether the words beside a figure may name a difference or a sum."""
        if (derived.how == "ratio" and yearly) or (derived.relative and not compared):
            return False
        return (derived.how != "difference" or compared) and (derived.how != "sum" or sums)

    def _needed(self, figure: Figure, context: Context) -> frozenset[str]:
        """The metrics that operands must have: those of which the results have a number in this unit."""
        named = self._sources.of_metrics(context.metrics & DISTINCT)
        fits = any(may_show(figure, one.leaf) and self._sources.is_of(one, context.entities) for one in named)
        return context.metrics if fits else frozenset()

    def _ways(self, figure: Figure, at: int, parts: Parts, context: Context) -> Iterator[Found | None]:
        for mark in (SENTENCE, LINE):
            beside = parts.beside(at, mark)
            yield from self._of_named(figure, beside)
            yield from self._grown(figure, beside, [*self._given, *parts.given[-_MOST_NAMED:]], parts.words(at))
        if names_aggregate(words := parts.words_beside(at)):
            shown, lengths = parts.beside(at, LINE), lengths_in(parts.words(at))
            yield from self._aggregated(figure, shown, parts.before(at), words, lengths)
        yield from self._across(figure, parts.before(at), context)
        yield from self._of_returns(figure, [*self._given, *parts.given[-_MOST_NAMED:]], context)
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
        yield _found(of_related(operands).give(figure), latest, named=not _is_coarse(figure))
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


def _has_support(derived: Derived, context: Context) -> bool:
    """Whether the text names the numbers of a derivation, by their metrics or by a word of a name."""
    if context.metrics & DISTINCT:
        return _is_of(derived, context.metrics)
    paths = (derived.first, derived.second)
    return _is_of(derived, context.around) or (
        GIVEN not in paths and any(has_word(path, context.words) for path in paths)
    )


def _is_coarse(figure: Figure) -> bool:
    """Whether many pairs of numbers give it: a percentage without decimals, a count, a multiple of two digits."""
    if figure.kind is Kind.PERCENT:
        return figure.half >= _HALF_PERCENT and not figure.signed
    digits = len(figure.value.normalize().as_tuple().digits)
    if figure.kind in {Kind.SHARES, Kind.DURATION}:
        return digits <= _FEW_DIGITS + 1 and abs(figure.value) < _LARGE_COUNT
    return figure.kind is Kind.TIMES and digits <= _FEW_DIGITS


def _found(derived: Derived | None, result: int, *, named: bool = False) -> Found | None:
    return Found(derived, result, named) if derived is not None else None
