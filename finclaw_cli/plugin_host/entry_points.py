"""Entry points of installed distributions, read from their folders, as importlib.metadata takes longer to import.

A distribution is a folder `NAME-VERSION.dist-info` (or `.egg-info`) on the path of imports, its entry points are in
its `entry_points.txt` (https://packaging.python.org/en/latest/specifications/entry-points/). Of a distribution found
twice, the first counts, as for imports. One whose metadata cannot be read is left out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.distribution import Distribution

_SUFFIXES = (".dist-info", ".egg-info")


@record(kw_only=True)
class EntryPoint:
    """One line `name = module:attribute`, and the distribution whose line it is."""

    name: str
    value: str
    distribution: Distribution

    @property
    def module(self) -> str:
        return self.value.partition(":")[0].strip()

    def load(self) -> Any:
        """Import its object."""
        return loaded(self.value)


def loaded(value: str) -> Any:
    """Import `module:attribute`, or `module`."""
    module, _, attributes = value.partition("[")[0].strip().partition(":")
    found: Any = import_module(module.strip())
    for attribute in filter(None, attributes.strip().split(".")):
        found = getattr(found, attribute)
    return found


def entry_points(group: str) -> Iterator[EntryPoint]:
    """All entry points of a group, in the order of the path of imports."""
    for found in distributions().values():
        with suppress(UsageError):
            yield from points_of(found[0], group)


def points_of(distribution: Distribution, group: str) -> list[EntryPoint]:
    """The entry points of a distribution in one group.

    Raises:
        UsageError: they cannot be read.
    """
    return [
        EntryPoint(name=name, value=value, distribution=distribution)
        for section, name, value in distribution.entry_points(group)
        if section == group
    ]


def hidden_entry_points(group: str) -> Iterator[tuple[EntryPoint, Path]]:
    """Entry points that do not count, as a distribution of the same name is earlier on the path, with its folder."""
    for first, *others in distributions().values():
        with suppress(UsageError):
            used = {(found.name, found.value) for found in points_of(first, group)} if others else set()
            for other in others:
                yield from ((it, first.folder) for it in points_of(other, group) if (it.name, it.value) not in used)


def distributions() -> dict[str, list[Distribution]]:
    """All installed distributions by normalised names, each in the order of the path of imports."""
    found: dict[str, list[Distribution]] = {}
    for info in all_info_folders():
        name = os.path.basename(info).rpartition(".")[0].partition("-")[0]  # noqa: PTH119 - of some hundred folders
        found.setdefault(dist_name(name), []).append(Distribution(info))
    return found


def all_info_folders() -> Iterator[str]:
    """The folders of the metadata of all distributions, in the order of the path of imports."""
    for folder in dict.fromkeys(sys.path):
        try:
            with os.scandir(folder or os.curdir) as entries:
                yield from sorted(entry.path for entry in entries if entry.name.endswith(_SUFFIXES))
        except OSError:  # a zip file, or nothing
            continue
