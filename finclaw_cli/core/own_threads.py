"""Threads for finclaw's own work, because code of a plugin may occupy those of the event loop for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import copy_context
from functools import cache
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
AT_MOST = 32


def in_own_thread(
    work: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> asyncio.Future[Result]:
    """Call a function in a thread, as `asyncio.to_thread` does; it is queued when this returns."""
    context = copy_context()
    return asyncio.get_running_loop().run_in_executor(_threads(), lambda: context.run(work, *args, **kwargs))


@cache
def _threads() -> Executor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(AT_MOST, thread_name_prefix="asyncio_own")
