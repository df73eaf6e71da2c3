"""The metadata of one installed distribution: each file is read at most once, and up to a limit.

Such a file may be of any type. A failure to read it is an error of this distribution, not of the command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import read_regular

MAX_BYTES = 1_000_000
"""Of a file of metadata."""
MAX_RECORD_BYTES = 16_000_000
MAX_ENTRY_POINTS = 1_000
"""Of a distribution, of all groups."""
_ENTRY_POINTS = "entry_points.txt"
_ORIGIN = "direct_url.json"
_HEAD_BYTES = 64_000
"""Of the file with name and version, in which a description may follow."""
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,198}[A-Za-z0-9])?")
_MAX_VERSION_CHARS = 200


class Distribution:
    """One folder `NAME-VERSION.dist-info` or `.egg-info`; every method raises UsageError where it is damaged."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = folder

    @cached_property
    def folder(self) -> Path:
        return Path(self._folder)

    @cached_property
    def about(self) -> tuple[str, str]:
        """The name, as it is written on the package index, and the version."""
        name, _, version = self.folder.name.rpartition(".")[0].partition("-")
        for file in ("METADATA", "PKG-INFO"):
            if start := self._start(file, _HEAD_BYTES):
                head = start.decode("utf-8", "replace").partition("\n\n")[0]
                found = dict(re.findall(r"^(Name|Version):(.+)$", head, re.MULTILINE))
                name, version = found.get("Name", "").strip(), found.get("Version", version).strip()
                break
        else:
            file = "folder"
        if not _NAME.fullmatch(name) or not version.isprintable() or len(version) > _MAX_VERSION_CHARS:
            raise self.unusable(f"its {file} has no valid name and version")
        return name, version

    def entry_points(self, group: str = "") -> list[tuple[str, str, str]]:
        """The group, name and value of each entry point; none where there can be none of `group`."""
        return self._points if f"[{group}" in self._points_text else []

    @cached_property
    def record(self) -> str:
        """The text of the RECORD."""
        return self._text("RECORD", MAX_RECORD_BYTES)

    @cached_property
    def record_stamp(self) -> str:
        """The time and the size of the RECORD."""
        self._start("RECORD", 1)
        try:
            status = (self.folder / "RECORD").stat()
        except OSError:
            return ""
        if status.st_size > MAX_RECORD_BYTES:
            raise self.unusable(f"its RECORD has more than {MAX_RECORD_BYTES:,} bytes")
        return f"{status.st_mtime_ns} {status.st_size}"

    @cached_property
    def project(self) -> Path | None:
        """The folder of the project of an editable install; None for other installations."""
        text = self._text(_ORIGIN, MAX_BYTES)
        if not text:
            return None
        try:
            origin = json.loads(text)
            url = urlsplit(origin["url"])
            is_editable = bool(origin.get("dir_info", {}).get("editable"))
            return Path(unquote(url.path)).resolve() if is_editable and url.scheme == "file" else None
        except (ValueError, RuntimeError, AttributeError, LookupError, TypeError) as error:
            raise self.unusable(f"its {_ORIGIN} is not valid") from error

    def unusable(self, why: str) -> UsageError:
        """The error of a distribution that cannot be used."""
        name = dist_name(self.folder.name.rpartition(".")[0].partition("-")[0])
        return UsageError(
            f"{name} in {self.folder.parent} cannot be used: {why}",
            hint="Install it again with pip, or uninstall it.",
            code="bad_plugin",
        )

    @cached_property
    def _points_text(self) -> str:
        return self._text(_ENTRY_POINTS, MAX_BYTES)

    @cached_property
    def _points(self) -> list[tuple[str, str, str]]:
        found: list[tuple[str, str, str]] = []
        for section, name, value in _parsed(self._points_text):
            if not (name and value and f"{name}{value}".isprintable()):
                raise self.unusable(f"its {_ENTRY_POINTS} has a line that is no entry point: {name} = {value}"[:500])
            found.append((section, name, value))
            if len(found) > MAX_ENTRY_POINTS:
                raise self.unusable(f"its {_ENTRY_POINTS} has more than {MAX_ENTRY_POINTS:,} entry points")
        return found

    def _text(self, name: str, limit: int) -> str:
        """A whole file; empty where there is none."""
        content = self._start(name, limit + 1)
        if len(content) > limit:
            raise self.unusable(f"its {name} has more than {limit:,} bytes")
        return content.decode("utf-8", "surrogateescape")

    def _start(self, name: str, limit: int) -> bytes:
        """The first bytes of a file; none where there is no file."""
        try:
            return read_regular(self.folder / name, limit)
        except (FileNotFoundError, NotADirectoryError):
            return b""
        except OSError as error:
            raise self.unusable(f"its {name} cannot be read: {error.strerror}") from error


def _parsed(text: str) -> Iterator[tuple[str, str, str]]:
    """The group, name and value of each entry point in the text of an `entry_points.txt`."""
    section = ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            section = stripped.strip("[]").strip()
        elif section and stripped and not stripped.startswith(("#", ";")):
            name, _, value = stripped.partition("=")
            yield section, name.strip(), value.strip()
