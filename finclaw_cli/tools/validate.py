"""Checking a call's input before anything else looks at it."""

from __future__ import annotations

from typing import cast

from finclaw_cli.core.json_text import ExactObject, plain
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.tool import ToolDefinition, ToolSpec

MAX_PROBLEMS = 5


def problems(call: ToolCall, definition: ToolDefinition) -> list[str]:
    """What is wrong with the input: which field, what was expected, what came. Empty when it is good."""
    if call.invalid is not None:
        return [call.invalid]
    if definition.validate is not None:
        return definition.validate(call.input)[:MAX_PROBLEMS]
    return _against_schema(definition, call.input)


def _against_schema(spec: ToolSpec, arguments: ExactObject) -> list[str]:
    import jsonschema_rs

    validator = jsonschema_rs.validator_for(spec.input_schema)
    found = validator.iter_errors(plain(cast("object", arguments)))
    return [f"{'.'.join(map(str, item.instance_path)) or 'input'}: {item.message}" for item in found][:MAX_PROBLEMS]
