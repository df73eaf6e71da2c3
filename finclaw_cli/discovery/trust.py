"""Which plugins the user trusts, and as what: a version, and what its files said at the time.

A plugin that was changed since is one that nobody trusts yet. An installed package can run code anyway; what trust
decides is whether its tools may run unasked, and whether its hooks take part in a run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import private_folder, replace_file
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


class _Pin(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str
    sha256: str
    at: datetime


class _Pins(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: Literal[1] = 1
    plugins: dict[str, _Pin] = {}


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
        pin = _Pin(version=plugin.version, sha256=contents(plugin), at=datetime.now(UTC))
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
            replace_file(self._path, f"{pins.model_dump_json(indent=2)}\n".encode())
        except OSError as error:
            raise UsageError(f"{self._path}: cannot be written: {error.strerror}", code="bad_file") from error
        self._pins = pins


def _read(path: Path) -> _Pins:
    try:
        return _Pins.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return _Pins()


def contents(plugin: InstalledPlugin) -> str:
    """A digest of what is installed: the RECORD, every file in it, and the sources of the plugin's module."""
    digest = hashlib.sha256(f"{plugin.version}\n{plugin.entry_point.value}\n".encode())
    digest.update((plugin.distribution.read_text("RECORD") or "").encode())
    for path in sorted(set(_files(plugin))):
        digest.update(f"\n{path.name} ".encode())
        digest.update(_digest(path))
    return digest.hexdigest()


def _files(plugin: InstalledPlugin) -> Iterator[Path]:
    for file in plugin.distribution.files or ():
        yield Path(str(file.locate()))
    yield from plugin.module_files()


def _digest(path: Path) -> bytes:
    if path.suffix == ".pyc":
        return b"compiled"  # written at the first import, and checked against its source by Python
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return b"missing"
