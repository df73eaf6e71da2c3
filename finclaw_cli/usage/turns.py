"""Turns to use a connection: one thread at a time, and none while a process is forked."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

# A fork takes milliseconds; who has waited as long is not waited for any more: its thread was ended.
LONGEST_FORK_S = 1.0


class Turns:
    """A lock that may be taken again by who has it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_open = threading.Event()
        self._is_open.set()

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Wait for one's turn."""
        deadline = time.monotonic() + LONGEST_FORK_S
        while True:
            self._is_open.wait(LONGEST_FORK_S)
            self._lock.acquire()
            if self._is_open.is_set() or time.monotonic() >= deadline:
                break
            self._lock.release()  # it was closed meanwhile
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def mine_at_once(self) -> Iterator[bool]:
        """Whether it is one's turn already, without waiting."""
        if not self._is_open.is_set() or not self._lock.acquire(blocking=False):
            yield False
            return
        try:
            yield True
        finally:
            self._lock.release()

    @contextmanager
    def the_last(self) -> Iterator[None]:
        """One more turn, after which there is none until `begin_again`."""
        with self._lock:
            yield
            self._is_open.clear()

    def begin_again(self) -> None:
        """Turns are given out again."""
        self._is_open.set()

    def begin_anew(self) -> None:
        """The same in a forked process: a thread with a turn there is not in it."""
        self._lock = threading.RLock()
        self._is_open.set()
