"""The toolsets of a conversation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.toolsets import ToolSets
from tests.unit.test_pipeline import bench


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


def test_a_tool_of_the_manifest_that_the_toolset_does_not_have_cannot_be_loaded() -> None:
    tools = [replace(bench().tool, name=name, toolset="files", source="plugin:acme") for name in ("read", "write")]
    installed = ToolRegistry([ToolEntry(spec=each, origin="acme", load=lambda: bench().tool) for each in tools])
    sets = ToolSets(installed, make=lambda *_: Fixed(tools[0]), offered=lambda registry: (), limit_s=10)
    entries = {entry.spec.name: entry for entry in sets.registry.entries}
    assert entries["read"].load().name == "read"
    with pytest.raises(UsageError, match="its toolset no longer has the tool 'write'"):
        entries["write"].load()
