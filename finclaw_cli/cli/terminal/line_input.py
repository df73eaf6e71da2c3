"""Lines typed at a prompt, edited with readline where Python has it."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType

from finclaw_cli.cli.terminal.compose import Composer
from finclaw_cli.cli.terminal.input_history import InputHistory
from finclaw_cli.cli.terminal.signals import SignalHandling, SignalReceived
from finclaw_cli.core.json_text import well_formed
from finclaw_cli.engine.cancel import cancellation_by
from finclaw_cli.settings.paths import home

HISTORY = "history"
# Python's readline handles a signal that comes just before it waits for a key only after that key.
LOOK_UP_S = 0.2
# A terminal that was closed gives an error or an end of file, perhaps before the signal comes.
HUNG_UP = cancellation_by(signal.SIGHUP)


class Interrupted(Exception):
    """A Ctrl-C at the prompt; the typed text is discarded."""

    def __init__(self, *, nothing_typed: bool) -> None:
        super().__init__()
        self.nothing_typed = nothing_typed


class _Stopped(Exception):
    """Raised before and after a stop of the process."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class LineInput:
    """Reads messages from the terminal; `fd` is a duplicate of its descriptor."""

    def __init__(self, fd: int, signals: SignalHandling, *, keeps_history: bool) -> None:
        self._fd = fd
        self._signals = signals
        self._composer = Composer()
        self._readline = _readline()
        self._history = InputHistory(home() / HISTORY, keeps=keeps_history)
        entries = self._history.load()
        self._remembered = entries[-1] if entries else ""
        if self._readline is not None:
            for entry in entries:
                self._readline.add_history(entry)

    def message(self) -> str:
        """The next message, which may be empty.

        Raises:
            EOFError: the user leaves.
            Interrupted: a Ctrl-C.
            SignalReceived: any other signal that ends a process, or the terminal was closed.
        """
        while True:
            try:
                text = self._composer.add(well_formed(self._line(self._composer.prompt)))
            except SignalReceived as received:
                nothing_typed = self._composer.is_empty and not self._typed()
                self._composer.clear()
                if received.cancellation.code != "interrupted":
                    raise
                raise Interrupted(nothing_typed=nothing_typed) from None
            except EOFError:
                if self._composer.is_empty:
                    raise
                self._composer.clear()
                raise Interrupted(nothing_typed=False) from None
            if text is not None:
                return text

    def remember(self, text: str) -> None:
        """Add the text to the history, unless it is the last entry."""
        if text == self._remembered:
            return
        self._remembered = text
        if self._readline is not None:
            self._readline.add_history(text)
        self._history.add(text)

    def _line(self, prompt: str) -> str:
        typed = ""
        while True:
            try:
                with self._signals.raising(), _looking_up(), _terminal_at_1(self._fd), _stops():
                    return self._edited(prompt, typed)
            except _Stopped as stopped:
                typed = self._typed()
                if stopped.number == signal.SIGTSTP:
                    signal.raise_signal(signal.SIGTSTP)  # without a job control shell, this does nothing

    def _edited(self, prompt: str, typed: str) -> str:
        if self._readline is not None:
            insert = self._readline.insert_text
            self._readline.set_startup_hook((lambda: insert(typed)) if typed else None)
        try:
            return self._read(prompt)
        except (EOFError, OSError) as error:
            if isinstance(error, OSError) or _is_gone(self._fd):
                raise SignalReceived(HUNG_UP) from error
            raise

    def _read(self, prompt: str) -> str:
        lines = [input(prompt)]
        while not self._takes_pastes_whole() and select.select([0], [], [], 0)[0]:
            lines.append(input())
        return "\n".join(lines)

    def _typed(self) -> str:
        return self._readline.get_line_buffer() if self._readline is not None else ""

    def _takes_pastes_whole(self) -> bool:
        """Whether pasted lines arrive as one text; else they are single lines."""
        is_gnu = self._readline is not None and "libedit" not in (self._readline.__doc__ or "")
        return is_gnu and os.environ.get("TERM", "dumb") not in {"", "dumb"}


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:
        return None
    if "libedit" not in (readline.__doc__ or ""):
        readline.parse_and_bind("set enable-bracketed-paste on")
    readline.set_auto_history(False)
    return readline


def _is_gone(fd: int) -> bool:
    try:
        os.tcgetpgrp(fd)
    except OSError:
        return True
    return False


@contextmanager
def _terminal_at_1(fd: int) -> Iterator[None]:
    """Point descriptor 1 at the terminal, where readline echoes; it leads to stderr while tools run."""
    os.dup2(fd, 1)
    try:
        yield
    finally:
        os.dup2(2, 1)


@contextmanager
def _looking_up() -> Iterator[None]:
    """Interrupt the wait for a key periodically, so that signals are handled."""
    signal.signal(signal.SIGALRM, lambda _number, _frame: None)  # not restored: the last alarm may be pending
    signal.siginterrupt(signal.SIGALRM, False)  # system calls are restarted
    signal.setitimer(signal.ITIMER_REAL, LOOK_UP_S, LOOK_UP_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def _stops() -> Iterator[None]:
    """Raise `_Stopped` on a stop and on the return from one, so that readline restores the terminal."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise _Stopped(number)

    before: dict[signal.Signals, Callable[..., object] | int | None] = {}
    try:
        for number in (signal.SIGTSTP, signal.SIGCONT):
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, stop)
        yield
    finally:
        for stopping, handler in before.items():
            signal.signal(stopping, handler)
