"""Which plugins are installed, read from their metadata alone: nothing is imported."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from finclaw_cli.discovery.entry_points import EntryPoint, entry_points, info_folders

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
            facts += [f"{path} {stamp}" for path, stamp in _sources(self.entry_point.module)]
        return "\n".join(facts)

    def files(self) -> list[Path]:
        """The files that were installed, as the RECORD lists them."""
        import csv

        rows = csv.reader(self.entry_point.read("RECORD").splitlines())
        return [self.entry_point.info.parent / row[0] for row in rows if row]

    def module_files(self) -> list[Path]:
        """The sources of the module that the entry point names, found without importing it."""
        return [Path(path) for path, _ in _sources(self.entry_point.module)]

    @property
    def _editable(self) -> bool:
        try:
            origin = json.loads(self.entry_point.read("direct_url.json") or "{}")
        except ValueError:
            return True
        return bool(origin.get("dir_info", {}).get("editable"))


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


def _sources(module: str) -> Iterator[tuple[str, int]]:
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return
    if spec is None or spec.origin is None:
        return
    origin = Path(spec.origin)
    files = sorted(origin.parent.rglob("*.py")) if spec.submodule_search_locations else [origin]
    for path in files:
        yield str(path), path.stat().st_mtime_ns
