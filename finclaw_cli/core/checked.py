"""Reading data into the record that declares it, with errors that name the place and the value.

Settings and our own caches know texts, numbers, flags, dates, lists and tables; checking those takes less time than
the import of a library that could. A value is never made into one of another kind, but for whole numbers where any
number may stand, dates that are written as text, and lists where there are to be tuples.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.record import record

Table = TypeVar("Table")
Where = tuple[str, ...]


class WrongValue(ValueError):
    """A value that cannot be meant. `where` is the way to it through tables and lists."""

    def __init__(self, message: str, given: object, where: Where = ()) -> None:
        super().__init__(message)
        self.message = message
        self.given = given
        self.where = where


@record
class Within:
    """Numbers from `least` to `most`; `least` itself is left out where it is `above`."""

    least: float
    most: float
    above: bool = False

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The bounds as JSON Schema."""
        return {**handler(schema), "exclusiveMinimum" if self.above else "minimum": self.least, "maximum": self.most}

    def __call__(self, value: Any) -> Any:
        if value < self.least or (self.above and value == self.least):
            raise ValueError(f"must be greater than {'' if self.above else 'or equal to '}{self.least}")
        if value > self.most:
            raise ValueError(f"must be less than or equal to {self.most}")
        return value


@record
class Matching:
    """Texts of a form."""

    pattern: str

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The form as JSON Schema, whose expressions anchor with `^` and `$`."""
        return {**handler(schema), "pattern": self.pattern.replace(r"\A", "^").replace(r"\Z", "$")}

    def __call__(self, value: Any) -> Any:
        if not re.search(self.pattern, value):
            raise ValueError(f"must match {self.pattern}")
        return value


@record
class NotBlank:
    """Texts with something in them."""

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The least length as JSON Schema."""
        return {**handler(schema), "minLength": 1}

    def __call__(self, value: Any) -> Any:
        if not value.strip():
            raise ValueError("must not be empty")
        return value


@record
class AtMost:
    """Lists of so many items."""

    items: int

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The most items as JSON Schema."""
        return {**handler(schema), "maxItems": self.items}

    def __call__(self, value: Any) -> Any:
        if len(value) > self.items:
            raise ValueError(f"must have at most {self.items} items")
        return value


@record
class ReadBy:
    """The result of a function of the value; the function raises where there is none."""

    read: Callable[[object], object]
    is_secret: bool = False
    """Whether an error must not quote the value."""

    def __call__(self, value: Any) -> Any:
        return self.read(value)


def checked(kind: type[Table], given: object, where: Where = ()) -> Table:
    """A table as the class that declares it.

    Raises:
        WrongValue: the first key that is unknown, or value that is wrong.
    """
    if isinstance(given, kind):
        return given
    if not isinstance(given, dict):
        raise WrongValue("must be a table", given, where)
    declared = _declared(cast("Any", kind))
    for key in given:
        if key not in declared:
            raise WrongValue("there is no such key", given[key], (*where, str(key)))
    for name, item in declared.items():
        if name not in given and item.default is MISSING and item.default_factory is MISSING:
            raise WrongValue("is missing", None, (*where, name))
    values = {key: _value(type_of(cast("Any", kind), key), value, (*where, key)) for key, value in given.items()}
    try:
        return kind(**values)
    except ValueError as error:
        raise WrongValue(str(error), given, where) from None


@cache
def type_of(kind: Any, name: str) -> Any:
    """The type with which a table declares a key."""
    declared = _declared(kind)[name].type
    # What is evaluated are our own declarations.
    return eval(declared, vars(sys.modules[kind.__module__])) if isinstance(declared, str) else declared  # noqa: S307


@cache
def _declared(kind: Any) -> dict[str, Field[Any]]:
    return {item.name: item for item in fields(kind)}


def _value(kind: Any, given: object, where: Where) -> object:
    origin, inner, is_plain = _parts(kind)
    if is_plain:
        return _plain(kind, given, where)
    if origin is Annotated:
        return _json(given, where) if kind == JsonValue else _within(inner, given, where)
    if origin is UnionType or origin is Union:
        return None if given is None else _value(next(one for one in inner if one is not NoneType), given, where)
    if origin is Literal:
        if given not in inner or not isinstance(given, str):
            raise WrongValue(f"must be {' or '.join(map(repr, inner))}", given, where)
        return given
    return _several(kind, given, where)


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """What a type is made of, and whether it is made of nothing else."""
    origin = get_origin(kind)
    return origin, get_args(kind), origin is None and not is_dataclass(kind)


def _several(kind: Any, given: object, where: Where) -> object:
    """A list, a table, or a declared table."""
    origin, inner, _ = _parts(kind)
    if origin in {list, tuple} and isinstance(given, list | tuple):
        return origin(_value(inner[0], item, (*where, str(place))) for place, item in enumerate(given))
    if origin is dict and isinstance(given, dict):
        return {str(key): _value(inner[1], item, (*where, str(key))) for key, item in given.items()}
    return _plain(origin, given, where) if origin else checked(kind, given, where)


def _json(given: object, where: Where) -> object:
    """What JSON can say, which is less than TOML can."""
    if not _is_json(given):
        raise WrongValue("must be a text, a number, true or false, a list or a table", given, where)
    return given


def _is_json(given: object) -> bool:
    if given is None or isinstance(given, str | int):
        return True
    if isinstance(given, dict):
        return all(map(_is_json, given.values()))
    if isinstance(given, list):
        return all(map(_is_json, given))
    return isinstance(given, float) and math.isfinite(given)


def _within(inner: tuple[Any, ...], given: object, where: Where) -> object:
    kind, *rules = inner
    reads = [rule for rule in rules if isinstance(rule, ReadBy)]
    value = given if reads else _value(kind, given, where)
    try:
        for rule in rules:
            if callable(rule):
                value = rule(value)
    except ValueError as error:
        shown = "[hidden]" if any(rule.is_secret for rule in reads) else given
        raise WrongValue(str(error), shown, where) from None
    return value


def _plain(kind: Any, given: object, where: Where) -> object:
    match kind:
        case _ if kind is float:
            if isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given):
                return float(given)
        case _ if kind is int:
            if isinstance(given, int) and not isinstance(given, bool):
                return given
        case _ if kind is date:
            return _date(given, where)
        case _:
            if isinstance(given, kind):
                return given
    raise WrongValue(f"must be {NAMES.get(kind, kind.__name__)}", given, where)


def _date(given: object, where: Where) -> date:
    if isinstance(given, date) and not isinstance(given, datetime):
        return given
    try:
        read = date.fromisoformat(given if isinstance(given, str) else "")
    except ValueError:
        read = None
    if read is None or read.isoformat() != given:  # Python reads more forms, such as weeks
        raise WrongValue("must be a date: YYYY-MM-DD", given, where)
    return read


NAMES: dict[object, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
