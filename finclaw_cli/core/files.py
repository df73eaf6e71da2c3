"""Files that only their owner can read, and reading files that may be anything."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

CHUNK_BYTES = 1024 * 1024


def private_folder(path: Path) -> Path:
    """Make a folder, and every missing one above it, that only its owner can enter; return it.

    `mkdir(parents=True)` would leave those above open to everybody.

    Raises:
        OSError: it cannot be made, or something else stands in its place.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(20, "not a folder", str(path))
    return path


@contextmanager
def written_aside(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A private file beside `path`, to be written and then put where it belongs; gone again if it was not.

    Raises:
        OSError: it cannot be made, or not be written.
    """
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".finclaw-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file, Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def replace_file(path: Path, content: bytes) -> None:
    """Put a private file with this content in the place of whatever is there: whole, or not at all.

    Raises:
        OSError: that cannot be done; what was there is as it was.
    """
    with written_aside(path) as (file, part):
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        part.replace(path)


def regular_chunks(path: Path, limit: int) -> Iterator[bytes]:
    """The first `limit` bytes of a regular file, in pieces.

    Anything else is not opened: a FIFO would block, and opening a device can have an effect.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    _require_regular(path.stat(), path)
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _require_regular(os.fstat(fd), path)  # it may have been replaced
        while limit > 0 and (data := os.read(fd, min(limit, CHUNK_BYTES))):
            yield data
            limit -= len(data)
    finally:
        os.close(fd)


def read_regular(path: Path, limit: int) -> bytes:
    """The first `limit` bytes of a regular file.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    return b"".join(regular_chunks(path, limit))


def _require_regular(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
