"""Listing and trusting plugins, and revoking trust."""

from __future__ import annotations

from finclaw_cli.app.inventory import MANIFESTS
from finclaw_cli.cli.installed import installed
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.output.notice import warn
from finclaw_cli.plugin_host.first_party import is_first_party
from finclaw_cli.plugin_host.installed import damaged, hidden_plugins, installed_plugins
from finclaw_cli.plugin_host.manifest import PluginManifest, forget_manifest
from finclaw_cli.plugin_host.restrictions import record_restrictions
from finclaw_cli.plugin_host.trust import TRUST, TrustStore
from finclaw_cli.settings.paths import home

# Hooks whose results are counted.
COUNTED = frozenset({"finclaw_tools", "finclaw_providers", "finclaw_commands"})


def print_plugins(*, as_json: bool) -> None:
    """Print all installed plugins."""
    plugins = installed().plugins
    for sentence in (*hidden_plugins(), *(fault.message for fault in damaged().values())):
        warn(sentence)
    if as_json:
        print_json(
            [
                {
                    "name": m.dist,
                    "version": m.version,
                    "trust": plugins.standing(m),
                    "tools": [tool.name for tool in m.tools],
                    "providers": [provider.name for provider in m.providers],
                    "commands": [command.name for command in m.commands],
                    "hooks": list(m.hooks),
                    "error": m.error,
                    "problems": list(m.problems),
                }
                for m in plugins.manifests
            ]
        )
    elif not plugins.manifests:
        echo("No plugins are installed. Try: pip install finclaw-market finclaw-demo")
    else:
        rows = [
            (
                m.dist,
                m.version,
                "broken" if m.error else "ok",
                plugins.standing(m),
                m.error or _offers(m),
            )
            for m in plugins.manifests
        ]
        echo_table(("PLUGIN", "VERSION", "STATE", "TRUST", "OFFERS"), rows, drop=("VERSION", "OFFERS", "STATE"))


def grant_trust(dist: str) -> None:
    """Trust a plugin as it is installed now.

    Raises:
        UsageError: it is not installed, or the decision cannot be stored.
    """
    plugin = installed(probes_untrusted=False).plugins.installed(dist)
    dist = plugin.dist
    if is_first_party(plugin):
        echo(f"{dist} is finclaw's own: trusted from the start.")
        return
    TrustStore(home() / TRUST).grant(plugin)
    forget_manifest(home() / MANIFESTS, dist)
    record_restrictions(installed(probes_untrusted=False).plugins)  # probes it as it is now
    echo(f"{dist} {plugin.version} is trusted as it is installed now. Undo it with finclaw plugins revoke {dist}.")


def revoke_trust(dist: str) -> None:
    """Remove a plugin's pin.

    Raises:
        UsageError: the decision cannot be stored.
    """
    if any(dist_name(plugin.dist) == dist_name(dist) and is_first_party(plugin) for plugin in installed_plugins()):
        echo(f"{dist} is finclaw's own. To disable it, add it to plugins.deny in the settings, or uninstall it.")
    elif TrustStore(home() / TRUST).revoke(dist):
        echo(f"{dist} is not trusted any more: its tools need approval.")
    else:
        echo(f"{dist} was not trusted.")


def _offers(manifest: PluginManifest) -> str:
    kinds = ((manifest.tools, "tool"), (manifest.providers, "model provider"), (manifest.commands, "command"))
    counted = [f"{len(items)} {name}{'s' * (len(items) != 1)}" for items, name in kinds if items]
    taking_part = [hook.removeprefix("finclaw_") for hook in manifest.hooks if hook not in COUNTED]
    hooks = [f"hooks: {' '.join(taking_part)}"] if taking_part else []
    return ", ".join([*counted, *hooks]) or "nothing"
