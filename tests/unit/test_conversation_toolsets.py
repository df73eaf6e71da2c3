"""The toolsets of a conversation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.tool import ToolContext, ToolDefinition, declaration
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.toolsets import ToolSets
from tests.unit.test_pipeline import bench, context


class Fixed:
    """A toolset with tools that stay as they are."""

    def __init__(self, *tools: ToolDefinition) -> None:
        self._tools = tools

    def tools(self) -> tuple[tuple[ToolDefinition, ...], list[str]]:
        return self._tools, []

    async def start(self, context: ToolContext) -> None:
        pass

    async def stop(self) -> None:
        pass


class Failing(Fixed):
    """A toolset that fails to list its tools from the second time on."""

    lists = 0

    def tools(self) -> tuple[tuple[ToolDefinition, ...], list[str]]:
        self.lists += 1
        if self.lists > 1:
            raise UsageError("there is no such folder")
        return super().tools()


class Odd(Fixed):
    """A toolset that finds a tool which it cannot offer."""

    def tools(self) -> tuple[tuple[ToolDefinition, ...], list[str]]:
        return super().tools()[0], ["'buy!' is no name of a tool"]


def loaded(source: str, kind: type[Fixed]) -> ToolSets:
    """A conversation whose one toolset is loaded."""
    tool = replace(bench().tool, name="read", toolset="files", source=source)
    installed = ToolRegistry([ToolEntry(spec=declaration(tool), origin="acme", load=lambda: bench().tool)])
    sets = ToolSets(installed, make=lambda *_: kind(tool), offered=lambda registry: (), limit_s=10)
    sets.registry.entries[0].load()
    return sets


async def test_what_is_wrong_with_a_toolset_is_a_warning_once() -> None:
    it, sets = bench(), loaded("builtin", Odd)
    toolbox = RegistryToolbox(sets.registry, it.services, context, it.settings, it.emit, changes=sets)
    assert [await toolbox.changed() for _ in range(2)] == [None, None]
    (warning,) = [event for event in it.events if isinstance(event, AgentWarning)]
    assert (warning.code, warning.message) == ("toolset", "acme: 'buy!' is no name of a tool")


async def test_a_toolset_that_fails_to_list_its_tools_keeps_them_and_is_a_warning() -> None:
    it, sets = bench(), loaded("builtin", Failing)
    toolbox = RegistryToolbox(sets.registry, it.services, context, it.settings, it.emit, changes=sets)
    assert await toolbox.changed() is None
    (warning,) = [event for event in it.events if isinstance(event, AgentWarning)]
    assert (warning.code, warning.message) == ("toolset", "acme: its tools stay as they were: there is no such folder")


async def test_the_tools_of_a_plugin_that_is_not_trusted_are_listed_once() -> None:
    sets = loaded("plugin:acme", Failing)
    assert (await sets.changed(), sets.take_problems()) == (None, [])


def test_a_tool_of_the_manifest_that_the_toolset_does_not_have_cannot_be_loaded() -> None:
    tools = [replace(bench().tool, name=name, toolset="files", source="plugin:acme") for name in ("read", "write")]
    installed = ToolRegistry([ToolEntry(spec=each, origin="acme", load=lambda: bench().tool) for each in tools])
    sets = ToolSets(installed, make=lambda *_: Fixed(tools[0]), offered=lambda registry: (), limit_s=10)
    entries = {entry.spec.name: entry for entry in sets.registry.entries}
    assert entries["read"].load().name == "read"
    with pytest.raises(UsageError, match="its toolset no longer has the tool 'write'"):
        entries["write"].load()
