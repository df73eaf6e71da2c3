"""The OpenAPI document of the API, made from its endpoints, its models and the settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from finclaw_cli import __version__
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.serve.endpoint import Endpoint
from finclaw_cli.serve.models import Refusal
from finclaw_cli.serve.wanted_run import OWN
from finclaw_cli.settings.run_settings import run_settings
from finclaw_cli.settings.schema import settings_schema

REF = "#/components/schemas/{model}"
WANTED_RUN = "WantedRun"
_PARAMETER = re.compile(r"\{([a-z_]+)\}")
_OWN_TYPES: dict[str, JsonObject] = {
    "prompt": {"type": "string", "description": "The question; none where resume is true."},
    "session": {"type": "string", "description": "The session to continue, or to begin under this name."},
    "continue": {"type": "boolean", "description": "Continue the session that was written last."},
    "resume": {"type": "boolean", "description": "Take the last question of the session up."},
    "schema": {"type": ["object", "string"], "description": "The form of the answer, as --schema."},
}
ABOUT = """Runs, sessions and costs of one user. Each request needs the token: `Authorization: Bearer TOKEN`.

The events of runs are the lines of `finclaw run -o ndjson`, by server-sent events or by a WebSocket at the same
address, whose subprotocols may carry the token of a browser: `finclaw, token.TOKEN`. Over the WebSocket a client sends
`{"type":"approval","id":…,"decision":…}`, `{"type":"cancel","call_id":…}` or `{"type":"interrupt"}`."""


def openapi(endpoints: Iterable[Endpoint]) -> JsonObject:
    """The document, in OpenAPI 3.1."""
    endpoints = list(endpoints)
    kinds = {kind for each in endpoints for kind in (each.body, each.result) if kind is not None} | {Refusal}
    schemas, definitions = _schemas(kinds)
    paths: dict[str, Any] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "finclaw serve", "version": __version__, "description": ABOUT},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {**definitions, WANTED_RUN: _wanted_run()},
        },
    }


def _schemas(kinds: Iterable[Any]) -> tuple[dict[Any, JsonObject], dict[str, Any]]:
    """The schema of each type, and the definitions that they refer to."""
    inputs = [(kind, "serialization", _adapter(kind)) for kind in kinds]
    schemas, together = TypeAdapter.json_schemas(inputs, ref_template=REF)  # type: ignore[arg-type]
    return {kind: schema for (kind, _), schema in schemas.items()}, dict(together.get("$defs", {}))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _operation(endpoint: Endpoint, schemas: dict[Any, JsonObject]) -> JsonObject:
    result: JsonObject = schemas[endpoint.result] if endpoint.result is not None else {"type": "string"}
    operation: dict[str, Any] = {
        "operationId": endpoint.answer.__name__,
        "summary": endpoint.summary,
        "parameters": list(_parameters(endpoint)),
        "responses": {
            str(endpoint.status): {
                "description": endpoint.summary,
                "content": {endpoint.media_type: {"schema": result}},
            },
            "default": {
                "description": "The request is not answered.",
                "content": {"application/json": {"schema": schemas[Refusal]}},
            },
        },
    }
    if endpoint.method == "POST" and (endpoint.body is not None or endpoint.starts_run):
        body = schemas[endpoint.body] if endpoint.body is not None else {"$ref": REF.format(model=WANTED_RUN)}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    if not endpoint.needs_token:
        operation["security"] = []
    return operation


def _parameters(endpoint: Endpoint) -> Iterator[JsonObject]:
    text: JsonObject = {"type": "string"}
    for name in _PARAMETER.findall(endpoint.path):
        yield {"name": name, "in": "path", "required": True, "schema": text}
    for name, description in endpoint.query.items():
        yield {"name": name, "in": "query", "schema": text, "description": description}
    for name, description in endpoint.headers.items():
        yield {"name": name, "in": "header", "schema": text, "description": description}


def _wanted_run() -> JsonObject:
    """The body that starts a run: its own keys, and the settings of a run."""
    settings: dict[str, Any] = settings_schema()
    properties = {name: settings["properties"][name] for name in run_settings()}
    return {
        "type": "object",
        "description": "A run that is asked for; what is left out has the value of the server's settings.",
        "properties": {**{name: _OWN_TYPES[name] for name in OWN}, **properties},
        "additionalProperties": False,
    }
