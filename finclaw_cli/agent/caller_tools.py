"""Tools that a program passes to its agent as functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from inspect import isfunction, ismethod

from finclaw_cli.agent.options import Tool
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.tools.registry import CALLER


@record(kw_only=True)
class WantedTools:
    """The tools of an agent: names of installed ones, and the caller's own."""

    names: list[str] | None = None
    functions: tuple[ToolDefinition, ...] = ()


def wanted_tools(tools: Sequence[str | Tool] | None) -> WantedTools:
    """Sort names from functions.

    Raises:
        UsageError: it is not a list, or a function cannot be made a tool.
    """
    if tools is None:
        return WantedTools()
    if isinstance(tools, str):
        raise UsageError(f"Agent: tools: must be a list; got {tools!r}")
    names: list[str] = []
    functions: list[ToolDefinition] = []
    for each in tools:
        if isinstance(each, str):
            names.append(each)
            continue
        made = [replace(tool, source=CALLER, trusted=True) for tool in _defined(each)]
        functions += made
        names += [tool.name for tool in made]
    return WantedTools(names=names, functions=tuple(functions))


def _defined(tool: Tool) -> Iterator[ToolDefinition]:
    from finclaw_cli.tools.declare import ToolOptions, options_of  # with pydantic, which names do not need
    from finclaw_cli.tools.define import define, define_all

    if options_of(tool) is None and (isfunction(tool) or ismethod(tool)):
        return iter([define(tool, ToolOptions())])
    return define_all(tool)
