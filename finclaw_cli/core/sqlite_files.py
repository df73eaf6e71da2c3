"""SQLite files in finclaw's data folder: which may be opened, and under which address."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Literal

Mode = Literal["ro", "rw"]


class IrregularFile(OSError):
    """A directory, a link, a FIFO or a device is in the place of a file; it is not opened, since that may block."""


def has_content(path: Path, *, follow_links: bool = False) -> bool:
    """Whether there is a regular file that is not empty.

    Raises:
        IrregularFile: it is no regular file.
        OSError: it cannot be examined.
    """
    try:
        status = path.stat(follow_symlinks=follow_links)
    except FileNotFoundError:
        if path.is_symlink():
            raise IrregularFile("a link that leads nowhere") from None
        return False
    if not stat.S_ISREG(status.st_mode):
        kinds = {stat.S_IFDIR: "a directory", stat.S_IFLNK: "a link"}
        raise IrregularFile(kinds.get(stat.S_IFMT(status.st_mode), "no regular file"))
    return status.st_size > 0


def make_private(path: Path) -> None:
    """Close a file to other users, where it is this user's; one that a link leads to stays as it is."""
    with suppress(PermissionError):
        if not path.is_symlink() and path.stat().st_mode & 0o077:
            path.chmod(0o600)


def address(path: Path, mode: Mode) -> str:
    """SQLite's URI of a file, which it does not create.

    SQLite reads a file with a write-ahead log only where it can write beside it. Where that is not allowed and there is
    no log, there is no writer either, and the file is read as immutable.
    """
    target = path.resolve()
    has_log = target.with_name(f"{target.name}-wal").exists()
    is_writable = os.access(target.parent, os.W_OK) and os.access(target, os.W_OK)
    return f"{target.as_uri()}?mode={mode}" + ("&immutable=1" if mode == "ro" and not (has_log or is_writable) else "")


def connect(path: Path, mode: Mode, timeout_s: float, *, check_same_thread: bool = True) -> sqlite3.Connection:
    """Open an existing file without implicit transactions; locks are waited for until `timeout_s`.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    return sqlite3.connect(
        address(path, mode), uri=True, timeout=timeout_s, isolation_level=None, check_same_thread=check_same_thread
    )
