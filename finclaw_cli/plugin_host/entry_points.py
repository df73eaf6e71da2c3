"""Entry points of installed distributions, read from their folders: the standard library's way takes longer to import.

A distribution is a folder `NAME-VERSION.dist-info` (or `.egg-info`) on the path of imports, its entry points are in
its `entry_points.txt` (https://packaging.python.org/en/latest/specifications/entry-points/). Of a distribution found
twice, the first counts, as for imports.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from finclaw_cli.core.record import record

_SUFFIXES = (".dist-info", ".egg-info")
FILE = "entry_points.txt"
_METADATA = ("METADATA", "PKG-INFO")


@record(kw_only=True)
class EntryPoint:
    """One line `name = module:attribute`, and the folder that says so."""

    name: str
    value: str
    info: Path
    """The distribution's own folder."""

    @property
    def module(self) -> str:
        return self.value.partition(":")[0].strip()

    def load(self) -> Any:
        """Import what it names."""
        return loaded(self.value)

    def all_values(self) -> list[str]:
        """What all entry points of the distribution name, of whatever group."""
        return [value for _, _, value in parsed(self.read(FILE))]

    def read(self, name: str) -> str:
        """A file of the distribution's folder; empty where there is none."""
        try:
            return (self.info / name).read_text("utf-8", errors="surrogateescape")
        except OSError:
            return ""

    def about(self) -> tuple[str, str]:
        """The distribution's name, as it is written on the package index, and its version."""
        name, _, version = self.info.name.rpartition(".")[0].partition("-")
        for file in _METADATA:
            head = self.read(file).partition("\n\n")[0]
            if found := dict(re.findall(r"^(Name|Version):(.+)$", head, re.MULTILINE)):
                return found.get("Name", name).strip(), found.get("Version", version).strip()
        return name, version


def loaded(value: str) -> Any:
    """Import `module:attribute`, or `module`."""
    module, _, attributes = value.partition("[")[0].strip().partition(":")
    found: Any = import_module(module.strip())
    for attribute in filter(None, attributes.strip().split(".")):
        found = getattr(found, attribute)
    return found


def entry_points(group: str) -> Iterator[EntryPoint]:
    """All entry points of a group, in the order of the path of imports."""
    for infos in _by_name().values():
        yield from _offered(infos[0], group)


def hidden_entry_points(group: str) -> Iterator[tuple[EntryPoint, Path]]:
    """Entry points that do not count, as a distribution of the same name is earlier on the path, with its folder."""
    for infos in _by_name().values():
        used = {(found.name, found.value) for found in _offered(infos[0], group)}
        for info in infos[1:]:
            yield from ((it, Path(infos[0])) for it in _offered(info, group) if (it.name, it.value) not in used)


def _by_name() -> dict[str, list[str]]:
    """The folders of each distribution, in the order of the path of imports."""
    found: dict[str, list[str]] = {}
    for folder in dict.fromkeys(sys.path):
        for info in info_folders(folder):
            name = re.sub(r"[-_.]+", "-", Path(info).name.rpartition(".")[0].partition("-")[0]).lower()
            found.setdefault(name, []).append(info)
    return found


def info_folders(folder: str) -> list[str]:
    """The distributions that a folder on the path of imports has, by their own folders, in order."""
    try:
        with os.scandir(folder or os.curdir) as entries:
            return sorted(entry.path for entry in entries if entry.name.endswith(_SUFFIXES))
    except OSError:  # a zip file, or nothing
        return []


def _offered(info: str, group: str) -> Iterator[EntryPoint]:
    try:
        with open(f"{info}/{FILE}", "rb") as file:  # noqa: PTH123 - one of some hundred files
            content = file.read()
    except OSError:
        return
    if f"[{group}]".encode() not in content:
        return
    for section, name, value in parsed(content.decode("utf-8", "replace")):
        if section == group:
            yield EntryPoint(name=name, value=value, info=Path(info))


def parsed(text: str) -> Iterator[tuple[str, str, str]]:
    """The group, name and value of each entry point in the text of an `entry_points.txt`."""
    section = ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            section = stripped.strip("[]").strip()
        elif stripped and not stripped.startswith(("#", ";")):
            name, _, value = stripped.partition("=")
            yield section, name.strip(), value.strip()
