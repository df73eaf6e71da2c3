"""The numbers of a tool's result, each with its place in it and its unit, in base units like the figures of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from finclaw_cli.figures.figure import Figure, Kind
from finclaw_cli.figures.scan import figures
from finclaw_cli.figures.units import CODES

# Rows of a longer list are told apart from what a result says in so many words: any number is near one of a thousand.
FEW_ROWS = 12
_MOST_LEAVES = 200_000
_DEEPEST = 40
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
_CODE = re.compile(r"[A-Z]{3}(?![A-Za-z])")
_WORDS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_PERCENT_KEY = re.compile(r"(?:^|_)(?:pct|percent|percentage)(?:_|$)", re.IGNORECASE)
# What of a result is about the numbers and none of them.
_NO_NUMBERS = frozenset({"sources", "as_of", "tz", "calendar", "sha256", "retrieved_at", "columns", "units"})


class Measure(StrEnum):
    """What a number of a result may be shown as."""

    ANY = "any"
    FRACTION = "fraction"
    PERCENT = "percent"
    MONEY = "money"
    COUNT = "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One number of one result; `value` is in base units, a percentage as a fraction."""

    value: Decimal
    path: str
    measure: Measure = Measure.ANY
    currency: str | None = None
    said: Figure | None = None
    """The figure of a text that it was read from; None for a number that stands for itself."""
    in_rows: bool = False
    """Whether it is one of many alike, in the middle of a long list."""


def leaves(result: str) -> list[Leaf]:
    """The numbers of a result: of its JSON, or of its text where it is none."""
    try:
        content = json.loads(result, parse_float=Decimal, parse_int=_whole, parse_constant=str)
    except (ValueError, RecursionError, InvalidOperation):
        return [_of_text(figure, "") for figure in figures(result)]
    reader = _Reader(_units(content))
    return list(reader.read(content))


def _whole(digits: str) -> Decimal | str:
    return Decimal(digits) if len(digits) < 40 else digits  # noqa: PLR2004 - a name, not a number


def _units(content: object) -> Mapping[str, str]:
    given = content.get("units") if isinstance(content, dict) else None
    return {str(name): str(unit) for name, unit in given.items()} if isinstance(given, dict) else {}


