"""Ratios that a text names, each of two numbers of one period: an operating margin, free cash flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

from finclaw_cli.numbers.figure import Kind
from finclaw_cli.numbers.metrics import place_of
from finclaw_cli.numbers.sources import Sources, Traced
from finclaw_cli.numbers.steps import STEPS, Derived

_MOST_METRICS = 6


class _Formula(NamedTuple):
    kind: Kind
    first: str
    second: str
    step: Callable[[float, float], float]
    how: str = "ratio"


def _ratio(one: float, two: float) -> float:
    return one / two


_FORMULAS = {
    "gross_margin": _Formula(Kind.PERCENT, "gross_profit", "revenue", _ratio),
    "operating_margin": _Formula(Kind.PERCENT, "operating_income", "revenue", _ratio),
    "net_margin": _Formula(Kind.PERCENT, "net_income", "revenue", _ratio),
    "debt_ratio": _Formula(Kind.PERCENT, "liabilities", "equity", _ratio),
    "free_cash": _Formula(Kind.MONEY, "operating_cash", "capex", lambda one, two: one - abs(two), "difference"),
    "position": _Formula(Kind.MONEY, "quantity", "close", lambda one, two: one * two, "product"),
    "savings": _Formula(Kind.PERCENT, "spending", "income", lambda one, two: 1 - abs(one / two), "percent_change"),
}


def has_formula(metrics: frozenset[str]) -> bool:
    """Whether a metric is one that is computed from two others."""
    return bool(metrics & _FORMULAS.keys())


def by_formula(sources: Sources, metrics: frozenset[str], entities: frozenset[str], kind: Kind) -> Iterator[Derived]:
    """What the formulas of these metrics give, for each result and period."""
    for name in metrics & _FORMULAS.keys():
        formula = _FORMULAS[name]
        if formula.kind is not kind:
            continue
        pairs = _held(sources, entities) if name == "position" else _pairs(sources, formula, entities)
        for one, two in pairs:
            if two.leaf.value:
                value = formula.step(float(one.leaf.value), float(two.leaf.value))
                yield Derived(
                    abs(value), formula.how, one.leaf.path, two.leaf.path, one.leaf.currency, falls=value < 0,
                    result=one.result,
                )  # fmt: skip


def of_two_metrics(
    sources: Sources, metrics: frozenset[str], entities: frozenset[str], kind: Kind
) -> Iterator[Derived]:
    """One step between two metrics that a sentence names, for each result and period."""
    known = sorted(metrics)[:_MOST_METRICS]
    for first, second in permutations(known, 2):
        formula = _Formula(kind, first, second, _ratio)
        for one, two in _pairs(sources, formula, entities):
            if one.leaf.path == two.leaf.path or not two.leaf.value or not one.leaf.value:
                continue
            if kind is Kind.PERCENT:
                value = float(one.leaf.value) / float(two.leaf.value)
                yield Derived(abs(value), "ratio", one.leaf.path, two.leaf.path, falls=value < 0, result=one.result)
            for derived in STEPS[kind](one.leaf, two.leaf):
                if derived.how != "percent_change" or kind is Kind.PERCENT:
                    yield replace(derived, result=one.result)


def _held(sources: Sources, entities: frozenset[str]) -> Iterator[tuple[Traced, Traced]]:
    """The quantity of each security, and its last closes, also of another result."""
    closes = [one for one in sources.of_metrics(["close"]) if one.leaf.path.endswith("close") and not one.leaf.in_rows]
    for one in sources.of_metrics(["quantity"]):
        labels = frozenset(sources.labels_at(one))
        if labels and sources.is_of(one, entities):
            yield from ((one, two) for two in closes if labels & frozenset(sources.labels_at(two)))


def _pairs(sources: Sources, formula: _Formula, entities: frozenset[str]) -> Iterator[tuple[Traced, Traced]]:
    """The two numbers of each result that stand at the same place of their lists."""
    seconds: dict[tuple[int, tuple[str, ...]], Traced] = {}
    for two in sources.of_metrics([formula.second]):
        if _may_be(two):
            seconds.setdefault((two.result, place_of(two.leaf.path, formula.second)), two)
    for one in sources.of_metrics([formula.first]):
        other = seconds.get((one.result, place_of(one.leaf.path, formula.first)))
        if other is not None and _may_be(one) and sources.is_of(one, entities):
            yield one, other


def _may_be(traced: Traced) -> bool:
    return (not traced.leaf.in_rows and traced.leaf.path.rpartition(".")[2] in {"value", "total"}) or (
        bool(traced.leaf.path) and not traced.leaf.path.endswith(("length", "duration_days", "months", "n"))
    )
