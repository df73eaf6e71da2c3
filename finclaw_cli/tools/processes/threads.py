"""Running blocking functions beside the event loop, in threads that never hold up the end of the process."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar, cast

from finclaw_cli.tools.processes.forks import end_if_forked
from finclaw_cli.tools.processes.process_tracker import tracker_at_work
from finclaw_cli.tools.processes.process_tree import CallEnded

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Run `work` in a daemon thread and wait for it.

    When the waiting is cancelled, `CallEnded` is raised in the thread as soon as it runs Python again. One that does
    not is abandoned: nothing waits for it any more, not even the interpreter's exit (which is why this is not
    `asyncio.to_thread`).
    """
    worker = _Worker(work)
    worker.thread.start()
    try:
        return await worker.result
    except asyncio.CancelledError:
        worker.interrupt()
        raise


class _Worker(Generic[Result]):
    """One function in one thread."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._home = os.getpid()
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._is_done = False
        self.result: asyncio.Future[Result] = self._loop.create_future()
        self.thread = threading.Thread(target=self._run, name="finclaw-tool", daemon=True)

    def interrupt(self) -> None:
        """Raise `CallEnded` in the function, if it still runs."""
        import ctypes

        with self._lock:
            if not self._is_done and self.thread.ident is not None:
                thread, error = ctypes.c_ulong(self.thread.ident), ctypes.py_object(CallEnded)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)

    def _run(self) -> None:
        with suppress(CallEnded):  # which may come late: then the result is not waited for
            try:
                result, error = self._outcome()
            finally:
                end_if_forked(self._home)
                if (watch := tracker_at_work()) is not None:
                    watch.end_of_thread()
            with suppress(RuntimeError):  # the loop is gone: this thread was abandoned
                self._loop.call_soon_threadsafe(self._settle, result, error)

    def _outcome(self) -> tuple[Result | None, BaseException | None]:
        try:
            return self._context.run(self._work), None
        except StopIteration as raised:  # cannot be set on a future
            return None, RuntimeError(f"StopIteration: {raised}")
        except BaseException as raised:  # noqa: BLE001 - handed to the waiting code, whatever it is
            return None, raised
        finally:
            end_if_forked(self._home)
            with self._lock:
                self._is_done = True

    def _settle(self, result: Result | None, error: BaseException | None) -> None:
        if self.result.done():
            return
        if error is not None:
            self.result.set_exception(error)
        else:
            self.result.set_result(cast("Result", result))
