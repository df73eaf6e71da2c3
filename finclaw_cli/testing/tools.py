"""Calling a tool in a test exactly as a run would: parsed, validated, under its timeout, rendered."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from finclaw_cli.core.environment import context_within, environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import ToolResult
from finclaw_cli.core.tool import Secret, ToolContext, ToolDefinition
from finclaw_cli.plugin_host.conformance.calls import call_once, make_call, make_context
from finclaw_cli.plugin_host.conformance.own_loop import finish
from finclaw_cli.settings.paths import home
from finclaw_cli.tools.define import define_all

__all__ = ["ToolResult", "run_tool", "run_tool_async", "the_tool", "tool_context"]


T = TypeVar("T")


def tool_context(**changes: Any) -> ToolContext:
    """The context of a call, with any field of `ToolContext` changed; its home is the data folder."""
    context = replace(make_context(home(), Path.cwd()), **changes)
    return replace(context, secret=_masked_from_now_on(context.secret))


def _masked_from_now_on(secret: Secret) -> Secret:
    """As in a run: what the tool gets is masked in its results."""
    known = environment().secrets

    def find(name: str) -> str | None:
        value = secret(name)
        if value is not None:
            known.add(value)
        return value

    return find


async def with_own_secrets(call: Coroutine[Any, Any, T]) -> T:
    """Run a call whose secrets are masked in this call, and not in the tests after it."""
    current = environment()
    own = context_within(replace(current, secrets=copy(current.secrets)))
    return await asyncio.get_running_loop().create_task(call, context=own)


def the_tool(offered: object) -> ToolDefinition:
    """The one tool in what a plugin would offer: a marked function or method, or a `ToolDefinition`.

    Raises:
        UsageError: it is no tool, or several.
    """
    first, *others = define_all(offered)
    if others:
        names = ", ".join(tool.name for tool in (first, *others))
        raise UsageError(f"{offered!r} has several tools: {names}; name one of its methods")
    return first


async def run_tool_async(
    tool: object, arguments: JsonObject | str = "", *, approved: bool = True, **context: Any
) -> ToolResult:
    """Call a tool once; its failure is a result with `is_error`, as the model would get it.

    Args:
        tool: a function or method marked with `@tool`, or a `ToolDefinition`.
        arguments: the input, as a dict or as the text a model might send.
        approved: whether the call is approved, where the tool needs it.
        **context: fields of `ToolContext` that are to differ.
    """
    definition = the_tool(tool)
    return await with_own_secrets(_result(definition, arguments, context, approved=approved))


async def _result(
    definition: ToolDefinition, arguments: JsonObject | str, context: dict[str, Any], *, approved: bool
) -> ToolResult:
    call = make_call(definition.name, arguments)
    return (await call_once(definition, call, tool_context(**context), approved=approved)).result


def run_tool(tool: object, arguments: JsonObject | str = "", *, approved: bool = True, **context: Any) -> ToolResult:
    """The same as `run_tool_async`, for tests that are no coroutines."""
    return finish(run_tool_async(tool, arguments, approved=approved, **context))
