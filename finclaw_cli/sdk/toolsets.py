"""What a plugin stores of its toolsets, so that their tools are listed and offered before anything is started."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.plugin_host import kept_tools
from finclaw_cli.settings.paths import home

__all__ = ["ToolSpec", "forget_tools", "keep_tools", "stored_tools"]


def keep_tools(distribution: str, toolset: str, tools: Sequence[ToolSpec]) -> None:
    """Store the declarations of a toolset's tools, in place of those stored before.

    From then on they are tools of the plugin, where it is trusted. `known` of the toolset has to return the same.

    Args:
        distribution: the plugin.
        toolset: the toolset's name.
        tools: the declarations, without duplicates.

    Raises:
        UsageError: the toolset's name is none, or a tool cannot be one.
        OSError: they cannot be written.
    """
    kept_tools.keep_tools(home(), distribution, toolset, tools)


def forget_tools(distribution: str, toolset: str) -> bool:
    """Remove what is stored of a toolset; return whether there was anything.

    Raises:
        UsageError: the toolset's name is none.
        OSError: it cannot be removed.
    """
    return kept_tools.forget_tools(home(), distribution, toolset)


def stored_tools(distribution: str, toolset: str) -> list[ToolSpec]:
    """The stored declarations of a toolset's tools; empty where none are stored.

    Raises:
        UsageError: they cannot be used.
    """
    return kept_tools.tools_of_toolset(home(), distribution, toolset)
