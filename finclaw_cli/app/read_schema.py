"""`--schema`: what the answer has to look like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from finclaw_cli.app.decode import decode
from finclaw_cli.app.prompt_text import read_bytes
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.engine.answer import AnswerSchema

COMPACT_TYPES = ("string", "number", "integer", "boolean")


def read_schema(given: str) -> JsonObject:
    """A JSON Schema from a file, from JSON text, or from the compact form `name:type,other:type`.

    Raises:
        UsageError: it is none of these.
    """
    if given.lstrip().startswith("{") or (":" in given and not _is_path(given)):
        return schema_of_text(given)
    return _parsed_schema(decode(read_bytes(Path(given)), given, "utf-8-sig").text, f"--schema {given}")


def schema_of_text(text: str) -> JsonObject:
    """A JSON Schema from JSON text, or from the compact form; no file is read.

    Raises:
        UsageError: it is neither.
    """
    return _parsed_schema(text, "--schema") if text.lstrip().startswith("{") else _compact_schema(text)


def _is_path(given: str) -> bool:
    try:
        return Path(given).exists()
    except OSError:  # longer than any name
        return False


def _parsed_schema(text: str, name: str) -> JsonObject:
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: not JSON: {error}", code="bad_schema") from error
    if not isinstance(schema, dict):
        raise UsageError(f"{name}: a JSON Schema is an object", code="bad_schema")
    return checked_schema(cast("JsonObject", schema))


def checked_schema(schema: JsonObject) -> JsonObject:
    """The schema, once it was compiled.

    Raises:
        UsageError: it is no JSON Schema.
    """
    AnswerSchema(schema)
    return schema


def _compact_schema(text: str) -> JsonObject:
    properties: JsonObject = {}
    for part in text.split(","):
        name, _, kind = (piece.strip() for piece in part.partition(":"))
        if not name or kind not in COMPACT_TYPES:
            raise UsageError(
                f"--schema: {part.strip()!r} is not NAME:TYPE",
                hint=f"Types: {', '.join(COMPACT_TYPES)}. Anything else needs a JSON Schema.",
                code="bad_schema",
            )
        properties[name] = {"type": kind}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
