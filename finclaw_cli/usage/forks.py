"""Ledgers and `os.fork()`: SQLite's notes of who has locked what are copied, the locks are not.

Through them parent and child would write at once, and lose rows. So connections are closed before a process is forked;
either side opens its own with its next row. (A report that is being read in another thread is not waited for.)

A tool's thread that forks may be ended by an exception at any moment: nothing is held that only it could give back.
"""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Closed(Protocol):
    """What has a file open that must be closed while a process is forked."""

    def halt(self) -> None:
        """Close it, and keep it closed for now."""

    def go_on(self) -> None:
        """Let it be opened again. May be called more than once."""

    def go_on_as_child(self) -> None:
        """The same in the new process, where no other thread lives on."""


_all: WeakSet[Closed] = WeakSet()


def closed_while_forking(one: Closed) -> None:
    """Have it closed before each fork, for as long as it lives."""
    _all.add(one)


def _before() -> None:
    for one in tuple(_all):
        one.halt()


def _after_in_parent() -> None:
    for one in tuple(_all):
        one.go_on()


def _after_in_child() -> None:
    for one in tuple(_all):
        one.go_on_as_child()


os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
