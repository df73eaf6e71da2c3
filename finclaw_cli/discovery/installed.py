"""Which plugins are installed, read from their metadata alone: nothing is imported."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from finclaw_cli.core.errors import UsageError
from finclaw_cli.discovery.entry_points import EntryPoint, entry_points, info_folders
from finclaw_cli.discovery.module_files import CACHE, files_at, imported_beside, location_of, module_names

GROUP = "finclaw"


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

    def pinned_files(self) -> list[Path]:
        """The files that trust in the plugin is about: what is installed of it, in order.

        Raises:
            UsageError: its entry point names a module that it does not install.
        """
        location = self.location
        if location is None:
            raise self._foreign("which is not found")
        if any(_is_at(path, location) for path in self._recorded):
            kept = (path for path in self._recorded if CACHE not in path.parts)
            return sorted({*kept, *files_at(location)})
        project = self._project
        if project is None or not location.resolve().is_relative_to(project):
            raise self._foreign(f"which is at {location} and not among its files")
        return sorted(imported_beside(location))

    def guarded_names(self) -> frozenset[str]:
        """The names of modules that an editable install finds in its own folder, whether they are pinned or not."""
        is_own = self._project is not None and self.location is not None
        return module_names(self.location.parent) if is_own and self.location else frozenset()

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
            f"{self.dist} cannot be trusted: its entry point names the module {self.entry_point.module}, {why}",
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


def installed_plugins() -> list[InstalledPlugin]:
    """All plugins of this environment, by name; of an entry point found twice, the one that would be imported."""
    found: dict[str, InstalledPlugin] = {}
    for entry_point in entry_points(GROUP):
        dist, version = entry_point.about()
        plugin = InstalledPlugin(dist=dist, version=version, entry_point=entry_point)
        found.setdefault(plugin.key, plugin)
    return [found[key] for key in sorted(found)]


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
