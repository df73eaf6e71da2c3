"""Importing a plugin from the bytes that were pinned, and from nothing else.

A file may be replaced between its check and its import, and Python would run the bytecode that is beside a source
without reading the source. So what is executed is what was compared with the pin: a source is compiled from the bytes
that were read, its bytecode is kept in a private folder by the digest of the source, and an extension module is loaded
from a private copy. A module of the plugin that is in none of the pinned files is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from finclaw_cli.plugin_host.pinned_loaders import pinned_loader
from finclaw_cli.plugin_host.pins import Pins


class PinnedFinder(MetaPathFinder):
    """Finds the modules of one plugin as the other finders do, but only in its pinned files."""

    def __init__(self, pins: Pins, private: Path) -> None:
        self.pins = pins
        self._private = private
        self._names = frozenset[str]().union(*pins.guarded.values())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in self._names:
            return None
        spec = _found(fullname, path, target)
        if spec is None or spec.origin is None:  # nothing, or a folder without code of its own
            return spec
        pins = _pins_of(spec.origin)
        if pins is None:
            self._require_elsewhere(spec)
            return spec
        spec.loader = pinned_loader(spec.name, spec.origin, pins, self._private)
        spec.cached = None
        return spec

    def _require_elsewhere(self, spec: ModuleSpec) -> None:
        """Refuse a module that is beside the plugin's, or part of one of its packages, and is not pinned.

        Raises:
            ImportError: it is.
        """
        top, origin = spec.name.partition(".")[0], Path(spec.origin or "")
        beside = (folder for folder, names in self.pins.guarded.items() if top in names)
        if "." in spec.name or any(origin.is_relative_to(folder) for folder in beside):
            raise ImportError(f"{spec.origin} is not among the files of the plugin that are trusted", name=spec.name)


def _found(fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    """What finders find that pin nothing."""
    others = (finder for finder in sys.meta_path if not isinstance(finder, PinnedFinder))
    specs = (finder.find_spec(fullname, path, target) for finder in others)
    return next((spec for spec in specs if spec is not None), None)


def _pins_of(path: str) -> Pins | None:
    """The pins that a file is in, of any plugin: several may share a namespace package."""
    finders = (finder for finder in sys.meta_path if isinstance(finder, PinnedFinder))
    return next((finder.pins for finder in finders if path in finder.pins.digests), None)


def pin_imports(pins: Pins, private: Path) -> None:
    """From here on import the modules of a distribution from the files that were pinned, and no others.

    Args:
        pins: what was read of the distribution when its trust was judged.
        private: where compiled modules and copies of libraries are kept; a folder that only the user can write.
    """
    if not any(isinstance(finder, PinnedFinder) and finder.pins is pins for finder in sys.meta_path):
        sys.meta_path.insert(0, PinnedFinder(pins, private))
