"""The toolsets of plugins, as finclaw uses them: with tools that are checked and placed."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.interruption import error_text, plugin_code
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.core.toolset import ToolSet
from finclaw_cli.plugin_host.offers import tools_in, toolsets_of

MAX_TOOLS = 500
"""Of a toolset: each is offered with each request to the model."""


def new_toolset(plugin: object, name: str, placed: Callable[[ToolDefinition], ToolDefinition]) -> HostedToolSet:
    """A new object of a plugin's toolset.

    Raises:
        UsageError: the plugin has no such toolset any more.
    """
    with plugin_code():
        found = next((toolset for toolset in toolsets_of(plugin) if toolset.name == name), None)
    if found is None:
        raise UsageError(f"the plugin no longer has the toolset {name!r}")
    return HostedToolSet(found, placed)


class HostedToolSet:
    """A toolset of a plugin; `placed` adds to each of its tools what its plugin has no say in."""

    def __init__(self, toolset: ToolSet, placed: Callable[[ToolDefinition], ToolDefinition]) -> None:
        self._toolset = toolset
        self._placed = placed

    def tools(self) -> tuple[tuple[ToolDefinition, ...], list[str]]:
        """Its tools now, and a line for each thing it offers that cannot be one.

        Raises:
            UsageError: the plugin raised, or gave too many.
        """
        try:
            with plugin_code():
                found, problems = tools_in(self._toolset)
        except Exception as error:
            raise UsageError(f"its tools are not known: {error_text(error)}", code="plugin_failed") from error
        if len(found) > MAX_TOOLS:
            raise UsageError(f"it has {len(found):,} tools; at most {MAX_TOOLS}")
        return tuple(map(self._placed, found)), problems

    async def start(self, context: ToolContext) -> None:
        """Start it."""
        await self._toolset.start(context)

    async def stop(self) -> None:
        """Stop it."""
        await self._toolset.stop()
