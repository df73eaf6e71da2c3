"""Which plugins and tools are installed, known from their manifests: what listings, help and completion show."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from finclaw_cli.core.environment import environment
from finclaw_cli.core.record import record
from finclaw_cli.output.notice import notice
from finclaw_cli.plugin_host.manager import PluginChoice, PluginManager
from finclaw_cli.plugin_host.skills import Skills, collect_skills, load_skill_tool
from finclaw_cli.plugin_host.trust import TRUST, TrustStore
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import home, skill_folders
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry

MANIFESTS = Path("cache") / "plugins.json"


@record(kw_only=True)
class Inventory:
    """The plugins and their tools."""

    plugins: PluginManager
    tools: ToolRegistry


def take_inventory(
    settings: Settings,
    *,
    use_plugins: bool = True,
    probes_untrusted: bool = True,
    report: Callable[[str], None] = notice,
) -> Inventory:
    """Look at what is installed; plugins that were never seen are probed in processes of their own.

    Args:
        settings: which plugins may be used, and how long a probe may take.
        use_plugins: whether there are any.
        probes_untrusted: whether plugins that are not trusted are probed.
        report: shows which plugins are probed, where a user waits for it.
    """
    choice = PluginChoice(only=settings.plugins.only if use_plugins else (), deny=settings.plugins.deny)
    plugins = PluginManager(
        home() / MANIFESTS,
        choice,
        trust=TrustStore(home() / TRUST),
        groups=settings.tool.groups,
        probe_timeout_s=min(settings.probe_timeout, settings.timeout / 2),  # a run has to go on without the plugin
        probes_untrusted=probes_untrusted and not _is_completing(),
        on_new=partial(_report_new, report),
    )
    entries = [*plugins.tool_entries(), *_builtin(plugins)]
    return Inventory(plugins=plugins, tools=ToolRegistry(entries, settings.tool.prefer))


def find_skills(plugins: PluginManager) -> Skills:
    """The skills of this folder, this user, and these plugins."""
    return collect_skills(plugins, skill_folders(environment().workspace))


def _builtin(plugins: PluginManager) -> list[ToolEntry]:
    """The tool that reads skills, where there may be any: what they are is looked at when it is used."""
    of_plugins = any(manifest.skills and plugins.trusts(manifest) for manifest in plugins.manifests)
    if not of_plugins and not skill_folders(environment().workspace):
        return []
    spec = load_skill_tool({})
    return [ToolEntry(spec=spec, origin=spec.source, load=lambda: load_skill_tool(find_skills(plugins).usable))]


def _report_new(report: Callable[[str], None], names: list[str]) -> None:
    """Show what the first run waits for on a terminal; not where a shell completes a word, and not in a log."""
    if sys.stderr is not None and sys.stderr.isatty() and not _is_completing():
        report(f"finclaw: looking at new plugins: {', '.join(names)}")


def _is_completing() -> bool:
    return "_FINCLAW_COMPLETE" in os.environ
