"""JSON Schemas that come from outside, compiled without ever following a reference into the network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, cast

from finclaw_cli.core.json_text import JsonObject, JsonValue


class BadSchema(ValueError):
    """Not a JSON Schema that can be used; the message is one line."""


class _Violation(Protocol):
    message: str
    instance_path: list[str | int]


class _Validator(Protocol):
    def iter_errors(self, instance: JsonValue) -> Iterable[_Violation]: ...


class CompiledSchema:
    """A schema, ready to be held against values.

    Raises:
        BadSchema: it is no JSON Schema, or refers to something that is not in it.
    """

    def __init__(self, schema: JsonObject) -> None:
        import jsonschema_rs

        try:
            self._validator = cast("_Validator", jsonschema_rs.validator_for(schema, offline=True))
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            raise BadSchema(str(error).strip().partition("\n")[0]) from error

    def problems(self, value: JsonValue, *, at_most: int = 5) -> list[tuple[list[str | int], str]]:
        """What is wrong with a value: where, and what; empty when nothing is."""
        found: list[tuple[list[str | int], str]] = []
        for violation in self._validator.iter_errors(value):
            found.append((list(violation.instance_path), violation.message.partition("\n")[0]))
            if len(found) == at_most:
                break
        return found
