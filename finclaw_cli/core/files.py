"""Files that only their owner can read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


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
