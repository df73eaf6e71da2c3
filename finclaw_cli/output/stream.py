"""stdout reserved for finclaw's own output: one write a line, in order, without loss."""

from __future__ import annotations

import asyncio
import errno
import os
import select
import stat
import sys
from collections import deque
from collections.abc import Callable

from finclaw_cli.core.own_threads import in_own_thread

# A ready pipe accepts this much without blocking (POSIX guarantees 512, Linux 4,096).
READY_BYTES = 4_096 if sys.platform == "linux" else 512
# The size of a pipe: a writer that is further ahead of the reader waits.
MOST_BEHIND = 64 * 1024


def take_stdout() -> int:
    """Return a duplicate of stdout's descriptor and point descriptor 1 at stderr.

    From then on a `print` in a plugin, a C library or a child process cannot corrupt the output.
    """
    private = os.dup(1)
    os.dup2(2, 1)
    return private


def print_to(private: int) -> None:
    """Make `print` and `echo` write to the descriptor that `take_stdout` returned."""
    sys.stdout = open(private, "w", encoding=sys.stdout.encoding, errors=sys.stdout.errors, closefd=False)  # noqa: SIM115 - lives as long as the process


class OutputStream:
    """Writes whole lines to a descriptor without blocking the event loop for long.

    While the reader keeps up, each line is written at once. Lines for a slow reader are queued and written by a thread,
    in order, so that signals are still handled. A failed write is reported once to `on_failed`, and all later lines are
    dropped.
    """

    def __init__(self, fd: int, on_failed: Callable[[OSError], None]) -> None:
        self._fd = fd
        self._on_failed = on_failed
        self._is_terminal = os.isatty(fd)
        self._never_blocks = stat.S_ISREG(os.fstat(fd).st_mode)
        self._poll = select.poll()
        self._poll.register(fd, select.POLLOUT)
        self._behind: deque[bytes] = deque()
        self._put_bytes = 0
        """The bytes queued so far. The event loop alone increases this, the thread the next one."""
        self._taken_bytes = 0
        self._catching_up: asyncio.Future[OSError | None] | None = None
        self._watch: select.epoll | None = None
        self.failure: OSError | None = None

    async def write(self, line: bytes) -> None:
        """Write one line; return when it is written, or has failed."""
        self.put(line)
        await self.drained()

    def put(self, line: bytes) -> bool:
        """Write one line now if the reader keeps up, else queue it.

        Return False where the queue is so long that the caller should wait for `drained`.
        """
        if self.failure is not None:
            return True
        if self._catching_up is None and (self._never_blocks or (len(line) <= READY_BYTES and self._poll.poll(0))):
            if (error := self._write_all(line)) is not None:
                self.fail(error)
            return True
        return self._put_behind(line)

    async def drained(self) -> None:
        """Wait until all lines are written, or have failed."""
        while (catching_up := self._catching_up) is not None:
            if catching_up.done():
                # Its callback has not run yet, and waiting for a finished future would not let it run.
                self._caught_up(catching_up)
            else:
                # The wait can be cancelled, but not the thread, which may be within a line.
                await asyncio.shield(catching_up)

    def watch_reader(self) -> None:
        """Detect a reader that closes the pipe even while there is nothing to write (Linux; elsewhere at a write)."""
        if self._never_blocks or not hasattr(select, "epoll"):
            return
        self._watch = select.epoll()
        try:
            self._watch.register(self._fd, 0)  # errors and hang-ups are always reported
        except OSError:  # a device without support for epoll
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

    def _put_behind(self, line: bytes) -> bool:
        self._behind.append(line)
        self._put_bytes += len(line)
        if self._catching_up is None:
            self._begin_to_catch_up()
        return self._put_bytes - self._taken_bytes <= MOST_BEHIND

    def _begin_to_catch_up(self) -> None:
        self._catching_up = in_own_thread(self._catch_up)
        self._catching_up.add_done_callback(self._caught_up)

    def _catch_up(self) -> OSError | None:
        """In a thread: write the queued lines until there are none left."""
        while waiting := len(self._behind):
            lines = b"".join(self._behind.popleft() for _ in range(waiting))
            if (error := self._write_all(lines)) is not None:
                return error
            self._taken_bytes += len(lines)
        return None

    def _caught_up(self, done: asyncio.Future[OSError | None]) -> None:
        if done is not self._catching_up:
            return  # handled before
        self._catching_up = None
        if (error := done.result()) is not None:
            self._behind.clear()
            self.fail(error)
        elif self._behind:  # queued just after the thread found no more lines
            self._begin_to_catch_up()

    def _write_all(self, data: bytes) -> OSError | None:
        try:
            left = data[os.write(self._fd, data) :]
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError as error:
            return error
        return None

    def fail(self, error: OSError) -> None:
        """Report, once, that the descriptor cannot be written any more."""
        if self.failure is None:
            self.failure = error
            self._on_failed(error)
