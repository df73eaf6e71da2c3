"""Imports of finclaw's own plugins by one another: what one of them imports of another is trusted as well, or refused.

finclaw-paper, for one, imports finclaw-market. What is found under that name can be another distribution's, or have
been changed by one. So the first import of such a package is judged as a plugin is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.plugin_host.first_party import is_in_checkout, released_digests
from finclaw_cli.plugin_host.installed import InstalledPlugin, installed_plugins
from finclaw_cli.plugin_host.module_files import location_of
from finclaw_cli.plugin_host.trust import TRUSTED, TrustStore


class FirstPartyFinder(MetaPathFinder):
    """Judges the packages of finclaw's own plugins, each when it is imported first; finds nothing by itself."""

    def __init__(self, trust: TrustStore, private: Path) -> None:
        self._trust = trust
        self._private = private
        self._waiting = {name.replace("-", "_"): name for name in released_digests()}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        dist = self._waiting.pop(fullname, None)
        if dist is None:
            return None
        try:
            self._admit(fullname, dist)
        except ImportError:
            self._waiting[fullname] = dist
            raise
        if sys.meta_path[0] is self:
            return None
        return sys.meta_path[0].find_spec(fullname, path, target)  # of the pins, which came while this was asked

    def leave_out(self, plugin: InstalledPlugin) -> None:
        """Do not judge a plugin again that was judged before it is imported."""
        self._waiting.pop(dist_name(plugin.dist).replace("-", "_"), None)

    def _admit(self, name: str, dist: str) -> None:
        """Pin a package that is trusted; one of the checkout is imported as it is.

        Raises:
            ImportError: it is not trusted, or belongs to no such plugin.
        """
        location = location_of(name)
        if location is None or is_in_checkout(dist, location):
            return  # of one that is missing, the import fails
        plugin = next((found for found in installed_plugins() if dist_name(found.dist) == dist), None)
        if plugin is None or self._trust.standing(plugin) not in TRUSTED:
            raise ImportError(
                f"the package {name} is not that of {dist} as it was released with finclaw: install it again, or "
                f"trust it (finclaw plugins trust {dist})",
                name=name,
            )
        from finclaw_cli.plugin_host.pinned_import import pin_imports

        pin_imports(plugin.pins, self._private)


def prepare_import(plugin: InstalledPlugin, trust: TrustStore, private: Path) -> None:
    """Have a plugin that may be imported come from the files by which that was judged, and what it imports as well.

    Args:
        plugin: trusted, or approved for one call.
        trust: which distributions the user trusts.
        private: where compiled modules and copies of libraries are kept; a folder that only the user can write.
    """
    finder = next((known for known in sys.meta_path if isinstance(known, FirstPartyFinder)), None)
    if finder is None:
        finder = FirstPartyFinder(trust, private)
        sys.meta_path.insert(0, finder)
    finder.leave_out(plugin)
    if trust.standing(plugin) != "first-party" or not is_in_checkout(dist_name(plugin.dist), plugin.location):
        from finclaw_cli.plugin_host.pinned_import import pin_imports

        pin_imports(plugin.pins, private)
