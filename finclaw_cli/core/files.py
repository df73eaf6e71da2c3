"""Files that only their owner can read."""

from __future__ import annotations

from pathlib import Path


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
