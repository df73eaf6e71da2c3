"""Which plugins the user trusts, and as what: a version, and what its files said at the time.

A plugin that was changed since is one that nobody trusts yet. An installed package can run code anyway; what trust
decides is whether its tools may run unasked, and whether its hooks take part in a run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from finclaw_cli.core.checked import checked
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import private_folder, replace_file
from finclaw_cli.core.record import record
from finclaw_cli.discovery.installed import InstalledPlugin

Standing = Literal["first-party", "trusted", "changed", "untrusted"]
# Distributions that finclaw's own authors publish; they come with the same consent as finclaw itself.
FIRST_PARTY = frozenset(
    {
        "finclaw-analytics",
        "finclaw-demo",
        "finclaw-filings",
        "finclaw-ledger",
        "finclaw-market",
        "finclaw-paper",
        "finclaw-workspace",
    }
)
FORMAT = 1


@record(kw_only=True)
class _Pin:
    version: str
    sha256: str
    at: str
    """When, as ISO 8601."""


@record(kw_only=True)
class _Pins:
    format: int = FORMAT
    plugins: dict[str, _Pin] = field(default_factory=dict)


class TrustStore:
    """The pins in one file; a file that cannot be read is a file in which nobody is trusted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pins = _read(path)

    def standing(self, plugin: InstalledPlugin) -> Standing:
        """How far a plugin is trusted, as it is installed now."""
        if plugin.dist in FIRST_PARTY:
            return "first-party"
        pin = self._pins.plugins.get(plugin.dist)
        if pin is None:
            return "untrusted"
        return "trusted" if (pin.version, pin.sha256) == (plugin.version, contents(plugin)) else "changed"

    def grant(self, plugin: InstalledPlugin) -> None:
        """Trust the plugin as it is installed now.

        Raises:
            UsageError: the decision cannot be written down.
        """
        pin = _Pin(version=plugin.version, sha256=contents(plugin), at=datetime.now(UTC).isoformat())
        self._write({**self._pins.plugins, plugin.dist: pin})

    def revoke(self, dist: str) -> bool:
        """Trust a distribution no longer; whether it was trusted.

        Raises:
            UsageError: the decision cannot be written down.
        """
        if dist not in self._pins.plugins:
            return False
        self._write({name: pin for name, pin in self._pins.plugins.items() if name != dist})
        return True

    def _write(self, plugins: dict[str, _Pin]) -> None:
        pins = _Pins(plugins=plugins)
        try:
            private_folder(self._path.parent)
            replace_file(self._path, f"{json.dumps(asdict(pins), indent=2)}\n".encode())
        except OSError as error:
            raise UsageError(f"{self._path}: cannot be written: {error.strerror}", code="bad_file") from error
        self._pins = pins


def _read(path: Path) -> _Pins:
    try:
        pins = checked(_Pins, json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return _Pins()
    return pins if pins.format == FORMAT else _Pins()


def contents(plugin: InstalledPlugin) -> str:
    """A digest of what is installed: the RECORD, every file in it, and the sources of the plugin's module."""
    import hashlib  # takes longer to import than all plugins take to be listed

    digest = hashlib.sha256(f"{plugin.version}\n{plugin.entry_point.value}\n".encode())
    digest.update(plugin.entry_point.read("RECORD").encode("utf-8", "surrogateescape"))
    # As text: hundreds of files of each plugin are put in order at each start, and paths compare slowly.
    for name in sorted({str(path) for path in _files(plugin)}, key=_parts):
        digest.update(f"\n{_parts(name)[-1]} ".encode())
        digest.update(_digest(name))
    return digest.hexdigest()


def _files(plugin: InstalledPlugin) -> Iterator[Path]:
    yield from plugin.files()
    yield from plugin.module_files()


def _parts(name: str) -> list[str]:
    return name.split("/")


def _digest(name: str) -> bytes:
    import hashlib

    if name.endswith(".pyc"):
        return b"compiled"  # written at the first import, and checked against its source by Python
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - a path takes longer to make than most files take to read
            return hashlib.sha256(file.read()).digest()
    except OSError:
        return b"missing"
