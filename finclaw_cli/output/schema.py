"""The JSON Schema of the NDJSON lines, made from the event classes."""

from __future__ import annotations

from typing import cast

from pydantic import TypeAdapter

from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.events.lines import event_classes
from finclaw_cli.core.events.parts import SCHEMA_VERSION
from finclaw_cli.core.json_text import JsonObject

ENVELOPE: JsonObject = {
    "v": {"const": SCHEMA_VERSION, "description": "Version of this schema."},
    "seq": {"type": "integer", "minimum": 0, "description": "0, 1, 2 … without gaps."},
    "ts": {"type": "string", "format": "date-time", "description": "UTC, milliseconds."},
    "run_id": {"type": "string", "description": "The run this line belongs to."},
}

# Fields that recordings of earlier versions do not have, by event.
ADDED = frozenset({"execution.state cause", "tool.register group"})
TOTAL: JsonObject = {"type": "integer", "minimum": 0, "description": "The sum of the disjoint counts."}


def summary(event: type[Event]) -> str:
    """The summary of an event class."""
    return (event.__doc__ or "").strip().splitlines()[0]


def line_schema() -> JsonObject:
    """A schema that every line of `--output ndjson` satisfies.

    Readers must ignore types and fields they do not know, so unknown types and additional properties are valid.
    """
    definitions: JsonObject = {}
    known = []
    for name, event in event_classes().items():
        schema = cast(
            "JsonObject",
            TypeAdapter(event).json_schema(mode="serialization", ref_template="#/$defs/{model}"),
        )
        definitions.update(cast("JsonObject", schema.pop("$defs", {})))
        definitions[event.__name__] = _with_envelope(schema, name, summary(event))
        known.append(name)
    usage = cast("dict[str, JsonObject]", definitions["Usage"])
    usage["properties"]["total"] = TOTAL
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "finclaw events, version 1",
        "type": "object",
        "required": ["v", "type", "seq", "ts", "run_id"],
        "allOf": [
            {
                "if": {"properties": {"type": {"const": name}}},
                "then": {"$ref": f"#/$defs/{event.__name__}"},
            }
            for name, event in event_classes().items()
        ],
        "$defs": definitions,
    }


def _with_envelope(schema: JsonObject, name: str, text: str) -> JsonObject:
    own = cast("JsonObject", schema.get("properties", {}))
    fields_of_event = [field for field in own if field != "type" and f"{name} {field}" not in ADDED]
    return {
        "type": "object",
        "description": text,
        "properties": {**ENVELOPE, **own, "type": {"const": name}},
        "required": ["v", "type", "seq", "ts", "run_id", *fields_of_event],
    }
