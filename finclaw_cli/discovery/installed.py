"""Which plugins are installed, read from their metadata alone: nothing is imported."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "finclaw"
INFO_SUFFIXES = (".dist-info", ".egg-info")


@dataclass(frozen=True, kw_only=True)
class InstalledPlugin:
    """One entry point of the group `finclaw`."""

    dist: str
    """The distribution, as it is written on the package index."""
    version: str
    entry_point: EntryPoint
    distribution: Distribution

    @property
    def key(self) -> str:
        return f"{self.dist}/{self.entry_point.name}"

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever what is installed changes: the version, the RECORD, the sources of an editable install."""
        digest = hashlib.sha256()
        digest.update(f"{self.version}\n{self.entry_point.value}\n".encode())
        digest.update((self.distribution.read_text("RECORD") or "").encode())
        if self._editable:
            for path, stamp in _sources(self.entry_point.module):
                digest.update(f"{path} {stamp}\n".encode())
        return digest.hexdigest()

    def module_files(self) -> list[Path]:
        """The sources of the module that the entry point names, found without importing it."""
        return [Path(path) for path, _ in _sources(self.entry_point.module)]

    @property
    def _editable(self) -> bool:
        try:
            origin = json.loads(self.distribution.read_text("direct_url.json") or "{}")
        except ValueError:
            return True
        return bool(origin.get("dir_info", {}).get("editable"))


def installed_plugins() -> list[InstalledPlugin]:
    """All plugins of this environment, by name; of an entry point found twice, the one that would be imported."""
    found: dict[str, InstalledPlugin] = {}
    for entry_point in entry_points(group=GROUP):
        distribution = entry_point.dist
        if distribution is None:
            continue
        plugin = InstalledPlugin(
            dist=distribution.name or entry_point.name,
            version=distribution.version,
            entry_point=entry_point,
            distribution=distribution,
        )
        found.setdefault(plugin.key, plugin)
    return [found[key] for key in sorted(found)]


def surroundings() -> str:
    """Changes whenever any distribution is installed, updated or removed."""
    folders = [Path(folder) for folder in sys.path if Path(folder).is_dir()]
    names = sorted(item.name for folder in folders for item in folder.iterdir() if item.suffix in INFO_SUFFIXES)
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


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
