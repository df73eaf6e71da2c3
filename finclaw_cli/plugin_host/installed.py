"""Which plugins are installed, read from their metadata alone: nothing is imported."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from finclaw_cli.core.errors import UsageError
from finclaw_cli.plugin_host.entry_points import (
    FILE,
    EntryPoint,
    entry_points,
    hidden_entry_points,
    info_folders,
    parsed,
)
from finclaw_cli.plugin_host.module_files import CACHE, files_at, imported_beside, location_of, module_names

GROUP = "finclaw"
EXTENDING = "finclaw_"
"""How the groups begin by which plugins extend one another."""


@dataclass(frozen=True, kw_only=True)
class InstalledPlugin:
    """One entry point of the group `finclaw`."""

    dist: str
    """The distribution, as it is written on the package index."""
    version: str
    entry_point: EntryPoint

    @property
    def key(self) -> str:
        return f"{self.dist}/{self.entry_point.name}"

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever what is installed changes: the version, the RECORD, the sources of an editable install."""
        facts = [self.version, self.entry_point.value, _stamp(self.entry_point.info / "RECORD")]
        if self._editable:
            location = self.location
            facts += [f"{path} {_stamp(path)}" for path in files_at(location)] if location is not None else []
        return "\n".join(facts)

    @cached_property
    def location(self) -> Path | None:
        """The package's folder, or the module's file, that an import of the entry point would find."""
        return location_of(self.entry_point.module)

    @cached_property
    def locations(self) -> tuple[Path | None, ...]:
        """The places of the modules that all entry points of the distribution name, whatever their group."""
        modules = dict.fromkeys(value.partition(":")[0].strip() for value in self.entry_point.all_values())
        return tuple(dict.fromkeys(map(location_of, modules)))

    def pinned_files(self) -> list[Path]:
        """The files that trust in the distribution is about: what is installed of it, in order.

        Raises:
            UsageError: an entry point names a module that the distribution does not install.
        """
        found = {path for path in self._recorded if CACHE not in path.parts}
        for location in self.locations:
            if location is None:
                raise self._foreign("a module that is not found")
            if any(_is_at(path, location) for path in self._recorded):
                found.update(files_at(location))
            elif self._project is not None and location.resolve().is_relative_to(self._project):
                found.update(imported_beside(location))
            else:
                raise self._foreign(f"{location}, which is not among its files")
        return sorted(found)

    def guarded_names(self, location: Path) -> frozenset[str]:
        """The names of modules that an editable install finds in its own folder, whether they are pinned or not."""
        return module_names(location.parent) if self._project is not None else frozenset()

    @cached_property
    def _recorded(self) -> tuple[Path, ...]:
        """The files that were installed, as the RECORD lists them."""
        import csv

        rows = csv.reader(self.entry_point.read("RECORD").splitlines())
        return tuple(self.entry_point.info.parent / row[0] for row in rows if row)

    @property
    def _project(self) -> Path | None:
        """The folder of the project of an editable install."""
        if not self._editable:
            return None
        url = urlsplit(str(self._origin.get("url", "")))
        return Path(unquote(url.path)).resolve() if url.scheme == "file" else None

    def _foreign(self, why: str) -> UsageError:
        return UsageError(
            f"{self.dist} cannot be trusted: an entry point of it names {why}",
            hint="Install the plugin again, with pip.",
            code="bad_plugin",
        )

    @cached_property
    def _origin(self) -> dict[str, Any]:
        try:
            origin = json.loads(self.entry_point.read("direct_url.json") or "{}")
        except ValueError:
            return {}
        return origin if isinstance(origin, dict) else {}

    @property
    def _editable(self) -> bool:
        info = self._origin.get("dir_info")
        return isinstance(info, dict) and bool(info.get("editable"))


def installed_plugins(group: str = GROUP) -> list[InstalledPlugin]:
    """All plugins of this environment, by name; of an entry point found twice, the one that would be imported.

    Other groups are those by which plugins extend one another.
    """
    found: dict[str, InstalledPlugin] = {}
    for entry_point in entry_points(group):
        dist, version = entry_point.about()
        plugin = InstalledPlugin(dist=dist, version=version, entry_point=entry_point)
        found.setdefault(plugin.key, plugin)
    return [found[key] for key in sorted(found)]


def hidden_plugins() -> list[str]:
    """What hides a plugin: another distribution of its name, earlier on the path of imports; a sentence for each."""
    return [
        f"{dist} {version} in {hidden.info.parent} is hidden by {used.name} in {used.parent}"
        for hidden, used in hidden_entry_points(GROUP)
        for dist, version in [hidden.about()]
    ]


def installed_extensions() -> list[InstalledPlugin]:
    """The entry points of all groups by which plugins extend one another."""
    groups = {group for info in _infos() for group, _, _ in parsed(EntryPoint(name="", value="", info=info).read(FILE))}
    return [plugin for group in sorted(groups) if group.startswith(EXTENDING) for plugin in installed_plugins(group)]


def _infos() -> Iterator[Path]:
    return (Path(info) for folder in dict.fromkeys(sys.path) for info in info_folders(folder))


def surroundings() -> str:
    """Changes whenever any distribution is installed, updated or removed."""
    import hashlib

    names = sorted(Path(info).name for folder in sys.path for info in info_folders(folder))
    return hashlib.sha256("\n".join(names).encode("utf-8", "surrogateescape")).hexdigest()


def _stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{status.st_mtime_ns} {status.st_size}"


def _is_at(path: Path, location: Path) -> bool:
    return path == location or location in path.parents
