"""What each plugin offers, kept on disk, so that listing, completion and help import no plugin.

The cache is keyed by the fingerprint of what is installed. A damaged or stale entry is made anew; a folder that
cannot be written costs time, not function.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from finclaw_cli import __version__
from finclaw_cli.core.checked import checked
from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.file_locks import locked
from finclaw_cli.core.files import private_folder, read_regular, replace_file
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.plugin_host.trust import Restriction
from finclaw_cli.prompt.skills import Skill
from finclaw_cli.providers.facts import ProviderFacts

MAX_CACHE_BYTES = 64 * 1024 * 1024
FORMAT = 5
RULES = "finclaw_policy_rules"
"""The hook for policy rules."""
TOOLSETS = "finclaw_toolsets"
"""The hook for toolsets."""


@record(kw_only=True)
class CommandFacts:
    """A command that a plugin adds to `finclaw`."""

    name: str
    help: str


@record(kw_only=True)
class PluginManifest:
    """What one plugin offers, or why it cannot be used."""

    key: str
    dist: str
    version: str
    fingerprint: str
    tools: tuple[ToolSpec, ...] = ()
    providers: tuple[ProviderFacts, ...] = ()
    commands: tuple[CommandFacts, ...] = ()
    skills: tuple[Skill, ...] = ()
    hooks: tuple[str, ...] = ()
    guards: bool = False
    """Whether one of its hooks around tool calls is a guard (`@strict`)."""
    error: str | None = None
    traceback: str | None = None
    tried_in: str = ""
    """What was installed beside it when it failed: a missing library may have come since."""
    problems: tuple[str, ...] = field(default=())
    """What was left out of an otherwise usable plugin, one line each."""

    @property
    def restrictions(self) -> tuple[Restriction, ...]:
        """What of it restricts runs, so that none may begin without it once the plugin is trusted."""
        rules: tuple[Restriction, ...] = ("policy rules",) if RULES in self.hooks else ()
        return (*rules, "guards") if self.guards else rules


def read_manifests(path: Path) -> dict[str, PluginManifest]:
    """The cached manifests by key; empty where there are none that can be read."""
    try:
        stored: Any = json.loads(read_regular(path, MAX_CACHE_BYTES))
        if stored["made_by"] != _made_by():
            return {}
        manifests = [checked(PluginManifest, entry) for entry in stored["plugins"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {manifest.key: manifest for manifest in manifests}


def _made_by() -> str:
    """Another finclaw may derive other schemas from the same plugin."""
    return f"{FORMAT} {__version__}"


def forget_manifest(path: Path, dist: str) -> None:
    """Remove a distribution from the cache, as it may have been changed in place."""
    name = dist_name(dist)
    _change(path, lambda known: [manifest for manifest in known if dist_name(manifest.dist) != name])


def keep_manifests(path: Path, new: Sequence[PluginManifest]) -> None:
    """Store these manifests in addition to those of other plugins."""
    keys = {manifest.key for manifest in new}
    _change(path, lambda known: [*(manifest for manifest in known if manifest.key not in keys), *new])


def _change(path: Path, change: Callable[[Collection[PluginManifest]], list[PluginManifest]]) -> None:
    """Replace the cache atomically, with the changes of other processes; errors are ignored."""
    with suppress(OSError):
        private_folder(path.parent)
        with locked(path):
            manifests = change(read_manifests(path).values())
            text = json.dumps({"made_by": _made_by(), "plugins": [asdict(manifest) for manifest in manifests]})
            replace_file(path, text.encode())
