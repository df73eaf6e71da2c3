"""Decimals in a tool's input: which parameters take them, and in which forms they may be written.

The validator reads a Decimal in a string as Python does, with the digits of every script, underscores and spaces
around it: of these the forms of JSON count alone, with a sign and a bare point beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from decimal import Decimal
from types import UnionType
from typing import Annotated, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

Place = tuple[int | str, ...]
_WRITTEN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def takes_decimal(annotation: object, within: tuple[object, ...] = ()) -> bool:
    """Whether a value of this type can hold a Decimal."""
    if annotation is Decimal:
        return True
    if annotation in within:  # a type that contains itself
        return False
    parts = (*get_args(annotation), *_fields(annotation).values())
    return any(takes_decimal(part, (*within, annotation)) for part in parts)


def misread(annotation: object, value: object, place: Place) -> Iterator[tuple[Place, str]]:
    """The strings where a Decimal belongs that are no plain number, each with its place.

    A string that a type takes as text is none of them.
    """
    kinds = _alternatives(annotation)
    if isinstance(value, str):
        if Decimal in kinds and str not in kinds and not _WRITTEN.fullmatch(value):
            yield place, value
        return
    for kind in kinds:
        for key, (inner, item) in _parts(kind, value):
            yield from misread(inner, item, (*place, key))


def _alternatives(annotation: object) -> tuple[object, ...]:
    """The types that an annotation allows, without their metadata."""
    if get_origin(annotation) is Annotated:
        return _alternatives(get_args(annotation)[0])
    if get_origin(annotation) in {Union, UnionType}:
        return tuple(kind for part in get_args(annotation) for kind in _alternatives(part))
    return (annotation,)


def _parts(kind: object, value: object) -> Iterator[tuple[int | str, tuple[object, object]]]:
    """The parts of a value and their types, by their places."""
    arguments = get_args(kind)
    if isinstance(value, list) and arguments:
        fixed = get_origin(kind) is tuple and Ellipsis not in arguments
        types = arguments if fixed else (arguments[0],) * len(value)
        yield from enumerate(zip(types, value, strict=False))
    elif isinstance(value, Mapping):
        fields = _fields(kind)
        inner = arguments[-1] if arguments else None
        yield from ((str(key), (fields.get(str(key), inner), item)) for key, item in value.items())


def _fields(annotation: object) -> Mapping[str, object]:
    """The types of a model's, a dataclass's or a TypedDict's fields, by the names that they have in JSON."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {field.alias or name: field.annotation for name, field in annotation.model_fields.items()}
    if isinstance(annotation, type) and (is_dataclass(annotation) or hasattr(annotation, "__total__")):
        return get_type_hints(annotation)
    return {}
