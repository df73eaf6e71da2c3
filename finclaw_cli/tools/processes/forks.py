"""A tool that forks: its child must never go on as a second finclaw.

`os.fork()` in a tool copies the whole process. A child that ends by itself, or becomes another program, is the tool's
own business. One that returns from the tool as if nothing had happened ends where it comes back to finclaw: at the end
of the tool's step or thread, or in the event loop. Until then it finds finclaw's private descriptors closed to it.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from functools import wraps
from typing import Any, TypeVar, cast

from finclaw_cli.core.interruption import Interruption
from finclaw_cli.tools.processes.process_tracker import own_this_process

Result = TypeVar("Result")
LONGEST_START_S = 5.0
"""How long a fork waits for a program that another thread starts, which can hang (on a file server)."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_private: set[int] = set()
_loops: list[asyncio.AbstractEventLoop] = []


def keep_private(fd: int) -> None:
    """In processes that tools fork, this descriptor shall lead nowhere."""
    _private.add(fd)


def no_longer_private(fd: int) -> None:
    """The descriptor was closed: its number may be reused."""
    _private.discard(fd)


def own_loop() -> asyncio.AbstractEventLoop:
    """An event loop for a process that serves runs and nothing else; a forked process does not go on with it."""
    own_this_process()
    if not _loops:  # pragma: no branch - a process has one such loop
        _StartLock().install()
        os.register_at_fork(after_in_child=_in_child)
    loop = _OwnLoop(_OwnSelector())
    _loops.append(loop)
    return loop


def end_if_forked(home: int) -> None:
    """End this process where it is not the one it believes to be."""
    if os.getpid() != home:
        os._exit(0)


class _OwnLoop(asyncio.SelectorEventLoop):
    """A loop that no code of a plugin ends before its time: the run would end without its result."""

    def run_until_complete(self, future: Generator[Any, None, Result] | Awaitable[Result]) -> Result:
        """Run until the task is done, also where another one, or a callback, raises an exit of Python."""
        task = asyncio.ensure_future(cast("Awaitable[Result]", future), loop=self)
        while True:
            try:
                return super().run_until_complete(task)
            except (KeyboardInterrupt, SystemExit) as raised:
                if task.done() or isinstance(raised, Interruption):
                    raise  # pragma: no cover - by a signal that ends the process

    def stop(self) -> None:
        if sys._getframe(1).f_globals.get("__name__") == "asyncio.base_events":  # noqa: SLF001 - the documented name
            super().stop()


class _OwnSelector(selectors.DefaultSelector):
    """Waits for the loop of one process alone: its descriptors are shared with every process forked from it."""

    def __init__(self) -> None:
        super().__init__()
        self._home = os.getpid()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        end_if_forked(self._home)
        return super().select(timeout)


class _StartLock:
    """Lets no thread fork while another one starts a program.

    `subprocess.Popen` waits until a pipe is closed that the fork would keep open for as long as it lives: the event
    loop would hang in it, for a tool that does no more than use `multiprocessing` beside one that runs a program.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_held = threading.local()

    def install(self) -> None:
        """Apply to all that this process starts from here on."""
        start = subprocess.Popen._execute_child  # type: ignore[attr-defined]  # noqa: SLF001 - no public step has it

        @wraps(start)
        def start_alone(*arguments: Any) -> None:
            with self._lock:
                start(*arguments)

        setattr(subprocess.Popen, "_execute_child", start_alone)  # noqa: B010 - mypy knows no other way
        os.register_at_fork(before=self._acquire, after_in_parent=self._release, after_in_child=self._renew)

    def _acquire(self) -> None:  # pragma: no cover - where a tool forks: tests/faults/test_tool_termination.py
        self._is_held.value = self._lock.acquire(timeout=LONGEST_START_S)

    def _release(self) -> None:  # pragma: no cover - where a tool forks
        if self._is_held.value:
            self._lock.release()

    def _renew(self) -> None:  # pragma: no cover - in a process that a tool forks
        self._lock = threading.RLock()  # the thread that held it may not be there


def _in_child() -> None:  # pragma: no cover - in processes that tools fork: tests/faults/test_tool_termination.py
    """Runs in every process that a tool forks, before `os.fork` returns there; must not raise."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        for fd in _private:
            os.dup2(nowhere, fd, inheritable=False)
        os.close(nowhere)
    for loop in _loops:  # what was next to run is run in the parent
        for handle in list(getattr(loop, "_ready", ())):
            handle.cancel()
    _loops.clear()
    with suppress(OSError, ValueError):
        for number in ENDING:
            _set(number)


def _set(number: signal.Signals) -> None:  # pragma: no cover - in such processes
    """Ours would try to cancel a run."""
    usual: Callable[..., object] | signal.Handlers = signal.SIG_DFL
    if number == signal.SIGINT:
        usual = signal.default_int_handler
    if callable(signal.getsignal(number)):
        signal.signal(number, usual)
