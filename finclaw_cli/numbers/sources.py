"""The numbers of all results, each with its entity and metric, and which of them a figure shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache

from finclaw_cli.core.json_text import canonical
from finclaw_cli.core.record import record
from finclaw_cli.numbers.context import Context
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.labels import labels_of
from finclaw_cli.numbers.leaves import Leaf, Measure, leaves
from finclaw_cli.numbers.metrics import DISTINCT, is_ratio, metrics_of
from finclaw_cli.numbers.trace import Index, fits_unit

# The most numbers that may be expected to equal a figure by chance: fewer where the text names none of them.
_UNNAMED, _NAMED = 0.06, 0.2
# A number with more digits equals few others by chance.
_FEW_DIGITS = 2
_HALF, _ONE_DIGIT = Decimal("0.5"), 10
_HALF_PERCENT = Decimal("0.005")
_LARGEST_PERCENT = 1_000
_SHORTEST = 3
_EVERYWHERE: tuple[str, ...] = ()


@record
class Traced:
    """A number of a result."""

    result: int
    leaf: Leaf


class Labels:
    """The entities of the numbers of one result."""

    def __init__(self, text: str) -> None:
        self._of = labels_of(text)

    @property
    def all(self) -> Iterator[str]:
        """All labels of the result."""
        return (label for labels in self._of.values() for label in labels)

    def nearest(self, path: str) -> tuple[str, ...]:
        """The labels of the innermost object or row with a name that a number is in."""
        while True:
            if (found := self._of.get(path)) or not path:
                return found or _EVERYWHERE
            path = path.rpartition(".")[0]

    def outer(self, path: str) -> frozenset[str]:
        """The labels of every object that a number is in, and of the whole result."""
        found: set[str] = set(self._of.get("", ()))
        while path := path.rpartition(".")[0]:
            found.update(self._of.get(path, ()))
        return frozenset(found)


class Sources:
    """The numbers of the results of a run.

    Args of the constructor:
        texts: the results.
        indices: the numbers of each.
        inputs: the arguments of the call of each.
    """

    def __init__(self, texts: Sequence[str], indices: Sequence[Index], inputs: Sequence[Mapping[str, object]]) -> None:
        self._indices = indices
        self._labels = [_labels(text) for text in texts]
        self._inputs = inputs

    @property
    def labels(self) -> Iterator[str]:
        """The names of all entities."""
        return (label for labels in self._labels for label in labels.all)

    @cached_property
    def _by_metric(self) -> dict[str, list[Traced]]:
        found: dict[str, list[Traced]] = {}
        for result, index in enumerate(self._indices):
            for leaf in index.leaves:
                for metric in metrics_of(leaf.path):
                    found.setdefault(metric, []).append(Traced(result, leaf))
        return found

    def of_metrics(self, metrics: Iterable[str]) -> list[Traced]:
        """The numbers with one of these metrics."""
        return [one for metric in metrics for one in self._by_metric.get(metric, ())]

    def labels_at(self, traced: Traced) -> tuple[str, ...]:
        """The labels of the innermost entity of a number."""
        return self._labels[traced.result].nearest(traced.leaf.path)

    def is_of(self, traced: Traced, entities: frozenset[str]) -> bool:
        """Whether a number is of one of these entities, or of none."""
        labels = self._labels[traced.result].outer(traced.leaf.path)
        return not labels or not entities or bool(labels & entities)

    def shown(self, figure: Figure, context: Context) -> Traced | None:
        """The number of a result that a figure shows, of the metric and entity that the text names."""
        hits = [
            Traced(result, leaf)
            for result in range(len(self._indices) - 1, -1, -1)
            for leaf in self._indices[result].shown(figure)
        ]
        hits = [hit for hit in hits if self.agrees(figure, hit, context)]
        hits.sort(key=lambda hit: (not self._is_named(hit, context), hit.leaf.in_rows))
        return next((hit for hit in hits if not self._is_chance(figure, hit, context)), None)

    def agrees(self, figure: Figure, hit: Traced, context: Context) -> bool:
        """Whether the text names no other metric or entity whose number the results have."""
        metrics = metrics_of(hit.leaf.path)
        if figure.kind is Kind.PERCENT and is_ratio(hit.leaf.path) and not metrics & context.metrics:
            return False
        distinct = context.metrics & DISTINCT
        if distinct and metrics and not metrics & context.metrics:
            others = self.of_metrics(distinct)
            if any(may_show(figure, one.leaf) and self.is_of(one, context.entities) for one in others):
                return False
        return not context.entities or self._is_of_named(figure, hit, context.entities)

    def _is_of_named(self, figure: Figure, hit: Traced, entities: frozenset[str]) -> bool:
        nearest = frozenset(self.labels_at(hit))
        if not nearest or nearest & entities:
            return True
        name = hit.leaf.path.rpartition(".")[2]
        return not any(
            one.leaf.path.rpartition(".")[2] == name and may_show(figure, one.leaf)
            for one in self.of_entities(entities)
        )

    def of_entities(self, entities: frozenset[str]) -> Iterator[Traced]:
        """The numbers whose innermost entity is one of these."""
        return (one for label in entities for one in self._by_label.get(label, ()))

    @cached_property
    def _by_label(self) -> dict[str, list[Traced]]:
        found: dict[str, list[Traced]] = {}
        for result, index in enumerate(self._indices):
            for leaf in index.leaves:
                one = Traced(result, leaf)
                for label in self.labels_at(one):
                    found.setdefault(label, []).append(one)
        return found

    def _is_named(self, hit: Traced, context: Context) -> bool:
        return bool(metrics_of(hit.leaf.path) & (context.around | context.asked)) or has_word(
            hit.leaf.path, context.words
        )

    def _is_chance(self, figure: Figure, hit: Traced, context: Context) -> bool:
        """Whether some number equals the figure by chance, among those that the text may mean."""
        decimals = figure.kind is Kind.PERCENT and (figure.rounding or figure.half) < _HALF_PERCENT
        few = len(figure.value.normalize().as_tuple().digits) <= _FEW_DIGITS
        if (
            not few
            or decimals
            or not figure.value
            or (hit.leaf.figure and not (hit.leaf.path.startswith("method") and figure.kind is Kind.PERCENT))
        ):
            return False
        if figure.kind is Kind.PLAIN and figure.half == _HALF and abs(figure.value) < _ONE_DIGIT:
            return False
        if has_word(hit.leaf.path, context.words) or self._is_argument(figure, hit):
            return False
        metrics = metrics_of(hit.leaf.path) & (context.around | context.asked)
        entities = context.entities or context.entities_around
        if metrics:
            near = [one.leaf for one in self.of_metrics(metrics) if self.is_of(one, entities)]
            return figure.by_chance(_near(figure, near) - 1) > _NAMED
        if frozenset(self.labels_at(hit)) & entities:
            near = [one.leaf for one in self.of_entities(entities)]
            return figure.by_chance(_near(figure, near) - 1) > _UNNAMED
        return figure.by_chance(sum(index.near(figure) for index in self._indices) - 1) > _UNNAMED

    def _is_argument(self, figure: Figure, hit: Traced) -> bool:
        """Whether an amount in a named currency is one that the call gave and its result repeats: `100 USD were …`."""
        if hit.leaf.currency is None or figure.currencies != {hit.leaf.currency} or hit.leaf.value != figure.value:
            return False
        return hit.leaf.value in _numbers(canonical(self._inputs[hit.result]))


@lru_cache(maxsize=256)
def _numbers(given: str) -> frozenset[Decimal]:
    """The numbers of the arguments of a call."""
    return frozenset(leaf.value for leaf in leaves(given))


@lru_cache(maxsize=256)
def _labels(result: str) -> Labels:
    """The entities of a result, which each later answer of a conversation is checked against again."""
    return Labels(result)


def may_show(figure: Figure, leaf: Leaf) -> bool:
    """Whether a number is of the figure's unit and of a size that it is shown in."""
    large = figure.kind is Kind.PERCENT and leaf.measure is Measure.ANY and abs(leaf.value) > _LARGEST_PERCENT
    return fits_unit(figure, leaf) and not large


def has_word(path: str, words: frozenset[str]) -> bool:
    """Whether a text has a word of the last name of a path: `signal line` of `signal`."""
    return any(len(part) >= _SHORTEST and part in words for part in path.rpartition(".")[2].lower().split("_"))


def _near(figure: Figure, leaves: Iterable[Leaf]) -> int:
    """How many numbers are between half the figure's size and twice it, in its unit."""
    size = abs(figure.value)
    sizes = {abs(leaf.value) for leaf in leaves if fits_unit(figure, leaf)}
    return sum(size / 2 <= one <= size * 2 for one in sizes)
