"""Holding the final answer against a JSON Schema."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import Protocol, cast

from pydantic import JsonValue

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject

MAX_PROBLEMS = 5
_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n\s*```\s*\Z", re.DOTALL)


class _Violation(Protocol):
    message: str
    instance_path: list[str | int]


class AnswerSchema:
    """A JSON Schema that the final answer must satisfy.

    Raises:
        UsageError: when made from something that is not a JSON Schema.
    """

    def __init__(self, schema: JsonObject) -> None:
        import jsonschema_rs

        self.schema = schema
        try:
            self._validator = jsonschema_rs.validator_for(schema)
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            raise UsageError(f"the schema is not a JSON Schema: {error}") from error

    @cached_property
    def instruction(self) -> str:
        """What the model is told beside its provider's own structured output."""
        return (
            "Give your final answer as one JSON value and nothing else, without Markdown, "
            "valid against this JSON Schema:\n" + json.dumps(self.schema, ensure_ascii=False)
        )

    def check(self, text: str) -> tuple[JsonValue, list[str]]:
        """The parsed answer and its problems (none: it is valid). A fence around the JSON is taken off."""
        fenced = _FENCED.match(text)
        try:
            value = cast("JsonValue", json.loads(fenced[1] if fenced else text, parse_constant=_refuse))
        except (ValueError, RecursionError) as error:
            return None, [f"not JSON: {error}"]
        problems = [
            f"/{'/'.join(str(part) for part in violation.instance_path)}: {violation.message}"
            for violation in cast("list[_Violation]", list(self._validator.iter_errors(value)))
        ]
        return value, problems[:MAX_PROBLEMS]


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def repair_request(problems: list[str]) -> str:
    """What the model is asked when its answer does not fit."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    return f"Your answer is not valid against the schema:\n{listed}\nAnswer again with the corrected JSON value only."
