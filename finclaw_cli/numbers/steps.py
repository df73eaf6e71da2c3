"""The steps of arithmetic between two numbers that may give a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from finclaw_cli.core.record import record
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf, Measure
from finclaw_cli.numbers.relation import are_prices, may_be_part, of_one_name

_FRACTIONS = frozenset({Measure.FRACTION, Measure.PERCENT})
Step = Callable[[Leaf, Leaf], Iterator["Derived"]]


@record
class Derived:
    """The result of a step on two numbers."""

    value: float
    how: str
    first: str
    second: str
    currency: str | None = None
    measure: Measure = Measure.ANY
    of_one_thing: bool = False
    """Whether both numbers must measure the same thing."""
    of_whole: bool = False
    """Whether one number must be a possible part of the other."""
    falls: bool | None = None
    """Whether it is a decrease; None where it may be either."""
    relative: bool = False
    """Whether it compares two percentages, which words have to express: `28 % higher`."""
    result: int | None = None
    """The result that the numbers are of; None where another place gives it."""


def makes_sense(derived: Derived) -> bool:
    """Whether a step is allowed on two numbers that the text does not show side by side."""
    if derived.of_one_thing:
        return of_one_name(derived.first, derived.second) or are_prices(derived.first, derived.second)
    return not derived.of_whole or may_be_part(derived.first, derived.second)


def may_be(figure: Figure, derived: Derived) -> bool:
    """Whether the result can be an amount of the figure's currency, or a count."""
    if derived.falls is not None:
        if figure.signed and derived.falls != (figure.value < 0):
            return False
        if figure.direction and derived.how == "percent_change" and derived.falls != (figure.direction < 0):
            return False
    if figure.kind is Kind.MONEY:
        known = derived.currency is None or not figure.currencies or derived.currency in figure.currencies
        return known and derived.measure in {Measure.MONEY, Measure.ANY}
    if figure.kind in {Kind.SHARES, Kind.DURATION}:
        return derived.measure in {Measure.COUNT, Measure.ANY}
    return True


def _alike(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers measure the same thing."""
    if one.currency is not None and two.currency is not None and one.currency != two.currency:
        return False
    measures = {one.measure, two.measure}
    return len(measures) == 1 or measures <= _FRACTIONS or measures == {Measure.ANY, Measure.MONEY}


def _each(one: Leaf, two: Leaf) -> bool:
    """Whether one number may be an amount, and the other a count."""
    measures = {one.measure, two.measure}
    if Measure.MONEY in measures or measures == {Measure.ANY, Measure.COUNT}:
        return one.measure != two.measure
    return one.measure == two.measure == Measure.ANY and any(leaf.value == int(leaf.value) for leaf in (one, two))


def _lengths(one: Leaf, two: Leaf) -> Iterator[Derived]:
    if one.value == one.value.to_integral_value() and two.value == two.value.to_integral_value():
        yield from _amounts(one, two)


def _amounts(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    unit = (one.currency or two.currency, two.measure if one.measure is Measure.ANY else one.measure)
    yield Derived(abs(first - second), "difference", one.path, two.path, *unit)
    yield Derived(abs(first + second), "sum", one.path, two.path, *unit)


def _ratios(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    # Two fractions are compared only where they measure one thing: no Sharpe ratio is so many times a return.
    of_one_thing = one.measure in _FRACTIONS and two.measure in _FRACTIONS
    falls = first * second < 0
    yield Derived(abs(first / second), "ratio", one.path, two.path, of_one_thing=of_one_thing, falls=falls)
    yield Derived(abs(second / first), "ratio", two.path, one.path, of_one_thing=of_one_thing, falls=falls)


def _shares(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    measures = {one.measure, two.measure}
    if measures <= {Measure.FRACTION, Measure.PERCENT, Measure.ANY}:
        # Two percentages without a unit are two numbers of the size of percentages.
        small = max(abs(first), abs(second)) < 1
        unit = 1 if measures != {Measure.ANY} or small else 100
        alike = of_one_name(one.path, two.path)
        yield Derived(abs(first - second) / unit, "difference", one.path, two.path, of_one_thing=True)
        if alike or measures == {Measure.PERCENT}:
            yield Derived(abs(first + second) / unit, "sum", one.path, two.path)
        if measures != {Measure.ANY} or (small and not alike):
            if one.path.rpartition(":")[2] == two.path.rpartition(":")[2]:
                yield from _relative(one, two)
            return
    rise, fall = second / first - 1, first / second - 1
    yield Derived(abs(rise), "percent_change", one.path, two.path, of_one_thing=True, falls=rise < 0)
    yield Derived(abs(fall), "percent_change", two.path, one.path, of_one_thing=True, falls=fall < 0)
    share = min(abs(first / second), abs(second / first))
    yield Derived(share, "ratio", one.path, two.path, of_whole=True, falls=first * second < 0)


def _relative(one: Leaf, two: Leaf) -> Iterator[Derived]:
    """How much greater one fraction is than another one of its name: a volatility 28 % higher."""
    first, second = sorted((abs(float(one.value)), abs(float(two.value))))
    rise, fall = second / first - 1, 1 - first / second
    yield Derived(rise, "percent_change", one.path, two.path, of_one_thing=True, relative=True)
    yield Derived(fall, "percent_change", one.path, two.path, of_one_thing=True, relative=True)


def _quotients(one: Leaf, two: Leaf) -> Iterator[Derived]:
    """An amount per unit: 410 million for 3.4 million shares."""
    for first, second in ((one, two), (two, one)) if _each(one, two) else ():
        value = abs(float(first.value) / float(second.value))
        yield Derived(value, "ratio", first.path, second.path, first.currency)


def _of_like(step: Step) -> Step:
    return lambda one, two: step(one, two) if _alike(one, two) else iter(())


def _money(one: Leaf, two: Leaf) -> Iterator[Derived]:
    return chain(_of_like(_amounts)(one, two), _quotients(one, two))


def inverse(leaf: Leaf) -> Iterator[Derived]:
    """The inverse of a rate."""
    if "rate" in leaf.path.lower():
        yield Derived(1 / abs(float(leaf.value)), "ratio", "1", leaf.path)


STEPS: dict[Kind, Step] = {
    Kind.PERCENT: _of_like(_shares),
    Kind.TIMES: _of_like(_ratios),
    Kind.MONEY: _money,
    Kind.SHARES: _of_like(_amounts),
    Kind.DURATION: _of_like(_lengths),
    Kind.PLAIN: _of_like(_amounts),
}
