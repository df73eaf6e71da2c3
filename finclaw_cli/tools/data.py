"""What a tool may return: values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from pathlib import PurePath
from uuid import UUID

_TEXT = (str, date, time, UUID, PurePath)  # a datetime is a date


class NotJson(ValueError):
    """A value that JSON cannot hold; the message says where in it."""


def require_data(value: object, at: str = "") -> None:
    """Check that a value, and all that is in it, is data.

    Args:
        value: text, numbers, dates, UUIDs, paths; mappings and collections, dataclasses, and what has a `to_json` or
            `model_dump` of its own.
        at: the place of the value in a larger one, as a JSON pointer.

    Raises:
        NotJson: there is NaN or an infinity in it, bytes, or any other object.
    """
    if value is None or isinstance(value, (*_TEXT, bool, int)):
        return
    if isinstance(value, float | Decimal):
        if not math.isfinite(value):
            raise NotJson(f"{at or 'the result'} is {value}; a number that does not exist is None")
        return
    for name, part in _parts(value, at):
        require_data(part, f"{at}/{name}" if name else at)


def _parts(value: object, at: str) -> Iterable[tuple[str, object]]:
    if isinstance(value, Mapping):
        return [(str(key), part) for key, part in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return [(str(place), part) for place, part in enumerate(value)]
    if callable(own := getattr(value, "to_json", getattr(value, "model_dump", None))):
        return [("", own())]
    if is_dataclass(value) and not isinstance(value, type):
        return [(item.name, getattr(value, item.name)) for item in fields(value)]
    kind = type(value)
    raise NotJson(f"{at or 'the result'} is {kind.__module__}.{kind.__qualname__}, which JSON cannot hold")
