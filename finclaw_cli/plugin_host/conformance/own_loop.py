"""Running coroutines from plain functions."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")
TIDY_UP_S = 1.0


def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, in another thread where an event loop is running in this one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return in_own_loop(work)


def in_own_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a loop and a thread of its own.

    Tasks it leaves behind are cancelled; one that does not end even then is abandoned with its thread.
    """
    outcome: Future[Result] = Future()
    context = contextvars.copy_context()

    async def deliver() -> None:
        try:
            outcome.set_result(await work)
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            outcome.set_exception(error)

    thread = threading.Thread(target=context.run, args=(asyncio.run, deliver()), name="finclaw-own-loop", daemon=True)
    thread.start()
    try:
        return outcome.result()
    finally:
        thread.join(TIDY_UP_S)
