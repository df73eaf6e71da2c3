"""The commands of plugins, listed from their manifests and imported when they are invoked."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import typer

from finclaw_cli.cli.installed import installed
from finclaw_cli.core.errors import PLUGIN_FAILED, FinclawError, UsageError
from finclaw_cli.core.interruption import error_text
from finclaw_cli.core.record import record


@record(kw_only=True)
class PluginCommand:
    """One command: its help, its import path, and whether its plugin is trusted."""

    help: str
    is_trusted: bool
    load: Callable[[], Any]
    dist: str

    def loaded(self) -> Any:
        """The command, whose unexpected errors name the plugin."""
        command = self.load()
        command.invoke = partial(self._invoke, command.invoke)
        return command

    def _invoke(self, invoke: Callable[[Any], Any], ctx: Any) -> Any:
        try:
            return invoke(ctx)
        except (FinclawError, OSError, typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if hasattr(error, "show"):  # typer's own errors, whose class is private
                raise
            raise FinclawError(
                f"a command of the plugin {self.dist} failed: {error_text(error)}",
                hint="Report it to the author of the plugin with the output of the same command and --debug.",
                code=PLUGIN_FAILED,
            ) from error


@cache
def plugin_commands() -> dict[str, PluginCommand]:
    """The commands of all plugins by name; of two with one name that of a trusted plugin, else of the first by name."""
    try:
        plugins = installed(probes_untrusted=False).plugins
    except UsageError:
        return {}  # the command itself reports broken settings
    found: dict[str, PluginCommand] = {}
    for manifest in sorted(plugins.manifests, key=lambda manifest: not plugins.trusts(manifest)):
        for facts in manifest.commands:
            load = partial(plugins.command, manifest, facts.name)
            command = PluginCommand(help=facts.help, is_trusted=plugins.trusts(manifest), load=load, dist=manifest.dist)
            found.setdefault(facts.name, command)
    return found
