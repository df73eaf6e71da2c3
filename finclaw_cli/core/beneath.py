"""Reading a file that must lie inside a folder, however it is named and whatever links lie about."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class NotBeneath(Exception):
    """There is no such file inside the folder, or it is none that is read."""


def read_beneath(folder: Path, name: str, limit: int) -> bytes:
    """A regular file's first `limit` bytes, opened one component at a time; no link is followed.

    Raises:
        NotBeneath: the name leads outside, through a link, or to something that is no file.
    """
    parts = Path(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise NotBeneath(f"{name!r} is not a path inside the folder")
    opened = [_open(os.fspath(folder), os.O_DIRECTORY, None)]
    try:
        for part in parts[:-1]:
            opened.append(_open(part, os.O_DIRECTORY | os.O_NOFOLLOW, opened[-1]))
        opened.append(_open(parts[-1], os.O_NOFOLLOW | os.O_NONBLOCK, opened[-1]))
        if not stat.S_ISREG(os.fstat(opened[-1]).st_mode):
            raise NotBeneath(f"{name!r} is no regular file")
        return _read(opened[-1], limit)
    finally:
        for fd in opened:
            os.close(fd)


def _open(name: str, flags: int, within: int | None) -> int:
    try:
        return os.open(name, os.O_RDONLY | os.O_CLOEXEC | flags, dir_fd=within)
    except OSError as error:
        raise NotBeneath(f"{name!r}: {error.strerror}") from error


def _read(fd: int, limit: int) -> bytes:
    parts: list[bytes] = []
    while limit > 0 and (data := os.read(fd, min(limit, 65_536))):
        parts.append(data)
        limit -= len(data)
    return b"".join(parts)
