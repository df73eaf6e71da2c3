"""Keeping protected names read-only inside the sandbox, also those that do not exist yet.

A mount needs something to be mounted on. So where a protected name is absent, an empty placeholder stands in the
workspace while a command runs, and is taken away afterwards. Which ones are ours is written down in finclaw's
data, so that those of a process that was killed are taken away by the next.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from finclaw_cli.sdk import is_protected_name
from finclaw_cli.sdk.files import FOLDER, Found, Parts, Refused, Root, shown
from finclaw_workspace.walk import Entry, Walk

_PACKAGE_FOLDERS = frozenset({"node_modules", ".venv"})
_ALWAYS_FILES = frozenset({".finclaw.toml"})
_LOOK_S = 2.0
_MAX_MOUNTS = 300
_WAIT_S = 100.0
_PAUSE_S = 0.02


def present(root: Root, top: Found, extra: Sequence[Parts]) -> tuple[Parts, ...]:
    """What exists and is not to be changed: protected things, and files with a second name, at any depth.

    A file with a second name (a hard link) may lie outside as well. Of one that a package manager has linked into its
    folder, the whole folder is given.

    Raises:
        Refused: one of them is a link, which no mount can hold in its place, or there are too many.
    """
    found: dict[Parts, None] = {}
    walk = Walk(root, time.monotonic() + _LOOK_S, skipped=frozenset(),
                enter=lambda parts: parts not in found and not is_protected_name(parts[-1]))  # fmt: skip
    for entry in walk.entries(top):
        if is_protected_name(entry.name) or entry.parts in extra:
            _check_no_link(entry.folder, entry.parts)
            found[entry.parts] = None
        elif not entry.is_folder and _has_second_name(entry):
            found[_package_folder(entry.parts)] = None
    found |= dict.fromkeys(path for path in extra if _exists(top.fd, path))
    if len(found) > _MAX_MOUNTS:
        raise Refused("PROTECTED", f"more than {_MAX_MOUNTS} paths in the workspace are not to be changed: protected "
                      "ones, and files with a second name (hard links). Ask the user to set writable = false, or to "
                      "start finclaw in a smaller folder.")  # fmt: skip
    return tuple(found)


def _has_second_name(entry: Entry) -> bool:
    try:
        facts = os.stat(entry.name, dir_fd=entry.folder, follow_symlinks=False)
    except OSError:  # gone, and with it the name
        return False
    return stat.S_ISREG(facts.st_mode) and facts.st_nlink > 1


def _package_folder(parts: Parts) -> Parts:
    """The outermost folder of a package manager that a file lies in; else the file itself."""
    end = next((count for count, name in enumerate(parts, start=1) if name in _PACKAGE_FOLDERS), len(parts))
    return parts[:end]


def _check_no_link(folder: int, parts: Parts) -> None:
    if stat.S_ISLNK(os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode):
        raise Refused("PROTECTED", f"{shown(parts)} is a link, which the sandbox cannot keep in its place. Ask the "
                      "user to set writable = false, or to replace the link.")  # fmt: skip


def _exists(top: int, parts: Parts) -> bool:
    """Whether a further protected path exists; no component of it may be a link."""
    folder = os.dup(top)
    try:
        for count, name in enumerate(parts, start=1):
            _check_no_link(folder, parts[:count])
            if count < len(parts):
                deeper = os.open(name, FOLDER | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
                os.close(folder)
                folder = deeper
    except (FileNotFoundError, NotADirectoryError):
        return False
    finally:
        os.close(folder)
    return True


class Hold:
    """One command's hold on a workspace: no other command runs there meanwhile, and placeholders stand.

    One at a time, also across processes, because a command that runs could otherwise put a link where the next one's
    mounts are about to be made.
    """

    def __init__(self, top: int, workspace: str, home: Path, wanted: Sequence[Parts]) -> None:
        self._top = top
        self._wanted = wanted
        self._folder = home / "workspace-guards"
        self._key = hashlib.sha256(os.fsencode(workspace)).hexdigest()[:24]
        self._record = self._folder / f"{self._key}.json"
        self._lock = -1
        self.given_up = False
        """Set from outside when the hold is no longer waited for."""

    def enter(self) -> tuple[Parts, ...]:
        """Wait for other commands, then put a placeholder where something protected is absent; return their paths.

        Raises:
            Refused: another command does not end.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{self._key}.lock"
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            self._wait(lock)
            standing = self._complete()
        except BaseException:
            os.close(lock)
            raise
        self._lock = lock
        return standing

    def leave(self) -> None:
        """Take the placeholders away and let others in."""
        try:
            for parts, inode in self._written().items():
                if _inode(self._top, parts) == inode:
                    _remove(self._top, parts)
            self._record.unlink(missing_ok=True)
        finally:
            os.close(self._lock)

    def _wait(self, lock: int) -> None:
        until = time.monotonic() + _WAIT_S
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            if self.given_up or time.monotonic() > until:
                raise Refused("BUSY", "another command still runs in this workspace. Try again when it has ended.")
            time.sleep(_PAUSE_S)

    def _complete(self) -> tuple[Parts, ...]:
        ours = {parts: inode for parts, inode in self._written().items() if _inode(self._top, parts) == inode}
        for parts in self._wanted:
            place = _first_missing(self._top, parts)
            if place is not None and _make(self._top, place, as_file=place == parts and parts[-1] in _ALWAYS_FILES):
                ours[place] = _inode(self._top, place)
                self._write(ours)
        return tuple(ours)

    def _written(self) -> dict[Parts, int]:
        try:
            return {tuple(parts): inode for parts, inode in json.loads(self._record.read_text("utf-8"))}
        except (OSError, ValueError, TypeError):
            return {}

    def _write(self, ours: dict[Parts, int]) -> None:
        fresh = self._record.with_suffix(".new")
        fresh.write_text(json.dumps([[list(parts), inode] for parts, inode in ours.items()]), "utf-8")
        fresh.replace(self._record)


def _first_missing(top: int, parts: Parts) -> Parts | None:
    for count in range(1, len(parts) + 1):
        if _inode(top, parts[:count]) == 0:
            return parts[:count]
    return None


def _inode(top: int, parts: Parts) -> int:
    """The number of what lies there; 0 for nothing."""
    try:
        return os.stat("/".join(parts), dir_fd=top, follow_symlinks=False).st_ino
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _make(top: int, parts: Parts, *, as_file: bool) -> bool:
    """Make an empty thing; False where the user may not, and so neither may the command."""
    try:
        if as_file:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            os.close(os.open("/".join(parts), flags, 0o444, dir_fd=top))
        else:
            os.mkdir("/".join(parts), 0o755, dir_fd=top)
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            return False
        raise
    return True


def _remove(top: int, parts: Parts) -> None:
    """Remove a placeholder, unless it has content."""
    path = "/".join(parts)
    with suppress(OSError):
        facts = os.stat(path, dir_fd=top, follow_symlinks=False)
        if stat.S_ISDIR(facts.st_mode):
            os.rmdir(path, dir_fd=top)
        elif facts.st_size == 0:
            os.unlink(path, dir_fd=top)
