"""Which plugins are installed, read from their metadata alone: nothing is imported."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from finclaw_cli.core.errors import UsageError
from finclaw_cli.plugin_host.distribution import Distribution
from finclaw_cli.plugin_host.entry_points import (
    EntryPoint,
    all_info_folders,
    distributions,
    hidden_entry_points,
    points_of,
)
from finclaw_cli.plugin_host.module_files import location_of, names_at
from finclaw_cli.plugin_host.pins import Pins, pins_of

GROUP = "finclaw"
EXTENDING = "finclaw_"
"""How the groups begin by which plugins extend one another."""
MAX_PLUGINS = 20
"""Of a distribution: each is imported in a process of its own to be listed."""


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

    @property
    def distribution(self) -> Distribution:
        return self.entry_point.distribution

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever what is installed changes: the version, the RECORD, the sources of an editable install.

        Raises:
            UsageError: the distribution is damaged.
        """
        facts = [self.version, self.entry_point.value, self.distribution.record_stamp]
        if self.distribution.project is not None and self.location is not None:
            facts += [f"{path} {_stamp(path)}" for path in names_at(self.location)]
        return "\n".join(facts)

    @cached_property
    def fault(self) -> UsageError | None:
        """Why the distribution cannot be used, if it cannot."""
        try:
            _ = self.fingerprint
        except UsageError as error:
            return error
        return None

    @cached_property
    def location(self) -> Path | None:
        """The package's folder, or the module's file, that an import of the entry point would find."""
        return location_of(self.entry_point.module)

    @cached_property
    def pins(self) -> Pins:
        """The files that trust in the distribution covers, as they are at the first use of this property.

        Raises:
            UsageError: the distribution cannot be trusted.
        """
        return pins_of(self.distribution)


def installed_plugins(group: str = GROUP) -> list[InstalledPlugin]:
    """All plugins of this environment, by name; of an entry point found twice, the one that would be imported.

    Other groups are those by which plugins extend one another. A distribution that is damaged is left out.
    """
    found: dict[str, InstalledPlugin] = {}
    for infos in distributions().values():
        with suppress(UsageError):
            for plugin in _plugins_of(infos[0], group):
                found.setdefault(plugin.key, plugin)
    return [found[key] for key in sorted(found)]


def hidden_plugins() -> list[str]:
    """What hides a plugin: another distribution of its name, earlier on the path of imports; a sentence for each."""
    found: list[str] = []
    for hidden, used in hidden_entry_points(GROUP):
        with suppress(UsageError):
            dist, version = hidden.distribution.about
            folder = hidden.distribution.folder.parent
            found.append(f"{dist} {version} in {folder} is hidden by {used.name} in {used.parent}")
    return found


def damaged() -> dict[str, UsageError]:
    """The distributions that are left out because their metadata cannot be used, by normalised names."""
    found: dict[str, UsageError] = {}
    for name, infos in distributions().items():
        if fault := _fault_of(infos[0]):
            found[name] = fault
    return found


def installed_version(name: str) -> str | None:
    """The version of an installed distribution by its normalised name; None where there is none that can be read."""
    with suppress(UsageError, KeyError):
        return distributions()[name][0].about[1]
    return None


def installed_extensions() -> list[InstalledPlugin]:
    """The entry points of all groups by which plugins extend one another."""
    groups: set[str] = set()
    for infos in distributions().values():
        with suppress(UsageError):
            groups.update(group for group, _, _ in infos[0].entry_points(EXTENDING) if group.startswith(EXTENDING))
    return [plugin for group in sorted(groups) for plugin in installed_plugins(group)]


def surroundings() -> str:
    """Changes whenever any distribution is installed, updated or removed."""
    import hashlib

    names = sorted(Path(info).name for info in all_info_folders())
    return hashlib.sha256("\n".join(names).encode("utf-8", "surrogateescape")).hexdigest()


def _fault_of(distribution: Distribution) -> UsageError | None:
    try:
        groups = {group for group, _, _ in distribution.entry_points(GROUP)}
        extending = (group for group in groups if group.startswith(EXTENDING))
        first_of_each = [next(_plugins_of(distribution, group)) for group in extending]
        plugins = [*_plugins_of(distribution, GROUP), *first_of_each]
    except UsageError as error:
        return error
    return next((plugin.fault for plugin in plugins if plugin.fault), None)


def _plugins_of(distribution: Distribution, group: str) -> Iterator[InstalledPlugin]:
    points = points_of(distribution, group)
    if group == GROUP and len(points) > MAX_PLUGINS:
        raise distribution.unusable(f"it has {len(points):,} entry points of the group {group}; at most {MAX_PLUGINS}")
    for point in points:
        dist, version = distribution.about
        yield InstalledPlugin(dist=dist, version=version, entry_point=point)


def _stamp(path: str) -> str:
    try:
        status = os.stat(path)  # noqa: PTH116 - of each file, at every start
    except OSError:
        return ""
    return f"{status.st_mtime_ns} {status.st_size}"
