"""Reading JSON from outside without believing it: each function gives the type it names, or that type's nothing."""

from __future__ import annotations

from finclaw_cli.core.json_text import JsonObject, JsonValue


def record(value: JsonValue) -> JsonObject:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def records(value: JsonValue) -> list[JsonObject]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: JsonValue) -> str:
    """A string, or an empty one."""
    return value if isinstance(value, str) else ""


def count(value: JsonValue) -> int | None:
    """A number of things, which is never negative, or None where there is no sensible value."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def without_nulls(item: JsonObject) -> JsonObject:
    """The fields that are set: servers that print every field send null for the unset ones."""
    return {key: value for key, value in item.items() if value is not None}
