"""A JSON Schema in the subset that structured output takes.

Only ever looser than what was asked: the answer is checked against the whole schema afterwards anyway.
"""

from __future__ import annotations

from finclaw_cli.core.json_text import JsonObject, JsonValue

# Keywords the API answers with an error; every one of them narrows, so leaving it out allows more.
_REFUSED = frozenset(
    {
        "$schema", "$id", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
        "maxLength", "pattern", "maxItems", "uniqueItems", "minContains", "maxContains", "contains", "minProperties",
        "maxProperties", "patternProperties", "propertyNames", "not", "if", "then", "else",
    }
)  # fmt: skip
_SCHEMAS_BY_NAME = frozenset({"properties", "$defs", "definitions"})
_SCHEMA_LISTS = frozenset({"anyOf", "allOf", "oneOf"})


def accepted_schema(schema: JsonObject) -> JsonObject:
    """Drop what the API refuses and close every object, as it demands."""
    kept: JsonObject = {}
    for key, value in schema.items():
        if key in _REFUSED or (key == "minItems" and value not in (0, 1)):
            continue
        kept["anyOf" if key == "oneOf" else key] = _inner(key, value)
    if kept.get("type") == "object" or "properties" in kept:
        kept["additionalProperties"] = False
    return kept


def _inner(key: str, value: JsonValue) -> JsonValue:
    if key in _SCHEMAS_BY_NAME and isinstance(value, dict):
        return {name: _schema(inner) for name, inner in value.items()}
    if key in _SCHEMA_LISTS and isinstance(value, list):
        return [_schema(inner) for inner in value]
    return _schema(value) if key == "items" else value


def _schema(value: JsonValue) -> JsonValue:
    return accepted_schema(value) if isinstance(value, dict) else value
