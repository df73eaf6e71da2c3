"""Commands that plugins add, known from their manifests and imported when they are invoked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import typer

from finclaw_cli.cli.listing import installed
from finclaw_cli.core.errors import UsageError
from finclaw_cli.discovery.manager import PluginManager
from finclaw_cli.discovery.manifest import PluginManifest


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginCommand:
    """One command: its help, and how to get at it."""

    help: str
    load: Callable[[], Any]


@cache
def plugin_commands() -> dict[str, PluginCommand]:
    """All commands of all plugins by name; of two with one name the first plugin's, by name, stays."""
    try:
        plugins = installed().plugins
    except UsageError:
        return {}  # broken settings are for the command itself to report
    found: dict[str, PluginCommand] = {}
    for manifest in plugins.manifests:
        for facts in manifest.commands:
            load = partial(_load, plugins, manifest, facts.name)
            found.setdefault(facts.name, PluginCommand(help=facts.help, load=load))
    return found


def _load(plugins: PluginManager, manifest: PluginManifest, name: str) -> Any:
    commands = plugins.commands(manifest)
    commands.callback()(_group)  # makes it a group also when it has one command alone
    return typer.main.get_group(commands).commands[name]


def _group() -> None:
    """The plugin's commands."""
