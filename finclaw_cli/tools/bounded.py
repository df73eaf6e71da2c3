"""Work that ends when its time is up, whether it wants to or not."""

from __future__ import annotations

import asyncio
import os
import signal
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from types import FrameType
from typing import Any

from finclaw_cli.core.interruption import OutOfTime, PluginExit, plugin_code
from finclaw_cli.tools.blocked import interrupted_after
from finclaw_cli.tools.processes.forks import end_if_forked
from finclaw_cli.tools.processes.process_tracker import the_tracker
from finclaw_cli.tools.processes.process_tree import CallEnded, ProcessTree
from finclaw_cli.tools.processes.termination import end_family

# How long work may take to clean up after it was cancelled, before it is abandoned: enough for a program
# that gets SIGTERM and, two seconds later, SIGKILL.
GRACE_S = 3.0
# How long cancelled work may take before its processes are signalled too: most of it does that itself.
HEAD_START_S = 0.2
LOOK_EVERY_S = 0.2


class Stopped(Exception):
    """The work was to be ended."""


class Bounded:
    """One piece of work and all that it starts, for at most so long, and never longer than it is wanted.

    When it is ended, or the caller is cancelled, the work is cancelled and given a moment to clean up; its processes
    are ended. Work that swallows its cancellation is then abandoned: it holds up neither the timeout nor the run.
    `on_end` is called first, for work that looks whether it is still wanted.
    """

    def __init__(self, on_end: Callable[[], None] = lambda: None) -> None:
        self.family = ProcessTree()
        self._on_end = on_end
        self._task: asyncio.Task[object] | None = None
        self._stop: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    @property
    def left(self) -> int:
        """How many threads and tasks still work, although they were abandoned."""
        goes_on = self._task is not None and not self._task.done()
        return len(self.family.working_threads()) + goes_on

    def stop(self) -> None:
        """End the work."""
        if not self._stop.done():
            self._stop.set_result(None)

    async def __call__(self, work: Callable[[], Awaitable[object]], timeout_s: float) -> object:
        """Do the work, in a task of its own.

        Raises:
            OutOfTime: it took too long.
            Stopped: `stop` was called.
            Exception: whatever the work raises, as `plugin_code` passes it on.
        """
        watch = the_tracker()
        watch.add(self.family)
        with self.family.inside():
            task = self._task = asyncio.create_task(_in_steps(_as_plugin_code(work), self.family))
        try:
            with interrupted_after(timeout_s, self._is_of):
                await self._wait_for(task, timeout_s)
            return self._result(task)
        finally:
            self._stop.cancel()
            self._on_end()
            if task.done():
                self._task = None  # with a result that may be large
                watch.settle(self.family)
            else:
                await self._end(task)

    def _is_of(self, frame: FrameType) -> bool:
        """Whether a frame is a step of this work, and not of another call that runs side by side."""
        return frame.f_code is _each_step.__code__ and frame.f_locals.get("family") is self.family

    async def _wait_for(self, task: asyncio.Task[object], timeout_s: float) -> None:
        """Wait for any end, and look now and then what there is: who was seen alive is known when it is an orphan."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        ends: set[asyncio.Future[object]] = {task, self._stop}
        while not task.done() and not self._stop.done() and (left_s := deadline - loop.time()) > 0:
            await asyncio.wait(ends, timeout=min(left_s, LOOK_EVERY_S), return_when=asyncio.FIRST_COMPLETED)
            if self.family.has_started:
                the_tracker().look_around()
            if self.family.uses_system:
                _follow_interrupts()

    def _result(self, task: asyncio.Task[object]) -> object:
        if not task.done():
            raise Stopped if self._stop.done() else OutOfTime
        if task.cancelled():
            raise PluginExit("it was cancelled")  # pragma: no cover - by other code, before its first step
        return task.result()

    async def _end(self, task: asyncio.Task[object]) -> None:
        # An abandoned task that fails later has no caller; asking for its error keeps the loop from complaining.
        task.add_done_callback(lambda late: late.cancelled() or late.exception())
        task.cancel()
        async with asyncio.TaskGroup() as group:
            group.create_task(_wait(task, GRACE_S))
            await _wait(task, HEAD_START_S)
            group.create_task(end_family(self.family))


def _follow_interrupts() -> None:
    """Put the handler for Ctrl-C back in its place; C's `system` takes it away, and returns it only in the end."""
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        with suppress(ValueError):  # not in the first thread, where a handler cannot be set
            signal.signal(signal.SIGINT, handler)


async def bounded(work: Awaitable[object], timeout_s: float) -> object:
    """Do a piece of work with a time limit, as `Bounded` does."""

    async def begun() -> object:
        return await work

    return await Bounded()(begun, timeout_s)


async def _wait(task: asyncio.Task[object], seconds: float) -> None:
    await asyncio.wait({task}, timeout=seconds)


async def _as_plugin_code(work: Callable[[], Awaitable[object]]) -> object:
    try:
        with plugin_code():
            return await work()
    except CallEnded:
        raise OutOfTime from None


async def _in_steps(work: Coroutine[Any, Any, object], family: ProcessTree) -> object:
    return await _each_step(work, family)


@types.coroutine
def _each_step(work: Coroutine[Any, Any, object], family: ProcessTree) -> Generator[Any, Any, object]:
    """Run a coroutine such that what each of its steps starts is known, and none returns to the loop of a fork."""
    watch, home = the_tracker(), os.getpid()
    step: Callable[[Any], Any] = work.send
    given: Any = None
    while True:
        watch.claim(family)
        try:
            awaited = step(given)
        except StopIteration as end:
            return end.value
        finally:
            end_if_forked(home)
            watch.claim(None)
        try:
            step, given = work.send, (yield awaited)
        except BaseException as thrown:  # noqa: BLE001 - a cancellation, above all: it is the work's own to take
            step, given = work.throw, thrown
