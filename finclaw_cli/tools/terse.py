"""A JSON Schema in as few words as say the same: every request carries those of all tools."""

from __future__ import annotations

from typing import cast

from finclaw_cli.core.json_text import JsonObject

_NULL: JsonObject = {"type": "null"}
_NAMED = frozenset({"properties", "$defs"})


def terse(schema: JsonObject) -> JsonObject:
    """Drop what pydantic repeats.

    Titles repeat the names, and a parameter that may be left out need not be null as well. Descriptions lose
    the line breaks of the docstring that they come from, and go where they only repeat the choices.
    """
    required = cast("list[str]", schema.get("required", []))
    short = cast("JsonObject", _shortened(schema))
    properties = cast("dict[str, JsonObject]", short.get("properties", {}))
    short["properties"] = {
        name: value if name in required else _without_null(value) for name, value in properties.items()
    }
    return short


def _shortened(schema: object) -> object:
    if isinstance(schema, list):
        return [_shortened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: (
            {name: _shortened(item) for name, item in value.items()}
            if key in _NAMED and isinstance(value, dict)
            else " ".join(value.split())
            if key == "description" and isinstance(value, str)
            else _shortened(value)
        )
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
    if _says_only_the_choices(kept):
        del kept["description"]
    return _in_one_type(kept)


def _says_only_the_choices(schema: dict[str, object]) -> bool:
    """Whether a description repeats the values that may be chosen: `buy or sell`."""
    text, choices = schema.get("description"), schema.get("enum")
    if not isinstance(text, str) or not isinstance(choices, list):
        return False
    return set(text.replace(",", " ").rstrip(".").split()) <= {*map(str, choices), "or"}


def _in_one_type(schema: dict[str, object]) -> dict[str, object]:
    """Say a choice of bare types as a list of types."""
    choices = schema.get("anyOf")
    if not isinstance(choices, list) or not all(
        isinstance(choice, dict) and set(choice) == {"type"} for choice in choices
    ):
        return schema
    types = [choice["type"] for choice in choices]
    if not all(isinstance(name, str) for name in types):
        return schema
    return {"type": types, **{key: value for key, value in schema.items() if key != "anyOf"}}


def _without_null(schema: JsonObject) -> JsonObject:
    """A parameter that is null when it is left out."""
    if "default" not in schema or schema["default"] is not None:
        return schema
    rest = {key: value for key, value in schema.items() if key != "default"}
    match rest:
        case {"anyOf": [dict() as only, other]} if other == _NULL:
            return {**only, **{key: value for key, value in rest.items() if key != "anyOf"}}
        case {"anyOf": list() as choices}:
            return {**rest, "anyOf": [choice for choice in choices if choice != _NULL]}
        case {"type": list() as types}:
            named = [name for name in types if name != "null"]
            return {**rest, "type": named[0] if len(named) == 1 else named}
        case _:
            return rest
