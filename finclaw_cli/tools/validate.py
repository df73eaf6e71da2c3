"""Checking a call's input before anything else looks at it."""

from __future__ import annotations

import asyncio

from finclaw_cli.core.json_schema import BadSchema, CompiledSchema, is_large
from finclaw_cli.core.json_text import ExactObject, plain
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.tool import ToolDefinition, ToolSpec

MAX_PROBLEMS = 5


def problems(call: ToolCall, tool: ToolSpec) -> list[str]:
    """What is wrong with the input: which field, what was expected, what came. Empty when it is good.

    A tool that is not loaded is represented by its schema alone.
    """
    if call.invalid is not None:
        return [call.invalid]
    if isinstance(tool, ToolDefinition) and tool.validate is not None:
        return tool.validate(call.input)[:MAX_PROBLEMS]
    return _against_schema(tool, call.input)


async def problems_beside(call: ToolCall, tool: ToolSpec) -> list[str]:
    """The same as `problems`, without holding up the event loop for a schema that takes long to be checked."""
    has_own = isinstance(tool, ToolDefinition) and tool.validate is not None
    if has_own or not is_large(tool.input_schema):
        return problems(call, tool)
    return await asyncio.to_thread(problems, call, tool)


def _against_schema(spec: ToolSpec, arguments: ExactObject) -> list[str]:
    try:
        found = CompiledSchema(spec.input_schema).problems(plain(arguments), at_most=MAX_PROBLEMS)
    except BadSchema as error:
        return [f"the tool's own schema cannot be used: {error}"]
    return [f"{'.'.join(map(str, path)) or 'input'}: {message}" for path, message in found]
