"""Ledgers and `os.fork()`: SQLite's notes of who has locked what are copied, the locks are not.

Through them parent and child would write at once, and lose rows. So connections are closed before a process is forked;
either side opens its own with its next row. (A report that is being read in another thread is not waited for.)
"""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Closed(Protocol):
    """What has a file open that must be closed while a process is forked."""

    def halt(self) -> None:
        """Close it, and let nobody open it again; must not raise."""

    def go_on(self) -> None:
        """Let it be opened again, in either process."""


_all: WeakSet[Closed] = WeakSet()
_halted: list[Closed] = []


def closed_while_forking(one: Closed) -> None:
    """Have it closed before each fork, for as long as it lives."""
    _all.add(one)


def _before() -> None:
    for one in tuple(_all):
        one.halt()
        _halted.append(one)


def _after() -> None:
    while _halted:
        _halted.pop().go_on()


os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
