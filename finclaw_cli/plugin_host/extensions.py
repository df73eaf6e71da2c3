"""What distributions bring for a plugin, by an entry point of the plugin's own group: price data, for one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.installed import InstalledPlugin, installed_plugins
from finclaw_cli.plugin_host.trust import TRUSTED, TrustStore


@record(kw_only=True)
class Extension:
    """One entry point of a plugin's own group."""

    name: str
    dist: str
    load: Callable[[], Any]
    """Imports it.

    Raises:
        ToolError: the user does not trust the distribution.
    """


def extensions_of(group: str, trust: TrustStore, bytecode: Path) -> list[Extension]:
    """What all installed distributions bring, by distribution and name; those that are not trusted cannot be loaded.

    Args:
        group: the group of entry points.
        trust: which distributions the user trusts.
        bytecode: where compiled modules are kept; a folder that only the user can write.
    """

    def extension(plugin: InstalledPlugin) -> Extension:
        return Extension(name=plugin.entry_point.name, dist=plugin.dist, load=lambda: _loaded(plugin, trust, bytecode))

    return [extension(plugin) for plugin in installed_plugins(group)]


def _loaded(plugin: InstalledPlugin, trust: TrustStore, bytecode: Path) -> Any:
    if trust.standing(plugin) not in TRUSTED:
        raise ToolError(f"{plugin.dist} is not trusted (finclaw plugins trust {plugin.dist})")
    from finclaw_cli.plugin_host.first_party_imports import prepare_import

    prepare_import(plugin, trust, bytecode)
    return plugin.entry_point.load()
