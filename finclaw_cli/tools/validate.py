"""Checking a call's input before anything else looks at it."""

from __future__ import annotations

from finclaw_cli.core.interruption import OutOfTime, error_text, plugin_code
from finclaw_cli.core.json_schema import BadSchema, CompiledSchema, is_heavy
from finclaw_cli.core.json_text import ExactObject, plain
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.own_threads import in_own_thread
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


def problems_or_fault(call: ToolCall, tool: ToolSpec) -> list[str]:
    """The same as `problems`; where the tool's own check fails, that is the problem."""
    try:
        with plugin_code():
            return problems(call, tool)
    except OutOfTime:
        raise
    except Exception as error:  # noqa: BLE001 - the code of a plugin
        return [f"the tool's own check of its input failed: {error_text(error)}"]


async def problems_beside(call: ToolCall, tool: ToolSpec) -> list[str]:
    """The same as `problems_or_fault`, without holding up the event loop for a schema that takes long to be checked."""
    has_own = isinstance(tool, ToolDefinition) and tool.validate is not None
    if has_own or not is_heavy(tool.input_schema, plain(call.input)):
        return problems_or_fault(call, tool)
    return await in_own_thread(problems_or_fault, call, tool)


def _against_schema(spec: ToolSpec, arguments: ExactObject) -> list[str]:
    try:
        found = CompiledSchema(spec.input_schema).problems(plain(arguments), at_most=MAX_PROBLEMS)
    except BadSchema as error:
        return [f"the tool's own schema cannot be used: {error}"]
    return [f"{'.'.join(map(str, path)) or 'input'}: {message}" for path, message in found]
