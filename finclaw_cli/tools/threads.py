"""Running blocking functions beside the event loop, in threads that never hold up the end of the process."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Run `work` in a daemon thread and wait for it.

    When the waiting is cancelled the thread is abandoned: Python cannot end it, but nobody waits for it any more,
    not even the interpreter's exit (which is why this is not `asyncio.to_thread`).
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # a Result when there is no error

    def run() -> None:
        result: Result | None = None
        error: BaseException | None = None
        try:
            result = context.run(work)
        except StopIteration as raised:  # cannot be set on a future
            error = RuntimeError(f"StopIteration: {raised}")
        except BaseException as raised:  # noqa: BLE001 - handed to whoever waits, whatever it is
            error = raised
        try:
            loop.call_soon_threadsafe(settle, result, error)
        except RuntimeError:
            return  # the loop is gone: this thread was abandoned

    threading.Thread(target=run, name="finclaw-tool", daemon=True).start()
    return await future
