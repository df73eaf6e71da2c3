"""stdout as a private, exact pipe: one write a line, nothing lost, nobody else on it."""

from __future__ import annotations

import asyncio
import errno
import os
import select
import stat
import sys
from collections.abc import Callable
from functools import partial

# A pipe that is ready takes this much at once without blocking (POSIX guarantees 512, Linux gives 4,096).
READY_BYTES = 4_096 if sys.platform == "linux" else 512


def take_stdout() -> int:
    """Keep stdout's descriptor for ourselves and point descriptor 1 at stderr.

    From here on a `print` in a plugin, a C library or a child process cannot break what we write.
    """
    private = os.dup(1)
    os.dup2(2, 1)
    return private


class OutputStream:
    """Writes whole lines to a descriptor without ever blocking the event loop for long.

    A reader that is slow is waited for (in a thread, so that signals still arrive); a write that fails is reported
    once to `on_failed`, and everything after it is dropped.
    """

    def __init__(self, fd: int, on_failed: Callable[[OSError], None]) -> None:
        self._fd = fd
        self._on_failed = on_failed
        self._is_terminal = os.isatty(fd)
        self._never_blocks = stat.S_ISREG(os.fstat(fd).st_mode)
        self._poll = select.poll()
        self._poll.register(fd, select.POLLOUT)
        self._order = asyncio.Lock()
        self._watch: select.epoll | None = None
        self.failure: OSError | None = None

    async def write(self, line: bytes) -> None:
        """Write one line; returns when the system has taken all of it, or it never will."""
        if self.failure is not None:
            return
        if not self._order.locked() and self._ready(len(line)):
            self._write_all(line)
            return
        # The thread cannot be stopped half-way through a line, so a cancelled writer still waits its turn out.
        await asyncio.shield(self._write_in_thread(line))

    def watch_reader(self) -> None:
        """Notice a reader that goes away even while there is nothing to write (Linux; elsewhere the next write)."""
        if self._never_blocks or not hasattr(select, "epoll"):
            return
        self._watch = select.epoll()
        try:
            self._watch.register(self._fd, 0)  # errors and hang-ups are always reported
        except OSError:  # a device that cannot be watched
            self._watch.close()
            self._watch = None
            return
        asyncio.get_running_loop().add_reader(self._watch.fileno(), self._reader_left)

    def unwatch(self) -> None:
        if self._watch is not None:
            asyncio.get_running_loop().remove_reader(self._watch.fileno())
            self._watch.close()
            self._watch = None

    def _reader_left(self) -> None:
        self.unwatch()
        if self._is_terminal:
            self.fail(OSError(errno.EIO, "the terminal hung up"))
        else:
            self.fail(BrokenPipeError(errno.EPIPE, "the reader of stdout went away"))

    def _ready(self, size: int) -> bool:
        return self._never_blocks or (size <= READY_BYTES and bool(self._poll.poll(0)))

    async def _write_in_thread(self, line: bytes) -> None:
        async with self._order:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(None, partial(self._write_all, line))

    def _write_all(self, line: bytes) -> None:
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            self.fail(error)

    def fail(self, error: OSError) -> None:
        """The descriptor takes nothing any more: told once, whoever noticed."""
        if self.failure is None:
            self.failure = error
            self._on_failed(error)
