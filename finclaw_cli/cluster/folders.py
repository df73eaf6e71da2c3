"""The folder of a worker: the sessions that it writes are there while their items run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.core.files import private_folder
from finclaw_cli.core.held_locks import held_lock, release_lock

FOLDER = "cluster"
_LOCK = ".lock"


@contextmanager
def worker_folder(home: Path, worker: str) -> Iterator[Path]:
    """A folder of this worker's own, removed in the end; those of dead workers are removed first.

    Args:
        home: the data folder.
        worker: the id of this worker.
    """
    folders = home / FOLDER
    private_folder(home)
    private_folder(folders)
    for lock in folders.glob(f"*{_LOCK}"):
        _remove_dead(lock)
    own, place = folders / worker, folders / f"{worker}{_LOCK}"
    held = held_lock(place)
    private_folder(own)
    try:
        yield own
    finally:
        shutil.rmtree(own, ignore_errors=True)
        place.unlink(missing_ok=True)
        if held is not None:
            release_lock(held)


def _remove_dead(lock: Path) -> None:
    held = held_lock(lock)
    if held is not None:  # no process has it
        shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
        lock.unlink(missing_ok=True)
        release_lock(held)
