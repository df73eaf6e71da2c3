"""The files of all sessions, each with a number that changes with it: as they are, and as they were indexed.

The number is the time of a file's last change (ns) and its size, which grow together, less its inode: one is compared
faster than three, and what is appended within one tick of the file system's clock changes it. What was indexed is
stored as one row, since ten thousand take as long as a call of the system for each file.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG

from finclaw_cli.transcript.store import SUFFIX, is_text

Listing = dict[str, int]
"""Sessions by their names."""
_BETWEEN = "/"
"""Between two names; no file has it in its name."""


def present(folder: Path) -> Listing:
    """The sessions of a folder."""
    found = {}
    with suppress(OSError), _opened(folder) as place:
        for name in os.listdir(place):  # noqa: PTH208 - an open folder has no Path
            if not name.endswith(SUFFIX):
                continue
            try:
                status = os.stat(name, dir_fd=place)
            except OSError:  # it was removed meanwhile
                continue
            if S_ISREG(status.st_mode) and is_text(name):
                found[name.removesuffix(SUFFIX)] = number_of(status)
    return found


def number_of(status: os.stat_result) -> int:
    """The number of a file."""
    return status.st_mtime_ns + status.st_size - status.st_ino


def stored(connection: sqlite3.Connection) -> Listing:
    """The sessions that the index has, as they were when they were read."""
    names, numbers = connection.execute("SELECT names, numbers FROM listing").fetchone() or ("", b"")
    return dict(zip(names.split(_BETWEEN), array("q", numbers), strict=False)) if names else {}


def store(connection: sqlite3.Connection, listing: Mapping[str, int]) -> None:
    """Keep which sessions the index has, in the transaction in which they were written."""
    connection.execute("DELETE FROM listing")
    row = _BETWEEN.join(listing), array("q", listing.values()).tobytes()
    connection.execute("INSERT INTO listing VALUES (?, ?)", row)


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """An open folder: names in it are looked up faster than whole paths."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
