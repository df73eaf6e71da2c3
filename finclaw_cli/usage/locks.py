"""One process at a time, where SQLite's own locks are not enough: to make the file, and to empty its log.

SQLite before 3.51.3 can damage a database when two connections empty its log (checkpoint) at the same moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.usage.failures import still_kept


@contextmanager
def one_at_a_time(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock beside a ledger, which is free again when its holder dies; its file stays.

    Raises:
        LedgerBusy: another process held it all the while.
        OSError: the lock's file cannot be made.
    """
    import filelock

    name = path.with_name(f"{path.name}.lock")
    lock = filelock.FileLock(
        name, timeout=timeout_s, mode=0o600, thread_local=False, fallback_to_soft=False, preserve_lock_file=True
    )
    try:
        lock.acquire(poll_interval=0.01)
    except filelock.Timeout:
        raise still_kept(path, timeout_s) from None
    try:
        yield
    finally:
        lock.release()
