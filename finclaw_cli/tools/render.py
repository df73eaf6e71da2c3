"""What a tool returned, as the text that a model reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

from finclaw_cli.core.growing_text import GrowingText
from finclaw_cli.core.json_text import jsonable, plain, well_formed
from finclaw_cli.core.record import record

EMPTY = "[No result returned]"
MAX_CHARS = 4_000_000
CUT = "\n... [truncated]"


def render(value: object, at_most: int = MAX_CHARS) -> str:
    """Text stays as it is; anything else becomes JSON, with money as strings and NaN as null.

    No more than `at_most` characters are made, however large the value is.
    """
    if value is None or value == "":
        return EMPTY
    if isinstance(value, str):
        return well_formed(value[:at_most])
    text = GrowingText()
    left = at_most
    for piece in _json_pieces(value, at_most):
        text.append(piece[:left])
        left -= len(piece)
        if left <= 0:
            break
    return str(text)


def _json_pieces(value: object, at_most: int) -> Iterator[str]:
    """The JSON of a value, as `json.dumps(jsonable(value))` makes it, in pieces; of a string no more than that."""
    match value:
        case str():
            yield _dumped(value[:at_most])
        case bool() | int() | float() | None:
            yield _dumped(value)
        case Mapping():
            yield from _object(value.items(), at_most)
        case list() | tuple() | set() | frozenset():
            yield from _array(_json_pieces(item, at_most) for item in value)
        case _ if callable(own := getattr(value, "to_json", getattr(value, "model_dump", None))):
            yield from _json_pieces(own(), at_most)
        case _ if is_dataclass(value) and not isinstance(value, type):
            yield from _object(((item.name, getattr(value, item.name)) for item in fields(value)), at_most)
        case Sequence() if not isinstance(value, bytes | bytearray):
            yield from _array([_dumped(plain(item))] for item in value)
        case _:
            yield _dumped(value)


def _array(items: Iterable[Iterable[str]]) -> Iterator[str]:
    yield "["
    for place, item in enumerate(items):
        yield ", " if place else ""
        yield from item
    yield "]"


def _object(items: Iterable[tuple[object, object]], at_most: int) -> Iterator[str]:
    yield "{"
    for place, (key, item) in enumerate(items):
        yield f"{', ' if place else ''}{_dumped(str(key)[:at_most])}: "
        yield from _json_pieces(item, at_most)
    yield "}"


def _dumped(value: object) -> str:
    return json.dumps(jsonable(value), ensure_ascii=False, allow_nan=False)


@record(kw_only=True)
class Cut:
    """A result cut to length, with what tells the whole again. `bytes` and `sha256` are those of the whole."""

    text: str
    truncated: bool
    bytes: int | None = None
    sha256: str | None = None


def cut(text: str, limit: int) -> Cut:
    """The first `limit` characters, marked as cut; a text of exactly that length stays whole."""
    if len(text) <= limit:
        return Cut(text=text, truncated=False)
    whole = text.encode()
    return Cut(text=text[:limit] + CUT, truncated=True, bytes=len(whole), sha256=hashlib.sha256(whole).hexdigest())