class _Reader:
    """Walks one result."""

    def __init__(self, units: Mapping[str, str]) -> None:
        self._units = units
        self._left = _MOST_LEAVES

    def read(self, content: object) -> Iterator[Leaf]:
        yield from self._walk(content, (), None, in_rows=False)

    def _walk(self, node: object, path: tuple[str, ...], currency: str | None, *, in_rows: bool) -> Iterator[Leaf]:
        if self._left <= 0 or len(path) > _DEEPEST:
            return
        match node:
            case dict():
                yield from self._of_object(node, path, currency, in_rows=in_rows)
            case list():
                yield Leaf(value=Decimal(len(node)), path=_joined((*path, "length")), measure=Measure.COUNT)
                yield from self._of_list(node, path, currency, in_rows=in_rows)
            case str():
                yield from self._of_string(node, path, currency, in_rows=in_rows)
            case Decimal() | int() if not isinstance(node, bool):
                yield self._leaf(Decimal(node), path, currency, in_rows=in_rows)
            case _:
                pass

    def _of_object(
        self, node: Mapping[str, object], path: tuple[str, ...], currency: str | None, *, in_rows: bool
    ) -> Iterator[Leaf]:
        own = node.get("currency") or node.get("unit")
        currency = _currency(own) if isinstance(own, str) else currency
        columns = node.get("columns")
        for name, value in node.items():
            if name in _NO_NUMBERS:
                continue
            if name == "rows" and isinstance(columns, list) and isinstance(value, list):
                yield Leaf(value=Decimal(len(value)), path=_joined((*path, name, "length")), measure=Measure.COUNT)
                yield from self._of_rows(value, [str(column) for column in columns], (*path, name), currency)
            else:
                yield from self._walk(value, (*path, name), currency, in_rows=in_rows)

    def _of_list(
        self, node: Sequence[object], path: tuple[str, ...], currency: str | None, *, in_rows: bool
    ) -> Iterator[Leaf]:
        many = len(node) > FEW_ROWS
        for number, item in enumerate(node):
            middle = many and 0 < number < len(node) - 1
            yield from self._walk(item, (*path, str(number)), currency, in_rows=in_rows or middle)

    def _of_rows(
        self, rows: Sequence[object], columns: Sequence[str], path: tuple[str, ...], currency: str | None
    ) -> Iterator[Leaf]:
        many = len(rows) > FEW_ROWS
        for number, row in enumerate(rows):
            middle = many and 0 < number < len(rows) - 1
            for column, cell in zip(columns, row if isinstance(row, list) else (), strict=False):
                yield from self._walk(cell, (*path, str(number), column), currency, in_rows=middle)

    def _of_string(self, text: str, path: tuple[str, ...], currency: str | None, *, in_rows: bool) -> Iterator[Leaf]:
        if _NUMBER.fullmatch(text) and len(text) < 40:  # noqa: PLR2004 - a name, not a number
            yield self._leaf(Decimal(text), path, currency, in_rows=in_rows)
            return
        for figure in figures(text):
            self._left -= 1
            yield _of_text(figure, _joined(path))

    def _leaf(self, value: Decimal, path: tuple[str, ...], currency: str | None, *, in_rows: bool) -> Leaf:
        self._left -= 1
        name = next((part for part in reversed(path) if not part.isdigit()), "")
        unit = self._units.get(name)
        if unit is None:
            measure = self._unnamed(name, value, currency)
        else:
            measure, value = _measure(unit), value * _multiple(unit)
            currency = _currency(unit) if measure is Measure.MONEY else None
        if measure is Measure.PERCENT:
            value /= 100
        return Leaf(value=value, path=_joined(path), measure=measure, currency=currency, in_rows=in_rows)

    def _unnamed(self, name: str, value: Decimal, currency: str | None) -> Measure:
        """What a number may be whose unit is not given: a count, where all others have theirs."""
        if _PERCENT_KEY.search(name):
            return Measure.PERCENT
        if currency is not None:
            return Measure.MONEY
        return Measure.COUNT if self._units and value == value.to_integral_value() else Measure.ANY


def _of_text(figure: Figure, path: str) -> Leaf:
    measure = {Kind.PERCENT: Measure.PERCENT, Kind.MONEY: Measure.MONEY}.get(figure.kind, Measure.ANY)
    currency = next(iter(figure.currencies)) if len(figure.currencies) == 1 else None
    return Leaf(value=figure.value, path=path, measure=measure, currency=currency, said=figure)


def _measure(unit: str) -> Measure:
    low = unit.strip().lower()
    if low.split(" ")[0] in {"1", "fraction", "ratio"}:
        return Measure.FRACTION
    if low.startswith(("%", "percent", "pct")):
        return Measure.PERCENT
    if _currency(unit) is not None:
        return Measure.MONEY
    return Measure.ANY if low.startswith("unknown currency") else Measure.COUNT


def _multiple(unit: str) -> Decimal:
    """What one of the unit is in base units: `USD million`, and pence, which are hundredths of a pound."""
    for word in unit.lower().split():
        if word.rstrip("s") in _WORDS:
            return Decimal(10) ** _WORDS[word.rstrip("s")]
    return Decimal("0.01") if unit.startswith(("GBp", "GBX", "ZAc")) else Decimal(1)


def _currency(unit: str) -> str | None:
    if unit.startswith(("GBp", "GBX")):
        return "GBP"
    found = _CODE.match(unit)
    return found[0] if found and found[0] in CODES else None


def _joined(path: Sequence[str]) -> str:
    return ".".join(path)
