"""Walking through folders: each is opened relative to the one above, and no link is ever followed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from finclaw_cli.sdk.files import FOLDER, Found, Parts, Root

SKIPPED_FOLDERS = frozenset({".git", "node_modules", ".venv"})
_MAX_DEPTH = 64
_MAX_ENTRIES = 500_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder that is open as long as the walk stands there."""

    folder: int
    parts: Parts
    is_folder: bool

    @property
    def name(self) -> str:
        return self.parts[-1]


@dataclass
class Walk:
    """A walk below one folder, in the order of names. It ends early when it takes too long, and sets `stopped`."""

    root: Root
    until: float
    """When to stop, by `time.monotonic`."""
    enter: Callable[[Parts], bool] = field(default=lambda parts: True)  # noqa: ARG005 - enter everything
    skipped: frozenset[str] = SKIPPED_FOLDERS
    stopped: bool = False
    _seen: int = 0

    def entries(self, top: Found) -> Iterator[Entry]:
        """Everything below an open folder."""
        if len(top.parts) > _MAX_DEPTH or self._over():
            self.stopped = True
            return
        for name, is_folder in self._names(top):
            if self._over():
                return
            entry = Entry(top.fd, (*top.parts, name), is_folder)
            if self.root.hides(entry.parts) or (is_folder and name in self.skipped):
                continue
            yield entry
            if is_folder and self.enter(entry.parts):
                yield from self._inside(entry)

    def _inside(self, entry: Entry) -> Iterator[Entry]:
        with suppress(OSError):  # unreadable, gone, or become a link: there is nothing in it for us
            fd = os.open(entry.name, FOLDER | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=entry.folder)
            try:
                yield from self.entries(Found(fd, entry.parts))
            finally:
                os.close(fd)

    def _names(self, top: Found) -> list[tuple[str, bool]]:
        names: list[tuple[str, bool]] = []
        with os.scandir(top.fd) as listed:
            for item in listed:
                self._seen += 1
                if self._over():
                    break
                names.append((item.name, item.is_dir(follow_symlinks=False)))
        return sorted(names)

    def _over(self) -> bool:
        if self._seen > _MAX_ENTRIES or time.monotonic() > self.until:
            self.stopped = True
        return self.stopped
