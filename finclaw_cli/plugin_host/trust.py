"""Which plugins the user trusts, and as what: a version, the place of its module, and the contents of its files.

A plugin that was changed since is not trusted. An installed package can run code anyway, by a `.pth` file; trust
decides whether finclaw imports it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Literal

from finclaw_cli.core.checked import checked
from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.file_locks import locked
from finclaw_cli.core.files import private_folder, read_regular, replace_file
from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.first_party import is_first_party
from finclaw_cli.plugin_host.installed import InstalledPlugin

Standing = Literal["first-party", "trusted", "changed", "untrusted"]
Restriction = Literal["policy rules", "guards"]
TRUSTED: frozenset[Standing] = frozenset({"first-party", "trusted"})
TRUST = "trust.json"
"""The file in finclaw's data folder."""
FORMAT = 1
_FileState = tuple[int, int, int]
MAX_BYTES = 10_000_000


@record(kw_only=True)
class _Pin:
    version: str
    sha256: str
    at: str
    """When, as ISO 8601."""
    restrictions: tuple[Restriction, ...] = ()
    """What of the plugin restricts runs, as far as it is known."""


@record(kw_only=True)
class _Pins:
    format: int = FORMAT
    plugins: dict[str, _Pin] = field(default_factory=dict)


class TrustStore:
    """The pins in one file.

    A file that is there and cannot be read stops the command that needs it: without the pins, the rules and hooks of
    trusted plugins would silently take no part, and the next decision would write a file without the others.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pins_state: _FileState | None = None

    @cached_property
    def _pins(self) -> dict[str, _Pin]:
        self._pins_state = _state(self._path)
        return _read(self._path)

    def standing(self, plugin: InstalledPlugin) -> Standing:
        """How far a plugin is trusted, as it is installed now.

        Raises:
            UsageError: the file cannot be read.
        """
        if is_first_party(plugin):
            return "first-party"
        pin = self._pins.get(dist_name(plugin.dist))
        if pin is None:
            return "untrusted"
        return "trusted" if (pin.version, pin.sha256) == (plugin.version, _contents_now(plugin)) else "changed"

    def has_pin(self, dist: str) -> bool:
        """Whether a distribution is trusted in some version, by the file as it is now.

        Raises:
            UsageError: the file cannot be read.
        """
        state = _state(self._path)
        if state != self._pins_state:
            self.__dict__.pop("_pins", None)
        return dist_name(dist) in self._pins

    def grant(self, plugin: InstalledPlugin) -> None:
        """Trust the plugin as it is installed now.

        Raises:
            UsageError: the file cannot be read, the decision cannot be written down, or the plugin's files cannot be
                pinned.
        """
        pin = _Pin(version=plugin.version, sha256=plugin.pins.sha256, at=datetime.now(UTC).isoformat())
        with self._changing() as pins:
            pins[dist_name(plugin.dist)] = pin

    def restrictions(self) -> dict[str, tuple[Restriction, ...]]:
        """What of each trusted distribution restricts runs, by normalised names.

        Raises:
            UsageError: the file cannot be read.
        """
        return {name: pin.restrictions for name, pin in self._pins.items() if pin.restrictions}

    def record_restrictions(self, dist: str, restrictions: tuple[Restriction, ...]) -> None:
        """Store what of a trusted distribution restricts runs.

        Raises:
            UsageError: the file cannot be read, or cannot be written.
        """
        with self._changing() as pins:
            if dist_name(dist) in pins:
                pins[dist_name(dist)] = replace(pins[dist_name(dist)], restrictions=restrictions)

    def revoke(self, dist: str) -> bool:
        """Trust a distribution no longer; whether it was trusted.

        Raises:
            UsageError: the file cannot be read, or the decision cannot be written down.
        """
        with self._changing() as pins:
            return pins.pop(dist_name(dist), None) is not None

    @contextmanager
    def _changing(self) -> Iterator[dict[str, _Pin]]:
        """The pins as they are now, which no other process changes until they are written."""
        try:
            private_folder(self._path.parent)
            with locked(self._path):
                pins = _read(self._path)
                before = dict(pins)
                yield pins
                if pins != before:
                    replace_file(self._path, f"{json.dumps(asdict(_Pins(plugins=pins)), indent=2)}\n".encode())
        except TimeoutError:
            raise UsageError(f"{self._path}: another process is changing it", code="bad_file") from None
        except OSError as error:
            raise UsageError(f"{self._path}: cannot be written: {error.strerror}", code="bad_file") from error
        self.__dict__.pop("_pins", None)


def _read(path: Path) -> dict[str, _Pin]:
    """The pins in a file, by normalised names; none where there is no file.

    Raises:
        UsageError: it cannot be read, or is not what finclaw writes.
    """
    try:
        content = read_regular(path, MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            raise _unreadable(path, "the link leads nowhere") from error
        return {}
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    if len(content) > MAX_BYTES:
        raise _unreadable(path, f"it has more than {MAX_BYTES:,} bytes")
    try:
        pins = checked(_Pins, json.loads(content))
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, "it is damaged") from error
    if pins.format != FORMAT:
        raise _unreadable(path, f"it was written by another version of finclaw (format {pins.format})")
    return {dist_name(name): pin for name, pin in pins.plugins.items()}


def _state(path: Path) -> _FileState | None:
    """What changes with the contents of a file; None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _unreadable(path: Path, why: str) -> UsageError:
    return UsageError(
        f"{path}: which plugins are trusted cannot be read: {why}",
        hint="Repair the file, or move it away and trust your plugins again: finclaw plugins trust DIST.",
        code="bad_file",
    )


def _contents_now(plugin: InstalledPlugin) -> str | None:
    """The digest of what an import of the plugin can execute; None where the plugin is one that cannot be trusted."""
    try:
        return plugin.pins.sha256
    except UsageError:
        return None


def untrusted(dist: str) -> UsageError:
    """Why code of a distribution does not run: the user has not trusted it, or it was changed since."""
    return UsageError(
        f"{dist} is not trusted, so its code does not run",
        hint=f"Trust it as it is installed now: finclaw plugins trust {dist}",
        code="untrusted_plugin",
    )
