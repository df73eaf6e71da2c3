"""JSON as finclaw reads and writes it: one strict way in, one safe way out.

In: an object, no duplicate keys, no NaN, no trailing data, numbers kept exact (`Decimal`). Out: ASCII, no NaN or
Infinity, lone surrogates replaced, so that every line is valid JSON for every reader.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, TypeAlias, cast

# What a number out of the range of a double has: a long exponent, or many digits.
_LARGE = r"[eE]\+?\d{3}|\d{309}"


class _AnyJson:
    """Makes pydantic take its own `JsonValue`, where a model or a schema is made of our classes."""

    def __get_pydantic_core_schema__(self, _source: object, handler: Any) -> Any:
        import pydantic

        return handler.generate_schema(pydantic.JsonValue)


# What JSON can say. Our own, because importing pydantic takes longer than all that a listing does. Type checkers read
# the first line, which is complete; at run time the second is found: before Python 3.12 an alias that names
# itself has no form that every module could resolve.
JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
globals()["JsonValue"] = Annotated[Any, _AnyJson()]
JsonObject = dict[str, JsonValue]
# What strict parsing yields: JSON, but with every fractional number as a Decimal.
ExactValue = None | bool | int | str | Decimal | list["ExactValue"] | dict[str, "ExactValue"]
ExactObject = dict[str, ExactValue]

# Written out in full, 1e999999999 would be a gigabyte of zeros; a float ends at 1e308.
MAX_EXPONENT = 400


class InvalidJson(ValueError):
    """Not one strict JSON object; the message is fit to be shown to a model."""


def parse_object(text: str) -> ExactObject:
    """Parse one JSON object strictly; empty or blank text is `{}`.

    Raises:
        InvalidJson: on anything else: arrays, duplicate keys, NaN, trailing data, lone surrogates, deep nesting.
    """
    if not text.strip():
        return {}
    import jiter

    try:
        value = jiter.from_json(
            text.encode("utf-8"),
            allow_inf_nan=False,
            catch_duplicate_keys=True,
            float_mode="decimal",
            cache_mode="keys",
        )
    except (ValueError, RecursionError) as error:
        raise InvalidJson(str(error)) from None
    if not isinstance(value, dict):
        raise InvalidJson(f"expected a JSON object, got {type(value).__name__}")
    _check_numbers(value)
    return cast("ExactObject", value)


def parse_value(text: str) -> JsonValue:
    """Parse any JSON value as strictly as an object, but with numbers as they usually are.

    Raises:
        InvalidJson: on duplicate keys, NaN, numbers out of range, trailing data, lone surrogates, deep nesting.
    """
    import jiter

    try:
        value = jiter.from_json(text.encode("utf-8"), allow_inf_nan=False, catch_duplicate_keys=True)
    except (ValueError, RecursionError) as error:
        raise InvalidJson(str(error)) from None
    if re.search(_LARGE, text):
        _check_numbers(value)
    return cast("JsonValue", value)


def _check_numbers(value: object) -> None:
    match value:
        case Decimal() if value and abs(value.adjusted()) > MAX_EXPONENT:
            raise InvalidJson(f"number out of range: {value}")
        case float() if not math.isfinite(value):
            raise InvalidJson("number out of range of a double")
        case dict():
            for item in value.values():
                _check_numbers(item)
        case list():
            for item in value:
                _check_numbers(item)
        case _:
            pass


def canonical(value: object) -> str:
    """Write a value in one form only: keys sorted, no spaces, numbers exact. Two equal inputs give equal text."""
    match value:
        case Decimal():
            return _canonical_number(value)
        case Mapping():
            parts = (f"{json.dumps(str(key))}:{canonical(value[key])}" for key in sorted(value))
            return "{" + ",".join(parts) + "}"
        case list() | tuple():
            return "[" + ",".join(canonical(item) for item in value) + "]"
        case float() if not math.isfinite(value):
            raise InvalidJson("NaN and Infinity are not JSON")
        case _:
            return json.dumps(value)


def _canonical_number(value: Decimal) -> str:
    if not value.is_finite():
        raise InvalidJson("NaN and Infinity are not JSON")
    text = _digits(value)  # not `normalize`, which rounds to 28 digits
    return text.rstrip("0").rstrip(".") if "." in text and "E" not in text else text


def _digits(value: Decimal) -> str:
    return format(value, "f") if abs(value.adjusted()) <= MAX_EXPONENT else str(value)


def plain(value: object) -> JsonValue:
    """Turn any tool's or event's value into plain JSON: exact where JSON numbers can be, a string where they cannot.

    A Decimal becomes the number that prints as it where a float can hold it, else its digits as a string; NaN and
    the infinities become null; anything unknown its `str`.
    """
    match value:
        case None | bool() | int():
            return value
        case str():
            return well_formed(value)
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return _plain_decimal(value)
        case Mapping():
            return {well_formed(str(key)): plain(item) for key, item in value.items()}
        case Sequence() | set() | frozenset() if not isinstance(value, bytes | bytearray):
            return [plain(item) for item in value]
        case _:
            return well_formed(str(value))


def jsonable(value: object) -> JsonValue:
    """Turn values of ours into plain JSON: money as strings, dates as ISO 8601, dataclasses and models as objects.

    Dataclasses keep their fields' order; what has a `to_json` or `model_dump` of its own decides for itself.
    """
    match value:
        case str() | bool() | int() | None:  # most of all there is
            return plain(value)
        case Decimal():
            return _digits(value) if value.is_finite() else None
        case datetime() | date():
            return value.isoformat()
        case Mapping():
            return {well_formed(str(key)): jsonable(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [jsonable(item) for item in value]
        case _ if callable(own := getattr(value, "to_json", getattr(value, "model_dump", None))):
            return jsonable(own())
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {item.name: jsonable(getattr(value, item.name)) for item in fields(value)}
        case _:
            return plain(value)


def _plain_decimal(value: Decimal) -> JsonValue:
    if not value.is_finite():
        return None
    if value == value.to_integral_value() and abs(value.adjusted()) < 16:  # noqa: PLR2004 - below 2**53 in any case
        return int(value) if value.as_tuple().exponent == 0 else float(value)
    as_float = float(value)
    return as_float if math.isfinite(as_float) and Decimal(repr(as_float)) == value else str(value)


def well_formed(text: str) -> str:
    """Join surrogate pairs that came apart and replace lone ones by U+FFFD, so that the text can be encoded."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def dump_line(value: JsonValue) -> str:
    """One JSON value on one ASCII line, without the newline. The value must be plain (see `plain`)."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
