"""finclaw's own plugins: recognised by what is installed, never by a name alone.

A plugin is finclaw's own if its module is in the checkout that finclaw itself runs from, or if its files are those that
were released with this finclaw. What each of them offers is known from the release, too, so that it is not imported to
be listed. The folder `release` is made by `.ci/generate.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import finclaw_cli
from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import read_regular
from finclaw_cli.plugin_host.installed import InstalledPlugin
from finclaw_cli.plugin_host.module_files import files_at

MAX_FILE_BYTES = 16 * 1024 * 1024
"""More than any file of the release has."""
RELEASE = Path(__file__).parent / "release"
DIGESTS = "digests.json"
ROOT = Path(finclaw_cli.__file__).resolve().parents[1]
"""Of the checkout, where finclaw is installed from one."""


def is_first_party(plugin: InstalledPlugin) -> bool:
    """Whether a plugin is finclaw's own, as it is installed now."""
    name = dist_name(plugin.dist)
    if name not in released_digests():
        return False
    return is_in_checkout(name, plugin.location) or _is_released(plugin, name)


def released_offers(plugin: InstalledPlugin) -> dict[str, Any] | None:
    """What a plugin offers, if its files are those of the release; else None."""
    name = dist_name(plugin.dist)
    if name not in released_digests() or not _is_released(plugin, name):
        return None
    offers = cast("dict[str, Any]", json.loads((RELEASE / f"{name}.json").read_text("utf-8")))
    return with_folder(offers, str(plugin.location))


def package_digest(location: Path, digest_of: Callable[[Path], bytes]) -> str:
    """A digest of a package's files, by their names in it; Python's bytecode caches are left out.

    Args:
        location: the folder of the package.
        digest_of: the SHA-256 of a file.

    Raises:
        UsageError: there are too many.
    """
    import hashlib

    digest = hashlib.sha256()
    for path in files_at(location):
        name = path.relative_to(location.parent).as_posix()
        digest.update(f"{name} {digest_of(path).hex()}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def file_digest(path: Path) -> bytes:
    """The SHA-256 of a file.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    import hashlib

    return hashlib.sha256(read_regular(path, MAX_FILE_BYTES)).digest()


def without_folder(offers: dict[str, Any], folder: str) -> dict[str, Any]:
    """What a plugin offers, with the folders of its skills relative to that of its package."""
    skills = [{**skill, "folder": str(Path(skill["folder"]).relative_to(folder))} for skill in offers["skills"]]
    return {**offers, "skills": skills}


def with_folder(offers: dict[str, Any], folder: str) -> dict[str, Any]:
    """The inverse of `without_folder`."""
    return {**offers, "skills": [{**skill, "folder": f"{folder}/{skill['folder']}"} for skill in offers["skills"]]}


@cache
def released_digests() -> dict[str, str]:
    """The digest of each of finclaw's own plugins, by the names of their distributions."""
    return cast("dict[str, str]", json.loads((RELEASE / DIGESTS).read_text("utf-8")))


def is_in_checkout(name: str, location: Path | None) -> bool:
    """Whether a package is imported from the checkout that finclaw itself is installed from.

    Args:
        name: the name of the plugin's distribution, normalised.
        location: the folder of the package.
    """
    folder = ROOT / "plugins" / name
    is_checkout = (ROOT / "pyproject.toml").is_file() and (folder / "pyproject.toml").is_file()
    if not is_checkout or ROOT.name in {"site-packages", "dist-packages"} or location is None:
        return False
    return location.resolve().is_relative_to(folder / "src")


def _is_released(plugin: InstalledPlugin, name: str) -> bool:
    location = plugin.location
    if location is None or not location.is_dir():
        return False
    try:
        # By what an import is compared with: the files are read once.
        return package_digest(location, lambda path: plugin.pins.digests[str(path)]) == released_digests()[name]
    except (OSError, UsageError, KeyError):  # a file of it is no file or not recorded, or there are too many
        return False
