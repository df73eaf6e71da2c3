"""Importing a plugin from the files that were looked at, and from nothing else.

Python would run the bytecode that it finds beside a source without a look at the source: always where the bytecode says
that it is not to be checked, and else where a time and a size agree. So pinned files are compiled by finclaw, which
keeps the bytecode in a private folder; a module of the plugin that is in none of the pinned files is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from finclaw_cli.plugin_host.installed import InstalledPlugin


class PinnedFinder(MetaPathFinder):
    """Finds the modules of one plugin as the other finders do, but only in its pinned files."""

    def __init__(self, location: Path, files: Mapping[str, bytes], names: Iterable[str], bytecode: Path) -> None:
        self._root = location.parent
        self.files = files
        beneath = (Path(name).relative_to(self._root) for name in self.files if Path(name).is_relative_to(self._root))
        self._names = frozenset(names) | {path.parts[0].partition(".")[0] for path in beneath}
        self._bytecode = bytecode

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in self._names:
            return None
        spec = self._found(fullname, path, target)
        if spec is None or spec.origin is None:  # nothing, or a folder without code of its own
            return spec
        digest = _pinned_digest(spec.origin)
        if digest is None:
            self._require_elsewhere(spec)
            return spec
        if isinstance(spec.loader, SourceFileLoader):
            spec.loader = _FromSource(spec.loader.name, spec.loader.path, digest, self._bytecode)
            spec.cached = None
        return spec

    def _found(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        others = (finder for finder in sys.meta_path if not isinstance(finder, PinnedFinder))
        specs = (finder.find_spec(fullname, path, target) for finder in others)
        return next((spec for spec in specs if spec is not None), None)

    def _require_elsewhere(self, spec: ModuleSpec) -> None:
        """Refuse a module that is beside the plugin's, or part of one of its packages, and was not looked at.

        Raises:
            ImportError: it is.
        """
        if "." in spec.name or Path(spec.origin or "").is_relative_to(self._root):
            raise ImportError(f"{spec.origin} is not among the files of the plugin that are trusted", name=spec.name)


def _pinned_digest(path: str) -> bytes | None:
    """The digest of a file of any pinned plugin: several may share a namespace package, or have several modules."""
    finders = (finder for finder in sys.meta_path if isinstance(finder, PinnedFinder))
    return next((finder.files[path] for finder in finders if path in finder.files), None)


class _FromSource(SourceFileLoader):
    """Compiles a source that is as it was, and keeps the bytecode in a folder of finclaw's own."""

    def __init__(self, fullname: str, path: str, digest: bytes, bytecode: Path) -> None:
        super().__init__(fullname, path)
        self._digest = digest
        self._bytecode = str(bytecode)

    def get_data(self, path: str) -> bytes:
        data = super().get_data(path)
        if path == self.path and sha256(data).digest() != self._digest:
            raise ImportError(f"{path} was changed since the plugin was looked at", name=self.name)
        return data

    def get_code(self, fullname: str) -> CodeType | None:
        before, sys.pycache_prefix = sys.pycache_prefix, self._bytecode
        try:
            return super().get_code(fullname)
        finally:
            sys.pycache_prefix = before


def pin_imports(plugin: InstalledPlugin, bytecode: Path) -> None:
    """From here on import the modules of a distribution from the files that trust in it is about, and no others.

    Args:
        plugin: one of the distribution's entry points.
        bytecode: where compiled modules are kept; a folder that only the user can write.

    Raises:
        UsageError: an entry point names a module that the distribution does not install.
    """
    files = {str(path): _digest(path) for path in plugin.pinned_files()}
    for location in plugin.locations:
        if location is not None:
            sys.meta_path.insert(0, PinnedFinder(location, files, plugin.guarded_names(location), bytecode))


def _digest(path: Path) -> bytes:
    try:
        return sha256(path.read_bytes()).digest()
    except OSError:
        return b""
