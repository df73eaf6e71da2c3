"""Steps of arithmetic that words name, on numbers the text shows: growth, products, averages and sums."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise, permutations

from finclaw_cli.numbers.figure import Kind
from finclaw_cli.numbers.leaves import Leaf, Measure
from finclaw_cli.numbers.steps import Derived

_AVERAGE = re.compile(
    r"average|\bmean\b|평균|\b(?:a|per|each)\s(?:month|week|day|trip|time|purchase|share)|apiece|each\b|[당씩]\b|마다",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\bsum\b|\bin total|totals?\b(?! [a-z])|total(?:led|ling)|combined|together|makes? up|\ball\b|"
    r"add(?:s|ed)?\s(?:up\s)?to|altogether|plus|합(?:계|쳐|치|친|하면|한|산|이)|모두|총(?!수익|이자|상환|자산|보수)|더(?:하면|해)",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"quantit|shares|qty|count|수량")
_EACH = re.compile(
    r"(?:a|per|each|every)\s(?:month|week|day|trip|time|purchase|share|unit)|apiece|each\b|monthly|"
    r"[당씩]\b|꼴|한 달에|마다|월평균",
    re.IGNORECASE,
)
_SPELLED = (
    r"\btwo\b|두\s|둘", r"\bthree\b|[세석]\s달|세\s|셋", r"\bfour\b|[네넉]\s달|네\s", r"\bfive\b|다섯", r"\bsix\b|여섯",
    r"\bseven\b|일곱", r"\beight\b|여덟", r"\bnine\b|아홉", r"\bten\b|열\s", r"\beleven\b", r"\btwelve\b",
)  # fmt: skip
_LONGEST_PERIOD = 12
_YEARLY = re.compile(r"(?:a|per) year|annual|compound|CAGR|연평균|연\s?복리|연환산|p\.a\.", re.IGNORECASE)
_LENGTH = re.compile(r"(?<!\d)([2-9]|\d\d)[ -]?(?:years?|년)")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_FRACTIONS = frozenset({Measure.FRACTION, Measure.PERCENT})
_MOST_TERMS, _MOST_GROUPS = 60, 400
_AMOUNTS = frozenset({Measure.MONEY, Measure.ANY, Measure.COUNT})


def growth(named: Sequence[Leaf], given: Sequence[Leaf], kind: Kind, around: str) -> Iterator[Derived]:
    """What amounts become at a return, the multiple that a return is, and growth by the year."""
    rates = [
        leaf for leaf in named if leaf.measure in _FRACTIONS or (abs(leaf.value) < 1 and leaf.measure is Measure.ANY)
    ]
    if kind is Kind.TIMES:
        for rate in rates:
            yield Derived(float(1 + rate.value), "growth", "1", rate.path)
    if kind in {Kind.MONEY, Kind.PLAIN}:
        for amount in (leaf for leaf in [*named, *given] if leaf.measure in _AMOUNTS and abs(leaf.value) >= 1):
            for rate in rates:
                yield _scaled(amount, rate, "growth", 1 + float(rate.value))
                yield _scaled(amount, rate, "product", float(rate.value))
        yield from _products(named)
    if kind is Kind.PERCENT and _YEARLY.search(around):
        yield from _yearly(named, around)


def per_period(named: Sequence[Leaf], kind: Kind, around: str) -> Iterator[Derived]:
    """An amount for each of up to twelve months, weeks or purchases."""
    if kind not in {Kind.MONEY, Kind.PLAIN} or not _EACH.search(around):
        return
    for leaf in named:
        if leaf.measure in {Measure.MONEY, Measure.ANY}:
            for count in range(2, _LONGEST_PERIOD + 1):
                yield Derived(abs(float(leaf.value) / count), "average", leaf.path, str(count), leaf.currency)


def steps_of(column: Sequence[Leaf], kind: Kind) -> Iterator[Derived]:
    """The changes from each number of a column to the next one."""
    for one, two in pairwise(column):
        if one.value and kind is Kind.PERCENT and one.measure not in _FRACTIONS:
            change = float(two.value / one.value) - 1
            yield Derived(abs(change), "percent_change", one.path, two.path, falls=change < 0)
        elif kind in {Kind.MONEY, Kind.SHARES} and one.currency == two.currency and one.measure not in _FRACTIONS:
            change = float(two.value - one.value)
            yield Derived(abs(change), "difference", one.path, two.path, one.currency, one.measure, falls=change < 0)


def _scaled(amount: Leaf, rate: Leaf, how: str, times: float) -> Derived:
    return Derived(abs(float(amount.value) * times), how, amount.path, rate.path, amount.currency)


def _products(named: Sequence[Leaf]) -> Iterator[Derived]:
    """A number of units at a price."""
    for count, price in permutations(named, 2):
        whole = count.value == count.value.to_integral_value() and count.measure in {Measure.COUNT, Measure.ANY}
        if price.measure is Measure.MONEY and whole and (count.currency is None or _QUANTITY.search(count.path)):
            yield Derived(abs(float(count.value * price.value)), "product", count.path, price.path, price.currency)


def _yearly(named: Sequence[Leaf], around: str) -> Iterator[Derived]:
    years = [int(year) for year in _YEAR.findall(around)]
    spans = {abs(one - two) for one, two in combinations(years, 2)} - {0} or {
        int(length[1]) for length in _LENGTH.finditer(around)
    }
    for one, two in permutations(named, 2):
        if one.value > 0 and two.value > 0 and one.measure not in _FRACTIONS and _of_one_name([one, two]):
            for span in spans:
                rate = (float(two.value) / float(one.value)) ** (1 / span) - 1
                yield Derived(abs(rate), "growth", one.path, two.path, falls=rate < 0)


def aggregates(groups: Iterable[Sequence[Leaf]], kind: Kind, around: str) -> Iterator[Derived]:
    """The averages and sums of groups of numbers, where words name them."""
    hows = [how for how, words in (("average", _AVERAGE), ("sum", _SUM)) if words.search(around)]
    for number, group in enumerate(groups if hows else ()):
        if number >= _MOST_GROUPS:
            return
        if 1 < len(group) <= _MOST_TERMS and _of_kind(group, kind) and (kind is Kind.MONEY or _of_one_name(group)):
            total = float(sum(leaf.value for leaf in group))
            for how in hows if _of_one_name(group) else ["sum"] if "sum" in hows else ():
                value = total / len(group) if how == "average" else total
                yield Derived(
                    abs(value), how, group[0].path, group[-1].path, group[0].currency, group[0].measure, falls=value < 0
                )


def names_sum(around: str) -> bool:
    """Whether words name a sum."""
    return bool(_SUM.search(around))


def names_aggregate(around: str) -> bool:
    """Whether words name an average or a sum."""
    return bool(_AVERAGE.search(around) or _SUM.search(around))


def _of_kind(group: Sequence[Leaf], kind: Kind) -> bool:
    if len({leaf.currency for leaf in group}) > 1:
        return False
    fractions = all(leaf.measure in _FRACTIONS or leaf.measure is Measure.ANY for leaf in group)
    return (
        fractions
        if kind is Kind.PERCENT
        else not any(leaf.measure in _FRACTIONS for leaf in group) or kind is Kind.PLAIN
    )


def _of_one_name(group: Sequence[Leaf]) -> bool:
    return len({leaf.path.rpartition(".")[2] for leaf in group}) == 1


def lengths_in(around: str) -> list[int]:
    """The numbers of rows that words name: a three-month average."""
    spelled = (number for number, words in enumerate(_SPELLED, 2) if re.search(words, around, re.IGNORECASE))
    return sorted(
        {*spelled, *(int(digits) for digits in re.findall(r"(?<![\d.,])(?:[2-9]|1[0-2])(?![\d.,%])", around))}
    )


def columns(leaves: Sequence[Leaf], lengths: Sequence[int] = ()) -> Iterator[list[Leaf]]:
    """The numbers of each column of a result, as a whole, and so many of them from each end."""
    found: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        if leaf.figure is None and any(part.isdigit() for part in leaf.path.split(".")):
            found.setdefault(re.sub(r"\.\d+(?=\.|$)", ".*", leaf.path), []).append(leaf)
    for column in found.values():
        column.sort(key=lambda leaf: [int(part) for part in re.findall(r"\d+", leaf.path)])
        yield column
        for length in lengths:
            if not 1 < length < len(column):
                continue
            yield column[-length:]
            yield column[:length]
            yield column[-length - 1 : -1]
