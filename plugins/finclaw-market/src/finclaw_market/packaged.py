"""The price data of installed packages, loaded once per process."""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from threading import Lock

from finclaw_cli.sdk import extensions
from finclaw_market.datasets import GROUP, Packaged

# Tools of one turn run in several threads; the first one loads, and copies are made one at a time.
_LOCK = Lock()


def packaged() -> tuple[Packaged, ...]:
    """The price data of all installed packages, by distribution."""
    with _LOCK:
        return _loaded()


def copy_of(store: sqlite3.Connection) -> sqlite3.Connection:
    """A copy for one reader: SQLite may be built so that threads must not share a connection."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    with _LOCK:
        store.backup(copy)
    return copy


def forget() -> None:
    """Load everything anew at the next question."""
    _loaded.cache_clear()


@lru_cache(maxsize=1)
def _loaded() -> tuple[Packaged, ...]:
    found = sorted(extensions(GROUP), key=lambda extension: (extension.dist, extension.name))
    if not found:
        return ()
    from finclaw_market.packaged_store import load  # with all that imports files

    return tuple(load(extension) for extension in found)
