"""What a tool may return, and its JSON in pieces, so that a value of any size is written no further than is wanted."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from pathlib import PurePath
from uuid import UUID

from finclaw_cli.core.json_text import jsonable

# `json.dumps` makes an encoder for each call, which costs as much as the value.
_ENCODED = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_PLAIN = (bool, int, float, Decimal, date, time, UUID, PurePath)  # a datetime is a date


class NotJson(ValueError):
    """A value that JSON cannot hold; the message has the place in it."""


def json_pieces(value: object, at_most: int, at: str = "") -> Iterator[str]:
    """The JSON of a value, as `json.dumps(jsonable(value))` makes it, in pieces.

    Args:
        value: text, numbers, dates, UUIDs, paths; mappings and collections, dataclasses, and what has a `to_json` or
            `model_dump` of its own.
        at_most: how many characters of each string are made.
        at: the place of the value in a larger one, as a JSON pointer.

    Raises:
        NotJson: there is NaN or an infinity in it, bytes, or any other object; raised when that is reached.
    """
    if isinstance(value, str):
        yield _dumped(value[:at_most])
    elif value is None or isinstance(value, _PLAIN):
        yield _dumped(_finite(value, at))
    elif isinstance(value, Mapping):
        yield from _object(value.items(), at_most, at)
    elif callable(own := getattr(value, "to_json", getattr(value, "model_dump", None))):
        yield from json_pieces(own(), at_most, at)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _object(((item.name, getattr(value, item.name)) for item in fields(value)), at_most, at)
    else:
        yield from _array(_items(value, at), at_most, at)


def _finite(value: object, at: str) -> object:
    if isinstance(value, float | Decimal) and not math.isfinite(value):
        raise NotJson(f"{at or 'the result'} is {value}; a number that does not exist is None")
    return value


def _items(value: object, at: str) -> Iterable[object]:
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes | bytearray | memoryview):
        return value
    kind = type(value)
    raise NotJson(f"{at or 'the result'} is {kind.__module__}.{kind.__qualname__}, which JSON cannot hold")


def _array(items: Iterable[object], at_most: int, at: str) -> Iterator[str]:
    yield "["
    for place, item in enumerate(items):
        yield ", " if place else ""
        yield from json_pieces(item, at_most, f"{at}/{place}")
    yield "]"


def _object(items: Iterable[tuple[object, object]], at_most: int, at: str) -> Iterator[str]:
    yield "{"
    for place, (key, item) in enumerate(items):
        yield f"{', ' if place else ''}{_dumped(str(key)[:at_most])}: "
        yield from json_pieces(item, at_most, f"{at}/{key}")
    yield "}"


def _dumped(value: object) -> str:
    return _ENCODED(jsonable(value))
