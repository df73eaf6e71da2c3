"""Commands that plugins add, known from their manifests and imported when they are invoked."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from finclaw_cli.cli.listing import installed
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record


@record(kw_only=True)
class PluginCommand:
    """One command: its help, whether its plugin is trusted, and how to get at it."""

    help: str
    is_trusted: bool
    load: Callable[[], Any]


@cache
def plugin_commands() -> dict[str, PluginCommand]:
    """All commands of all plugins by name; of two with one name a trusted plugin's, else the first, by name, stays."""
    try:
        plugins = installed(probes_untrusted=False).plugins
    except UsageError:
        return {}  # broken settings are for the command itself to report
    found: dict[str, PluginCommand] = {}
    for manifest in sorted(plugins.manifests, key=lambda manifest: not plugins.trusts(manifest)):
        for facts in manifest.commands:
            load = partial(plugins.command, manifest, facts.name)
            command = PluginCommand(help=facts.help, is_trusted=plugins.trusts(manifest), load=load)
            found.setdefault(facts.name, command)
    return found
