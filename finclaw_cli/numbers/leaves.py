"""The numbers of a tool's result, each with its path and its unit, in base units like the figures of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NamedTuple

from finclaw_cli.core.record import record
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.scales import multiple, part_of_currency
from finclaw_cli.numbers.scan import figures
from finclaw_cli.numbers.units import CODES

# Rows of longer lists are weaker evidence: any number is close to one of a thousand.
FEW_ROWS, _LATEST = 12, 3
_MOST_LEAVES = 200_000
_DEEPEST = 40
_NUMBER = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d{1,3})?")
# A CIK, a ticker of digits, an account: 0001997711.
_NAME = re.compile(r"0\d")
_LONGEST = 40
_SCALED_NAME = re.compile(
    r"_(k|m|mm|mn|mln|bn|b|tn|million|billion|thousands|[십백천]?[만억조](?:원|달러)?)$", re.IGNORECASE
)
_LETTERS = {"k": Decimal(10) ** 3, "m": Decimal(10) ** 6, "mm": Decimal(10) ** 6, "b": Decimal(10) ** 9}
_COUNTED = ("share", "session", "day", "week", "month", "year", "count", "number", "period", "payment", "contract")
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
_PERCENT_KEY = re.compile(r"pct|percent", re.IGNORECASE)
# The keys of a result that describe its numbers.
_NO_NUMBERS = frozenset(
    {
        "sources",
        "as_of",
        "tz",
        "calendar",
        "sha256",
        "retrieved_at",
        "columns",
        "units",
        "source",
        "largest_at",
        "words",
    }
)


class Measure(StrEnum):
    """The measure of a number in a result; `bare` is one without its scale, which is no amount by itself."""

    ANY = "any"
    BARE = "bare"
    FRACTION = "fraction"
    PERCENT = "percent"
    MONEY = "money"
    COUNT = "count"


@record(kw_only=True)
class Leaf:
    """One number of one result; `value` is in base units, a percentage as a fraction."""

    value: Decimal
    path: str
    measure: Measure = Measure.ANY
    currency: str | None = None
    figure: Figure | None = None
    """The figure of a text that it was read from; None for a number of JSON."""
    in_rows: bool = False
    """Whether it is in the middle of a long list of similar numbers."""
    may_be_percent: bool = True
    """Whether a number without a unit may be a percentage."""


def leaves(result: str) -> list[Leaf]:
    """The numbers of a result: of its JSON, else of its text."""
    try:
        content = json.loads(result, parse_float=Decimal, parse_int=_whole, parse_constant=str)
    except (ValueError, RecursionError, InvalidOperation):
        return [_of_text(figure, "") for figure in figures(result)]
    found = list(_Reader(_units(content)).read(content))
    scale = _scale(content)
    found = [one for leaf in found for one in _in_scale(leaf, scale or _scale_of_name(leaf.path))]
    if any(leaf.measure is Measure.PERCENT and leaf.figure is None for leaf in found):
        # Where percentages are marked, unmarked numbers are none.
        return [replace(leaf, may_be_percent=False) if leaf.measure is Measure.ANY else leaf for leaf in found]
    return found


def _whole(digits: str) -> Decimal | str:
    return Decimal(digits) if len(digits) < _LONGEST else digits


def _units(content: object) -> Mapping[str, str]:
    given = content.get("units") if isinstance(content, dict) else None
    return {str(name): str(unit) for name, unit in given.items()} if isinstance(given, dict) else {}


def _scale(content: object) -> tuple[Decimal, str | None] | None:
    """The factor of all amounts of a result and their currency, where one key gives it."""
    if not isinstance(content, dict):
        return None
    inner = content.get("data")
    for place in (content, inner if isinstance(inner, dict) else {}):
        for name in ("scale", "unit", "units", "multiplier", "denomination", "단위"):
            unit = place.get(name)
            if isinstance(unit, str) and (times := multiple(unit)) > 1:
                currency = place.get("currency")
                return times, _currency(unit) or (currency if isinstance(currency, str) else None)
    return None


def _scale_of_name(path: str) -> tuple[Decimal, str | None] | None:
    """The same from the name of a number: `aum_m`, `설정액_억원`."""
    found = _SCALED_NAME.search(path)
    if found is None:
        return None
    times = _LETTERS.get(found[1].lower()) or multiple(found[1])
    return (times, _currency(found[1])) if times > 1 else None


def _in_scale(leaf: Leaf, scale: tuple[Decimal, str | None] | None) -> list[Leaf]:
    if scale is None or leaf.measure is not Measure.ANY or leaf.figure is not None:
        return [leaf]
    times, currency = scale
    amount = replace(leaf, value=leaf.value * times, measure=Measure.MONEY, currency=leaf.currency or currency)
    return [amount, replace(leaf, measure=Measure.BARE)]


class _Units(NamedTuple):
    """The unit that an object names for its numbers, and the part of a currency for its amount."""

    of_all: str | None
    of_amount: str | None

    def of(self, name: str) -> str | None:
        return self.of_all or (self.of_amount if name == "amount" else None)


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
            case Decimal():
                whole = node == node.to_integral_value()
                yield self._leaf(node, path, currency, in_rows=in_rows, counts=whole)
            case _:
                pass

    def _of_object(
        self, node: Mapping[str, object], path: tuple[str, ...], currency: str | None, *, in_rows: bool
    ) -> Iterator[Leaf]:
        own, unit, columns = node.get("currency"), node.get("unit"), node.get("columns")
        part = None
        if isinstance(own, str):
            part, currency = (own, None) if part_of_currency(own) else (None, _currency(own))
        units = _Units(unit if isinstance(unit, str) and path else None, part)
        for name, value in node.items():
            if name in _NO_NUMBERS:
                continue
            own_unit = units.of(name)
            if name == "rows" and isinstance(columns, list) and isinstance(value, list):
                yield Leaf(value=Decimal(len(value)), path=_joined((*path, name, "length")), measure=Measure.COUNT)
                yield from self._of_rows(value, [str(column) for column in columns], (*path, name), currency)
            elif own_unit is not None and _is_number(value):
                yield self._in_unit(Decimal(str(value)), (*path, name), own_unit, in_rows=in_rows)
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
            middle = many and 0 < number < len(rows) - _LATEST
            for column, cell in zip(columns, row if isinstance(row, list) else (), strict=False):
                yield from self._walk(cell, (*path, str(number), column), currency, in_rows=middle)

    def _of_string(self, text: str, path: tuple[str, ...], currency: str | None, *, in_rows: bool) -> Iterator[Leaf]:
        if _is_number(text):
            yield self._leaf(Decimal(text), path, currency, in_rows=in_rows)
            return
        for figure in figures(text):
            self._left -= 1
            yield _of_text(figure, _joined(path))

    def _leaf(
        self, value: Decimal, path: tuple[str, ...], currency: str | None, *, in_rows: bool, counts: bool = False
    ) -> Leaf:
        name = next((part for part in reversed(path) if not part.isdigit()), "")
        if (unit := self._units.get(name)) is not None:
            return self._in_unit(value, path, unit, in_rows=in_rows)
        self._left -= 1
        measure = Measure.COUNT if counts and self._units else Measure.ANY
        if any(_PERCENT_KEY.search(part) for part in path):
            measure, value, currency = Measure.PERCENT, value / 100, None
        return Leaf(value=value, path=_joined(path), measure=measure, currency=currency, in_rows=in_rows)

    def _in_unit(self, value: Decimal, path: tuple[str, ...], unit: str, *, in_rows: bool) -> Leaf:
        self._left -= 1
        measure, value = _measure(unit), value * multiple(unit)
        if measure is Measure.PERCENT:
            value /= 100
        currency = _currency(unit) if measure is Measure.MONEY else None
        # A number with any other unit is no percentage.
        return Leaf(
            value=value, path=_joined(path), measure=measure, currency=currency, in_rows=in_rows, may_be_percent=False
        )


def _is_number(value: object) -> bool:
    """Whether a value is a number, or the text of one; digits with leading zeros are an identifier."""
    if isinstance(value, str):
        return len(value) < _LONGEST and _NUMBER.fullmatch(value) is not None and not _NAME.match(value)
    return isinstance(value, Decimal)


def _of_text(figure: Figure, path: str) -> Leaf:
    measure = {Kind.PERCENT: Measure.PERCENT, Kind.MONEY: Measure.MONEY}.get(figure.kind, Measure.ANY)
    currency = next(iter(figure.currencies)) if len(figure.currencies) == 1 else None
    return Leaf(value=figure.value, path=path, measure=measure, currency=currency, figure=figure)


def _measure(unit: str) -> Measure:
    low = unit.strip().lower()
    if re.split(r"[ ,;:(]", low)[0] in {"1", "fraction", "ratio"}:
        return Measure.FRACTION
    if low.startswith(("%", "percent", "pct")):
        return Measure.PERCENT
    if _currency(unit) is not None:
        return Measure.MONEY
    return Measure.COUNT if low.startswith(_COUNTED) else Measure.ANY


def _currency(unit: str) -> str | None:
    if (part := part_of_currency(unit)) is not None:
        return part[0]
    if "원" in unit or "달러" in unit:
        return "KRW" if "원" in unit else "USD"
    found = _CODE.search(unit)
    return found[0] if found and found[0] in CODES else None


def _joined(path: Sequence[str]) -> str:
    return ".".join(path)
