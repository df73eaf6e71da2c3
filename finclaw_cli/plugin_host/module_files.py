"""The files that importing a plugin can execute, found without importing it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.machinery import all_suffixes
from importlib.util import find_spec
from pathlib import Path

CACHE = "__pycache__"
_IMPORTED = re.compile(rb"\b(?:import|from|,)[ \t]*([A-Za-z_]\w*)")


def location_of(module: str) -> Path | None:
    """The folder of the top-level package that a module is in, or its file; None where it cannot be found."""
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    return Path(spec.origin) if spec.origin is not None else None


def files_at(location: Path) -> Iterator[Path]:
    """A file, or all files beneath a folder but Python's own bytecode caches, in order."""
    if location.is_file():
        yield location
        return
    for folder, inner, names in os.walk(location, followlinks=True):
        inner[:] = sorted(name for name in inner if name != CACHE)
        yield from (Path(folder, name) for name in sorted(names))


def imported_beside(location: Path) -> Iterator[Path]:
    """The files of the modules in the same folder that a module's sources import, directly or by one another."""
    seen, waiting = {location}, [location]
    while waiting:
        files = list(files_at(waiting.pop()))
        yield from files
        for name in _imported_names(files):
            found = [beside for beside in _modules_called(location.parent / name) if beside not in seen]
            seen.update(found)
            waiting.extend(found)


def module_names(folder: Path) -> frozenset[str]:
    """The names of all modules and packages that a folder on the path of imports may have."""
    with suppress(OSError):
        return frozenset(path.name.partition(".")[0] for path in folder.iterdir())
    return frozenset()


def _imported_names(files: Iterable[Path]) -> set[str]:
    """The top-level names of all modules that sources import, and perhaps of some more that are not modules."""
    names: set[str] = set()
    for path in files:
        if path.suffix == ".py":
            names.update(name.decode() for name in _IMPORTED.findall(path.read_bytes()))
    return names


def _modules_called(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield path
    yield from (file for file in (path.with_name(path.name + suffix) for suffix in all_suffixes()) if file.is_file())
