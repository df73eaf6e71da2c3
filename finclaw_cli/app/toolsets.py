"""The toolsets of a conversation: made by its plugins, offered as its settings choose."""

from __future__ import annotations

from finclaw_cli.app.offered_tools import offered_tools, tool_groups
from finclaw_cli.app.plan import Plan
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.tools.registry import ToolRegistry
from finclaw_cli.tools.toolsets import ToolSets


def toolsets_of(plan: Plan) -> ToolSets:
    """The toolsets of a conversation that begins with this plan."""
    settings = plan.settings

    def offered(registry: ToolRegistry) -> tuple[ToolSpec, ...]:
        try:
            return offered_tools(registry, settings, plan.skills)
        except UsageError:  # a tool that was named is there no more
            names = (tool.name for tool in plan.tools)
            there = (name for name in names if registry.find(name) is not None)
            return tuple(registry.offered(there, groups=tool_groups(settings)))

    return ToolSets(
        plan.installed.tools, make=plan.installed.plugins.toolset, offered=offered, limit_s=settings.timeout
    )
