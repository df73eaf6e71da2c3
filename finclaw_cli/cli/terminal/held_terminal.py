"""The controlling terminal while a question is open: single keys without echo, restored after Ctrl-Z."""

from __future__ import annotations

import asyncio
import os
import signal
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from finclaw_cli.core.secrets import PROCESS

TERMINAL = "/dev/tty"
# A job that was continued in the background gets no signal when it moves to the foreground.
LOOK_AGAIN_S = 0.1


def _ignore() -> None:
    """Do nothing when the process is continued."""


class HeldTerminal:
    """Shows text and reads keys. Keeps what it showed: after a stop all of it is shown again."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._typed: asyncio.Queue[bytes] = asyncio.Queue()
        self._shown = bytearray()
        self._before = termios.tcgetattr(fd)
        tty.setcbreak(fd, termios.TCSAFLUSH)
        self._during = termios.tcgetattr(fd)
        self._return: asyncio.TimerHandle | None = None
        self.on_return: Callable[[], None] = _ignore
        """Called after a stop, when the question is on the screen again."""

    def listen(self) -> None:
        """Begin to watch for keys and stops."""
        self._loop.add_reader(self._fd, self._take)
        for number, step in ((signal.SIGTSTP, self._stop), (signal.SIGCONT, self._come_back)):
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._loop.add_signal_handler(number, step)

    def write(self, text: str) -> None:
        self.echo(PROCESS.mask(text).encode("utf-8", "replace"))

    def echo(self, typed: bytes) -> None:
        """Show bytes as they are."""
        self._shown += typed
        _write(self._fd, typed)

    async def read(self) -> bytes:
        """Return the next bytes that are typed; empty where the terminal is closed."""
        return await self._typed.get()

    def close(self) -> None:
        """Restore the terminal, unless it belongs to another job by now."""
        if self._return is not None:
            self._return.cancel()
        self._let_go()

    def _take(self) -> None:
        try:
            typed = os.read(self._fd, 1024)
        except OSError:
            typed = b""
        if not typed:
            self._loop.remove_reader(self._fd)
        self._typed.put_nowait(typed)

    def _let_go(self) -> None:
        self._loop.remove_reader(self._fd)
        for number in (signal.SIGTSTP, signal.SIGCONT):
            self._loop.remove_signal_handler(number)
        with suppress(OSError, termios.error):
            if is_ours(self._fd):
                termios.tcsetattr(self._fd, termios.TCSAFLUSH, self._before)

    def _stop(self) -> None:
        self._let_go()
        signal.raise_signal(signal.SIGTSTP)  # without a job control shell, this does nothing
        self._come_back()

    def _come_back(self) -> None:
        self._loop.remove_reader(self._fd)
        with suppress(OSError, termios.error):
            if not is_ours(self._fd):
                self._return = self._loop.call_later(LOOK_AGAIN_S, self._come_back)
                return
            termios.tcsetattr(self._fd, termios.TCSAFLUSH, self._during)
            _write(self._fd, bytes(self._shown))
        self.listen()
        self.on_return()


@contextmanager
def held_terminal() -> Iterator[HeldTerminal]:
    """The controlling terminal; discards earlier input.

    Raises:
        OSError: there is none, or this process is in the background.
    """
    fd = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY)
    try:
        if not is_ours(fd):
            raise OSError("in the background")
        held = HeldTerminal(fd)
        try:
            held.listen()
            yield held
        finally:
            held.close()
    except termios.error as error:
        raise OSError(*error.args) from error
    finally:
        os.close(fd)


def is_ours(fd: int) -> bool:
    """Whether this process is in the foreground of the terminal.

    Raises:
        OSError: the terminal is gone.
    """
    return os.tcgetpgrp(fd) == os.getpgrp()


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
