"""Holding the final answer against a JSON Schema."""

from __future__ import annotations

import json
import re
from functools import cached_property

from finclaw_cli.core.errors import SchemaUnsatisfied, UsageError
from finclaw_cli.core.json_schema import BadSchema, CompiledSchema, Problem
from finclaw_cli.core.json_text import InvalidJson, JsonObject, JsonValue, parse_value
from finclaw_cli.core.own_threads import in_own_thread

_FENCED = r"(?s)\A\s*```(?:json)?\s*\n(.*?)\n\s*```\s*\Z"


class AnswerSchema:
    """A JSON Schema that the final answer must satisfy.

    Raises:
        UsageError: when made from something that is not a JSON Schema.
    """

    def __init__(self, schema: JsonObject) -> None:
        self.schema = schema
        try:
            self._compiled = CompiledSchema(schema)
        except BadSchema as error:
            raise UsageError(f"--schema is not a JSON Schema: {error}", code="bad_schema") from error

    @cached_property
    def instruction(self) -> str:
        """The instruction for the model beside its provider's own structured output."""
        return (
            "Give your final answer as one JSON value and nothing else, without Markdown, "
            "valid against this JSON Schema:\n" + json.dumps(self.schema, ensure_ascii=False)
        )

    async def check(self, text: str) -> tuple[JsonValue, list[str]]:
        """The parsed answer and its problems (none: it is valid). A fence around the JSON is taken off.

        Raises:
            SchemaUnsatisfied: the schema is one that takes too long to be checked.
        """
        fenced = re.match(_FENCED, text)
        try:
            value = parse_value(fenced[1] if fenced else text)
        except InvalidJson as error:
            return None, [f"not JSON: {error}"]
        try:
            problems = await self._problems(value)
        except BadSchema as error:
            raise SchemaUnsatisfied(f"the answer cannot be checked against --schema: {error}") from error
        return value, [f"/{'/'.join(map(str, path))}: {message}" for path, message in problems]

    async def _problems(self, value: JsonValue) -> list[Problem]:
        if self._compiled.is_heavy(value):
            return await in_own_thread(self._compiled.problems, value)
        return self._compiled.problems(value)


def repair_request(problems: list[str]) -> str:
    """What the model is asked when its answer does not fit."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    return f"Your answer is not valid against the schema:\n{listed}\nAnswer again with the corrected JSON value only."
