"""Whether the derivation that a model gives for a figure has the value that the figure shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from finclaw_cli.core.record import record
from finclaw_cli.numbers.evaluate import Operands, evaluate
from finclaw_cli.numbers.expression import Call, Constant, Expression, NoDerivation, Operation, Path, parse
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf
from finclaw_cli.numbers.lookup import Found, Lookup
from finclaw_cli.numbers.scan import figures

_TIE = Decimal("1e-15")  # a value exactly between two figures may be shown as either
_HUNDRED = 100
_RATE = re.compile(r"rate|fx|환율", re.IGNORECASE)
_MOST_PATHS = 24
MOST_GIVEN = 40
Item = TypeVar("Item")


@record
class Place:
    """A number that a derivation uses: the place of its result among the results, and its path."""

    result: int
    path: str
    leaf: Leaf | None = None


@record(kw_only=True)
class Derivation:
    """A derivation whose value a figure shows, and the numbers that it uses."""

    expression: str
    places: tuple[Place, ...]
    """Empty where it uses figures of the user alone."""
    is_path: bool
    """Whether it is a single number of a result as it is, without arithmetic."""


class Derivations:
    """Evaluates derivations from the results of a run and the figures of the user."""

    def __init__(self, texts: Sequence[str], given: Sequence[Leaf], questions: str) -> None:
        self._results = [Lookup(text) for text in texts]
        self._given = given[:MOST_GIVEN]
        self._questions = questions

    def of(self, figure: Figure, text: str) -> Derivation | None:
        """The derivation, where its value is what the figure shows; None for any other and for a text that is none."""
        text = " ".join(text.split())
        try:
            parsed = parse(text)
        except NoDerivation:
            return None
        for in_base_units in (True, False):
            reading = _Reading(self._results, self._given, self._questions, in_base_units=in_base_units)
            try:
                value = evaluate(parsed, reading.operands)
            except NoDerivation:
                continue
            if (
                reading.has_source
                and reading.may_be_in(figure)
                and any(_shows(way, value) for way in _ways(figure, parsed))
            ):
                places = tuple(dict.fromkeys(reading.places))[:_MOST_PATHS]
                return Derivation(expression=text, places=places, is_path=isinstance(_bare(parsed), Path))
        return None


class _Reading:
    """Reads the operands of one evaluation, and keeps which they were."""

    def __init__(
        self, results: Sequence[Lookup], given: Sequence[Leaf], questions: str, *, in_base_units: bool
    ) -> None:
        self._results = results
        self._given = given
        self._questions = questions
        self._in_base_units = in_base_units
        self.places: list[Place] = []
        self.has_source = False
        self.operands = Operands(self._read, self._written, self._quoted)

    def may_be_in(self, figure: Figure) -> bool:
        """Whether the operands may give an amount in the figure's currency: by one of them, a rate, or their result.

        A row in another currency may have amounts in that of the whole result, too.
        """
        texts = (self._results[place.result].text for place in self.places)
        if any(f'"{currency}"' in text for text in texts for currency in figure.currencies):
            return True
        currencies = {place.leaf.currency for place in self.places if place.leaf is not None and place.leaf.currency}
        converted = any(_RATE.search(place.path) for place in self.places)
        return not (figure.currencies and currencies) or converted or bool(figure.currencies & currencies)

    def _read(self, path: Path) -> list[Decimal | str]:
        if path.source == "q":
            self.has_source = True
            return [_nth(self._given, path.number).value]
        found = _nth(self._results, path.number).at(path.steps)
        self.has_source = True
        if len(found) == 1:
            self.places.append(Place(path.number - 1, found[0].path, found[0].leaf))
        else:
            self.places.append(Place(path.number - 1, path.text.lstrip("."), found[0].leaf))
        return [self._value(one) for one in found]

    def _value(self, found: Found) -> Decimal | str:
        return found.leaf.value if self._in_base_units and found.leaf is not None else found.raw

    def _written(self, path: Path, quote: str) -> Decimal:
        text = _nth(self._results, path.number).text
        numbers = figures(quote)
        if len(numbers) != 1 or not re.search(rf"(?<![\w.])(?<!\d,){re.escape(quote)}(?!\d|[.,]\d)", text):
            raise NoDerivation("not a number of that text")
        self.has_source = True
        self.places.append(Place(path.number - 1, f'"{quote}"'))
        return numbers[0].value if self._in_base_units else numbers[0].value / numbers[0].scale

    def _quoted(self, text: str) -> bool:
        return text in self._questions or any(text in result.text for result in self._results)


def _nth(items: Sequence[Item], number: int) -> Item:
    if not 1 <= number <= len(items):
        raise NoDerivation("no such result or figure")
    return items[number - 1]


def _bare(expression: Expression) -> Expression:
    """The operand of a change of sign, or of a factor of a hundred."""
    match expression:
        case Call("abs" | "negative", (inner,)):
            return _bare(inner)
        case Operation("*" | "/", inner, Constant(factor)) if factor.normalize().as_tuple().digits == (1,):
            return _bare(inner)
    return expression


def _ways(figure: Figure, expression: Expression) -> Iterator[Figure]:
    """The possible readings of a figure: by the headings around it, and a percentage as a number of hundredths."""
    yield from readings(figure)
    match figure.kind, expression:
        case (Kind.PERCENT, Operation("*", _, Constant(value)) | Operation("*", Constant(value), _)) if (
            value == _HUNDRED
        ):
            yield _times(figure, Decimal(_HUNDRED))


def readings(figure: Figure) -> Iterator[Figure]:
    """A figure as it is, and as the headings around it may mean it: in percent, in millions."""
    yield figure
    if figure.in_percent_table:
        yield replace(_times(figure, 1 / Decimal(_HUNDRED)), kind=Kind.PERCENT)
    if figure.table_scale is not None and figure.kind is Kind.PLAIN:
        yield replace(_times(figure, figure.table_scale), kind=Kind.MONEY)


def _times(figure: Figure, factor: Decimal) -> Figure:
    return replace(figure, value=figure.value * factor, half=figure.half * factor, rounding=figure.rounding * factor)


def _shows(figure: Figure, value: Decimal) -> bool:
    """Whether a figure is this value at its precision, and its sign does not contradict it."""
    low, high = figure.sizes
    if not low * (1 - _TIE) <= abs(value) <= high * (1 + _TIE):
        return False
    if figure.signed and value * figure.value < 0:
        return False
    return figure.direction <= 0 or value >= 0
