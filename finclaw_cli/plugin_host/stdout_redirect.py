"""Keeping what a plugin prints while it is imported away from stdout, at the level of descriptors."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from finclaw_cli.core.environment import environment


class _Redirection:
    """Descriptor 1 pointed at stderr while at least one thread wants it: the first redirects, the last restores."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._kept = -1

    def begin(self) -> None:
        with self._lock:
            if self._users == 0:
                self._kept = _redirected()
            self._users += 1

    def end(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._kept >= 0:
                sys.stdout.flush()
                os.dup2(self._kept, 1)
                os.close(self._kept)


_redirection = _Redirection()


@contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Point descriptor 1 at stderr for a while, so that no `print`, C library or child reaches stdout.

    Threads may do so at the same time. In a process of another program, whose threads write to stdout meanwhile,
    nothing is changed.
    """
    if not environment().owns_process:
        yield
        return
    _redirection.begin()
    try:
        yield
    finally:
        _redirection.end()


def _redirected() -> int:
    """Redirect; a duplicate of what descriptor 1 was, or -1 where it is closed and there is nothing to protect."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:
        return -1
    os.dup2(2, 1)
    return kept
