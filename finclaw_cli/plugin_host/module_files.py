"""The files that importing a plugin can execute, found without importing it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import all_suffixes
from importlib.util import find_spec
from pathlib import Path

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import read_regular

CACHE = "__pycache__"
MAX_FILES = 50_000
MAX_SOURCE_BYTES = 64 * 1024 * 1024
"""Of the sources that are searched for imports."""
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
    """A file, or all files beneath a folder but Python's own bytecode caches, in order.

    A link to a folder, and a folder that cannot be listed, are given like files, and not followed.

    Raises:
        UsageError: there are too many.
    """
    return map(Path, names_at(location))


def names_at(location: Path) -> Iterator[str]:
    """The names of the same files, which every start of finclaw looks at.

    Raises:
        UsageError: there are too many.
    """
    if not location.is_dir():
        yield str(location)
        return
    waiting, count = [str(location)], 0
    while waiting:
        files, folders = _listed(waiting.pop())
        count += len(files) + len(folders)
        if count > MAX_FILES:
            raise _too_large(location)
        yield from files
        waiting.extend(reversed(folders))


def imported_beside(location: Path) -> Iterator[Path]:
    """The files of the modules in the same folder that a module's sources import, directly or by one another.

    Raises:
        UsageError: there are too many, or their sources are too large.
    """
    seen, waiting, there = {location}, [location], module_names(location.parent)
    count = size = 0
    while waiting:
        for path in files_at(waiting.pop()):
            yield path
            source = _source(path)
            count, size = count + 1, size + len(source)
            if count > MAX_FILES or size > MAX_SOURCE_BYTES:
                raise _too_large(location)
            names = _imported_names(source) & there
            found = [module for name in names for module in _modules_called(location.parent / name)]
            waiting.extend(module for module in found if module not in seen)
            seen.update(found)


def module_names(folder: Path) -> frozenset[str]:
    """The names of all modules and packages that a folder on the path of imports may have."""
    with suppress(OSError):
        return frozenset(path.name.partition(".")[0] for path in folder.iterdir())
    return frozenset()


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """The files and the folders in a folder, each in order."""
    files: list[str] = []
    folders: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name != CACHE:
                    (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.path)
    except OSError:
        return [folder], []
    return sorted(files), sorted(folders)


def _source(path: Path) -> bytes:
    with suppress(OSError):
        return read_regular(path, MAX_SOURCE_BYTES + 1) if path.suffix == ".py" else b""
    return b""


def _imported_names(source: bytes) -> set[str]:
    """The top-level names of all modules that a source imports, and perhaps of some more that are not modules."""
    return {name.decode() for name in _IMPORTED.findall(source)}


def _too_large(location: Path) -> UsageError:
    what = f"{MAX_FILES:,} files or {MAX_SOURCE_BYTES:,} bytes of sources"
    return UsageError(f"{location} cannot be used: it has more than {what}", code="bad_plugin")


def _modules_called(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield path
    yield from (file for file in (path.with_name(path.name + suffix) for suffix in all_suffixes()) if file.is_file())
