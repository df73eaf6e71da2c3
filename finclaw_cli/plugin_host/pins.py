"""The files that trust in a distribution covers, found and read without importing anything.

Each is read once: the digest of all, by which trust is judged, and the digest of each, with which an import is
compared, come from the same reading.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from finclaw_cli.core.files import regular_chunks
from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.distribution import Distribution
from finclaw_cli.plugin_host.module_files import CACHE, MAX_FILES, files_at, imported_beside, location_of, module_names

MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_BYTES = 1024 * 1024 * 1024
"""Of all files together."""
MISSING = b"missing"
_PACKAGES = frozenset({"site-packages", "dist-packages"})
_DEPTH = 3
"""Of a folder of packages in its environment: `lib/python3.x/site-packages`."""


@record(kw_only=True)
class Pins:
    """What was read of a distribution."""

    digests: Mapping[str, bytes]
    """The SHA-256 of each file by its path; `MISSING` where the RECORD names a file that is not there."""
    guarded: Mapping[str, frozenset[str]]
    """Folders of its modules, and the names of those that are imported from there only if they are pinned."""
    sha256: str
    """The digest of all: the version, the places of the modules, the RECORD, and every file."""


def pins_of(distribution: Distribution) -> Pins:
    """Read the files of a distribution.

    Raises:
        UsageError: it cannot be trusted: a file of it lies elsewhere, is no regular file or too large, or an entry
            point names a module that it does not install.
    """
    values = [value for _, _, value in distribution.entry_points()]
    modules = dict.fromkeys(value.partition(":")[0].strip() for value in values)
    locations = list(dict.fromkeys(map(location_of, modules)))
    recorded = list(_recorded(distribution))
    files = {*recorded, *(path for location in locations for path in _at(location, recorded, distribution))}
    digests = _digests(sorted(files), distribution)
    return Pins(
        digests=digests,
        guarded=_guarded(distribution, [location for location in locations if location is not None], files),
        sha256=_together(distribution, [*values, *locations], digests),
    )


def _recorded(distribution: Distribution) -> Iterator[Path]:
    """The files that the RECORD lists, but for those that no import finds: scripts, manual pages, other data."""
    import csv

    root = distribution.folder.parent
    try:
        rows = [row[0] for row in csv.reader(distribution.record.splitlines()) if row]
    except csv.Error as error:
        raise distribution.unusable(f"its RECORD cannot be read: {error}") from error
    if len(rows) > MAX_FILES:
        raise distribution.unusable(f"its RECORD has more than {MAX_FILES:,} rows")
    for row in rows:
        name = os.path.normpath(row)
        if "\0" in name or _is_elsewhere(name, root):
            raise distribution.unusable(f"its RECORD has the row {row!r}, which is no path in {_prefix(root)}")
        path = root / name if not name.startswith("..") else Path(os.path.normpath(root / name))
        if CACHE not in path.parts and (path.is_relative_to(root) or _is_importable(path, _prefix(root))):
            yield path


def _is_elsewhere(name: str, root: Path) -> bool:
    """Whether a row leads out of the environment to something that exists: pip keeps rows of files that it moves."""
    path = os.path.normpath(root / name)
    return not Path(path).is_relative_to(_prefix(root)) and os.path.lexists(path)


def _is_importable(path: Path, prefix: Path) -> bool:
    """Whether a file beside a folder of packages is where modules are, and not scripts, manual pages or other data."""
    return path.is_relative_to(prefix) and path.relative_to(prefix).parts[0].startswith("lib")


def _prefix(root: Path) -> Path:
    """The folder of the environment that a folder of packages belongs to."""
    is_of_environment = root.name in _PACKAGES and len(root.parents) > _DEPTH
    return Path(os.path.normpath(root.parents[_DEPTH - 1] if is_of_environment else root))


def _at(location: Path | None, recorded: list[Path], distribution: Distribution) -> Iterator[Path]:
    """The files of the module at a place, if the distribution has installed it."""
    if location is None:
        raise distribution.unusable("an entry point of it names a module that is not found")
    project = distribution.project
    if any(path == location or location in path.parents for path in recorded):
        yield from files_at(location)
    elif project is not None and location.resolve().is_relative_to(project):
        yield from imported_beside(location)
    else:
        raise distribution.unusable(f"an entry point of it names {location}, which is not among its files")


def _digests(files: list[Path], distribution: Distribution) -> dict[str, bytes]:
    """The digest of each file.

    Raises:
        UsageError: one leads elsewhere, is no regular file or too large, or all together are.
    """
    root = distribution.folder.parent
    installation = {_prefix(root).resolve(), root.resolve(), distribution.folder.resolve().parent, distribution.project}
    real_folder = cache(os.path.realpath)
    found: dict[str, bytes] = {}
    size = 0
    for path in files:
        real = Path(os.path.realpath(path) if path.is_symlink() else f"{real_folder(path.parent)}/{path.name}")
        if not any(folder is not None and real.is_relative_to(folder) for folder in installation):
            raise distribution.unusable(f"{path} leads to {real}, which is not in its installation")
        found[str(path)], read = _digest(path, distribution)
        size += read
        if size > MAX_BYTES:
            raise distribution.unusable(f"its files have more than {MAX_BYTES:,} bytes")
    return found


def _digest(path: Path, distribution: Distribution) -> tuple[bytes, int]:
    """The digest of a file and its size."""
    import hashlib  # takes longer to import than all plugins take to be listed

    digest, size = hashlib.sha256(), 0
    try:
        for chunk in regular_chunks(path, MAX_FILE_BYTES + 1):
            digest.update(chunk)
            size += len(chunk)
    except (FileNotFoundError, NotADirectoryError):
        return MISSING, 0
    except OSError as error:
        raise distribution.unusable(f"{path} cannot be read: {error.strerror}") from error
    if size > MAX_FILE_BYTES:
        raise distribution.unusable(f"{path} has more than {MAX_FILE_BYTES:,} bytes")
    return digest.digest(), size


def _together(distribution: Distribution, places: list[object], digests: Mapping[str, bytes]) -> str:
    import hashlib

    head = "\n".join([distribution.about[1], *map(str, places)])
    digest = hashlib.sha256(f"{head}\n{distribution.record}".encode("utf-8", "surrogateescape"))
    for path, of_file in digests.items():
        digest.update(f"\n{path} ".encode("utf-8", "surrogateescape"))
        digest.update(of_file)
    return digest.hexdigest()


def _guarded(distribution: Distribution, locations: list[Path], files: set[Path]) -> dict[str, frozenset[str]]:
    """The folders of the modules, with the names of those that are pinned; in an editable install with all names."""
    root = distribution.folder.parent
    outside = (path for path in files if root not in path.parents)
    beside = {folder for path in outside for folder in path.parents if folder.name in _PACKAGES}
    folders = {*(location.parent for location in locations), *beside}
    return {str(folder): _names(folder, files, is_editable=distribution.project is not None) for folder in folders}


def _names(folder: Path, files: set[Path], *, is_editable: bool) -> frozenset[str]:
    beneath = (path.relative_to(folder).parts[0] for path in files if path.is_relative_to(folder))
    found = frozenset(name.partition(".")[0] for name in beneath)
    return found | module_names(folder) if is_editable else found
