"""Which tools a model is offered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from finclaw_cli.core.tool import GROUPS, Group, ToolGroup, ToolSpec
from finclaw_cli.plugin_host.skills import Skills
from finclaw_cli.settings.model import Settings
from finclaw_cli.tools.registry import ToolRegistry

NO_TOOLS = "none"


def offered_tools(registry: ToolRegistry, settings: Settings, skills: Skills) -> tuple[ToolSpec, ...]:
    """The tools that were chosen, else those of the groups always offered and those that skills work with.

    Raises:
        UsageError: a wanted tool is unknown, or its name is claimed by several plugins.
    """
    if settings.tools == [NO_TOOLS]:
        return ()
    wanted_by_skills = _wanted_by_skills(registry, settings, skills)
    return tuple(registry.offered(settings.tools, wanted_by_skills, tool_groups(settings)))


def brought_by_skills(tools: Iterable[ToolSpec], settings: Settings, skills: Skills) -> dict[str, str]:
    """The offered tools that nothing but a skill asks for, by name: `skill:` and the name of the skill."""
    if settings.tools is not None:
        return {}
    groups = tool_groups(settings)
    on_demand = {tool.name for tool in tools if groups[tool.counted_group].offer == "on-demand"}
    wanted = {name: f"skill:{skill.name}" for skill in skills.usable.values() for name in skill.tools}
    return {name: skill for name, skill in wanted.items() if name in on_demand}


def tool_groups(settings: Settings) -> Mapping[ToolGroup, Group]:
    """The groups of tools, as the user's settings have them."""

    def of_user(name: ToolGroup, usual: Group) -> Group:
        own = settings.groups.get(name)
        if own is None:
            return usual
        return Group(description=own.description or usual.description, offer=own.offer or usual.offer)

    return {name: of_user(name, usual) for name, usual in GROUPS.items()}


def _wanted_by_skills(registry: ToolRegistry, settings: Settings, skills: Skills) -> list[str]:
    """As far as they are installed; what the user chose is not added to."""
    if settings.tools is not None:
        return []
    named = {name for skill in skills.usable.values() for name in skill.tools}
    return sorted(name for name in named if registry.find(name) is not None)
