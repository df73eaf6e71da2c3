"""What one running tool has started: its processes, theirs, and its threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from finclaw_cli.core.interruption import Interruption
from finclaw_cli.tools.processes.procfs import Process

# Threads that others keep for later, or that only wait for a process: they are no work that was left behind.
NOT_WORK = ("asyncio_", "waitpid-", "ThreadPoolExecutor-")


class CallEnded(Interruption):
    """The call for which this is done was ended; raised in what goes on regardless, in threads above all."""


class ProcessTree:
    """The processes and threads of one call.

    A process belongs to it that was seen to be started by it, that descends from one that does, or that was born into
    a group or session of one that does; it stays known when its parents are gone.
    """

    def __init__(self) -> None:
        self.home = os.getpid()
        self.threads: list[threading.Thread] = []
        self.ended = False
        """Nothing may be started for it any more."""
        self.is_over = False
        """The call has ended, however it did; what it left may still be there."""
        self.starts_seen = 0
        """How many starts of a process were seen."""
        self.uses_system = False
        """Whether it called `os.system`, which makes this process deaf to Ctrl-C while it waits."""
        self._starts: dict[int, int] = {}
        self._living: dict[int, Process] = {}
        self._adopted: set[int] = set()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """What is called or scheduled in this block is done for this call."""
        token = serving.set(self)
        try:
            yield
        finally:
            serving.reset(token)

    @property
    def is_here(self) -> bool:
        """Whether this is the process in which the call was made, and not one that it forked."""
        return self.home == os.getpid()

    @property
    def has_started(self) -> bool:
        """Whether it may have processes at all."""
        return bool(self.starts_seen or self._starts)

    @property
    def has_lost(self) -> bool:
        """Whether processes of it have ended, and may have left orphans."""
        return max(self.starts_seen, len(self._starts)) > len(self.living())

    def take(self, process: Process, *, own_child: bool) -> None:
        """A process turned out to belong here; `own_child`: code in our process may wait for its end."""
        if self._starts.get(process.pid) != process.start:
            self._starts[process.pid] = process.start
            if not own_child:
                self._adopted.add(process.pid)
        self._living[process.pid] = process

    def knows(self, process: Process) -> bool:
        """Whether it belongs here, as far as is known from what was seen before."""
        if self._starts.get(process.pid) == process.start:
            return True
        relatives = {process.session, process.parent} | ({process.group} - {os.getpgrp()})
        return any(self._starts.get(pid, process.start + 1) <= process.start for pid in relatives)

    def living(self) -> list[Process]:
        """Its processes that are still there, of those seen so far."""
        for process in list(self._living.values()):
            if not process.is_alive:
                del self._living[process.pid]
                self._bury(process.pid)
        return list(self._living.values())

    def working_threads(self) -> list[threading.Thread]:
        """Its threads that go on."""
        return [thread for thread in self.threads if thread.is_alive() and not thread.name.startswith(NOT_WORK)]

    def _bury(self, pid: int) -> None:
        """Take note of the end of a process that came to us as an orphan: no other code does, and none waits for it."""
        if pid in self._adopted:
            self._adopted.discard(pid)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


serving: ContextVar[ProcessTree | None] = ContextVar("finclaw_serving", default=None)
"""The call for which something is done."""
