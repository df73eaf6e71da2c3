"""Which tools a model is offered."""

from __future__ import annotations

from finclaw_cli.core.tool import ToolSpec
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
    return tuple(registry.offered(settings.tools, _wanted_by_skills(registry, settings, skills)))


def _wanted_by_skills(registry: ToolRegistry, settings: Settings, skills: Skills) -> list[str]:
    """As far as they are installed; what the user chose is not added to."""
    if settings.tools is not None:
        return []
    named = {name for skill in skills.usable.values() for name in skill.tools}
    return sorted(name for name in named if registry.find(name) is not None)
