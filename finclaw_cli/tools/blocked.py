"""Ending work that blocks the event loop: it neither waits nor ends, so no timeout of the loop reaches it.

The system's timer interrupts such work in the main thread, between two steps of Python or in a call that waits. The
work gets `OutOfTime`, as if it had raised it, and again while it goes on. Work that cannot be interrupted, in C code
that holds the interpreter, ends with the process: by the second signal, or some time after the deadline of the run.
"""

from __future__ import annotations

import asyncio
import faulthandler
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import FrameType

from finclaw_cli.core.interruption import OutOfTime
from finclaw_cli.tools.processes.process_tree import CallEnded

GRACE_S = 0.5
LOOK_EVERY_S = 1.0
ATTEMPTS = 4
"""How often work is interrupted before the process is ended."""
STUCK_S = 5.0
"""How long after its deadline a run is ended whose event loop does not run."""
LAST_RESORT_S = 20.0
"""How long after its deadline a process is ended in which no thread runs Python."""
OVERDUE_LOOKS = 5
"""How often, a second apart, a run is found to go on after its deadline before the process is ended."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# The clock that the watch began with: a plugin, or what it uses for its tests, can replace `time.monotonic`.
_now_s = partial(time.clock_gettime, time.CLOCK_MONOTONIC)

IsOf = Callable[[FrameType], bool]
"""Whether a frame belongs to one piece of work."""


@dataclass(slots=True, eq=False)
class _Deadline:
    at: float
    within: IsOf | None
    """Only work below a frame for which this is true is interrupted; None: whatever runs."""
    interrupted: int = 0


class LoopWatch:
    """Watches the event loop of the main thread while something has a deadline."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, on_stuck: Callable[[], None], on_look: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._on_stuck = on_stuck
        self._on_look = on_look
        self._nowhere = open(os.devnull, "wb")  # noqa: PTH123, SIM115 - lives as long as the process
        self._deadlines: list[_Deadline] = []
        self._answered = True
        self._overdue = 0

    @contextmanager
    def until(self, seconds: float, *, within: IsOf | None = None) -> Iterator[None]:
        """Interrupt what blocks the loop for longer than this; end the process if that is in vain.

        Args:
            seconds: how long the block may last.
            within: only what runs below a frame for which this is true is interrupted; else whatever runs.
        """
        deadline = _Deadline(_now_s() + seconds, within)
        self._deadlines.append(deadline)
        signal.signal(signal.SIGALRM, self._ring)
        self._arm()
        try:
            yield
        finally:
            self._deadlines.remove(deadline)
            self._arm()

    def _arm(self) -> None:
        if not self._deadlines:
            signal.setitimer(signal.ITIMER_REAL, 0)
            faulthandler.cancel_dump_traceback_later()
            return
        left_s = min(deadline.at for deadline in self._deadlines) - _now_s()
        signal.setitimer(signal.ITIMER_REAL, LOOK_EVERY_S, LOOK_EVERY_S)
        self._arm_last_resort(left_s)

    def _arm_last_resort(self, left_s: float) -> None:
        # A thread in C, which needs no interpreter; its exit code is 1.
        faulthandler.dump_traceback_later(max(left_s, 0) + LAST_RESORT_S, exit=True, file=self._nowhere)

    def _ring(self, _number: int, frame: FrameType | None) -> None:
        is_blocked, self._answered = not self._answered, False
        self._loop.call_soon_threadsafe(self._answer)
        self._count_overdue()
        if not is_blocked:
            return
        self._on_look()
        now = _now_s()
        for deadline in self._deadlines:
            if deadline.at + GRACE_S <= now and (deadline.within is None or _is_below(frame, deadline.within)):
                self._interrupt(deadline)

    def _count_overdue(self) -> None:
        """End the process whose run goes on although its deadline is over: its timer was lost, or its clock stands.

        The one thing that a run waits for then is a reader of its output that pauses.
        """
        ends = [deadline.at for deadline in self._deadlines if deadline.within is None]
        is_overdue = bool(ends) and max(ends) + STUCK_S < _now_s() and _is_read(1) and _is_read(2)
        self._overdue = self._overdue + 1 if is_overdue else 0
        if self._overdue > OVERDUE_LOOKS:
            self._on_stuck()

    def _interrupt(self, deadline: _Deadline) -> None:
        deadline.interrupted += 1
        if deadline.interrupted > ATTEMPTS:
            self._on_stuck()
        if deadline.interrupted > ATTEMPTS / 2:
            raise CallEnded  # which is no `Exception`: work that goes on after one may catch them all
        raise OutOfTime("it blocked the event loop")

    def end_if_stuck(self) -> None:
        """End the process, from another thread, if the loop does not run: the main thread may be in C code."""
        runs = threading.Event()
        self._loop.call_soon_threadsafe(runs.set)
        if not runs.wait(LOOK_EVERY_S):
            self._on_stuck()

    def _answer(self) -> None:
        self._answered = True
        now = _now_s()
        if self._deadlines and all(deadline.at < now for deadline in self._deadlines):
            self._arm_last_resort(0)  # the loop runs: it waits for the reader of the output, which may take long


_watches: dict[int, LoopWatch] = {}


def watch_loop(loop: asyncio.AbstractEventLoop, on_stuck: Callable[[], None], on_look: Callable[[], None]) -> None:
    """Watch the loop of this process, which serves runs and nothing else.

    Args:
        loop: the event loop of the main thread.
        on_stuck: ends the process.
        on_look: called about once a second while something blocks the loop.
    """
    _watches.clear()
    _watches[os.getpid()] = LoopWatch(loop, on_stuck, on_look)


@contextmanager
def interrupted_after(seconds: float, within: IsOf) -> Iterator[None]:
    """Interrupt work that blocks the watched loop for longer than this; without a watched loop, do nothing."""
    watch = _watches.get(os.getpid())
    if watch is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    let_a_second_signal_end_the_process()
    with watch.until(seconds, within=within):
        yield


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Interrupt whatever blocks the watched loop for longer than this, then end the process."""
    watch = _watches.get(os.getpid())
    if watch is None:
        yield
        return
    stuck = threading.Timer(seconds + STUCK_S, watch.end_if_stuck)
    stuck.daemon = True
    stuck.start()
    try:
        with watch.until(seconds):
            yield
    finally:
        stuck.cancel()


def let_a_second_signal_end_the_process() -> None:
    """Let each signal be handled by Python once, and the next one by the system, until Python has handled the first.

    Python handles a signal when the main thread next runs Python; with the interpreter held elsewhere it never does.
    Each `signal.signal` undoes this.
    """
    import ctypes

    libc = ctypes.CDLL(None)
    with suppress(AttributeError):  # the function is glibc's
        libc.sysv_signal.restype = libc.signal.restype = ctypes.c_void_p
        for number in ENDING:
            if callable(signal.getsignal(number)):
                handler = libc.signal(int(number), ctypes.c_void_p(0))
                libc.sysv_signal(int(number), ctypes.c_void_p(handler))


def _is_read(descriptor: int) -> bool:
    """Whether a write to a stream would not wait for its reader; true where there is none."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLOUT)
    return bool(waiting.poll(0))


def _is_below(frame: FrameType | None, is_of: IsOf) -> bool:
    """Whether such a frame is beneath the one that runs; that it runs itself does not count."""
    frame = frame.f_back if frame is not None else None
    while frame is not None:
        if is_of(frame):
            return True
        frame = frame.f_back
    return False
