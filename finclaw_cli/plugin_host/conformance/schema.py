"""The rules for input schemas: the strictest of all providers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.plugin_host.conformance.problem import Problem, error, warning

_PROPERTY_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_REFUSED_AT_TOP = ("$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const")
_SCHEMAS_BY_NAME = ("properties", "$defs", "definitions")
_SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "not")


def schema_problems(spec: ToolSpec) -> Iterator[Problem]:
    """Check the tool's input schema for what providers refuse and models misuse."""
    subject, schema = f"tool {spec.name}", spec.input_schema
    references = sorted({str(part["$ref"]) for part in _parts(schema) if "$ref" in part})
    if lost := [reference for reference in references if _target(schema, reference) is None]:
        # Checked before the schema is compiled, because a compiler may look for them in the network.
        yield error(subject, "schema_reference", f"references lead nowhere within the schema: {', '.join(lost)}")
        return
    if reason := _invalid(schema):
        yield error(subject, "schema_invalid", f"the input schema is not a JSON Schema: {reason}")
        return
    for keyword in _REFUSED_AT_TOP:
        if keyword in schema:
            yield error(subject, "schema_top_level", f"providers refuse {keyword!r} at the top of an input schema")
    yield from _properties(subject, schema)
    for reference in references:
        if _leads_back(schema, reference):
            yield warning(subject, "schema_recursive", f"{reference!r} contains itself, which not every provider takes")
    if any(_is_array(part) and "items" not in part for part in _parts(schema)):
        yield error(subject, "schema_items", "an array without 'items' is refused: use list[…] instead of a tuple")


def _properties(subject: str, schema: JsonObject) -> Iterator[Problem]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for name, part in known.items():
        if not _PROPERTY_NAME.fullmatch(name):
            yield error(subject, "parameter_name", f"parameter {name!r}: a name is [a-zA-Z0-9_.-], 64 at most")
        # A list of choices needs no description.
        if not (isinstance(part, dict) and (part.get("description") or "enum" in part)):
            yield warning(subject, "parameter_undescribed", f"parameter {name!r} has no description")
    required = schema.get("required")
    for wanted in required if isinstance(required, list) else []:
        if wanted not in known:
            yield error(subject, "schema_required", f"{wanted!r} is required but not among the properties")
    if schema.get("additionalProperties", True) is True:
        yield warning(subject, "schema_open", "unknown parameters are let through: say 'additionalProperties': false")


def _leads_back(schema: JsonObject, wanted: str) -> bool:
    waiting, seen = [wanted], set[str]()
    while waiting:
        for part in _parts(_target(schema, waiting.pop()) or {}):
            reference = part.get("$ref")
            if reference == wanted:
                return True
            if isinstance(reference, str) and reference not in seen:
                seen.add(reference)
                waiting.append(reference)
    return False


def _target(schema: JsonObject, reference: str) -> JsonObject | None:
    if not reference.startswith("#"):
        return None
    found: object = schema
    for step in reference.removeprefix("#").strip("/").split("/"):
        if step:
            found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _parts(schema: JsonObject) -> Iterator[JsonObject]:
    """The schema and every schema within it."""
    yield schema
    inner: list[object] = [schema.get(key) for key in _SCHEMAS]
    for key in _SCHEMAS_BY_NAME:
        named = schema.get(key)
        inner += named.values() if isinstance(named, dict) else []
    for key in _SCHEMA_LISTS:
        listed = schema.get(key)
        inner += listed if isinstance(listed, list) else []
    for part in inner:
        if isinstance(part, dict):
            yield from _parts(part)


def _is_array(part: JsonObject) -> bool:
    kind = part.get("type")
    return kind == "array" or (isinstance(kind, list) and "array" in kind)


def _invalid(schema: JsonObject) -> str | None:
    import jsonschema_rs

    try:
        jsonschema_rs.validator_for(schema)
    except (ValueError, jsonschema_rs.ReferencingError) as problem:
        return str(problem).partition("\n")[0]
    return None
