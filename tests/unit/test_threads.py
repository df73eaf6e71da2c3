"""Functions of tools that run in threads of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from finclaw_cli.tools.processes import process_tracker
from finclaw_cli.tools.processes.threads import in_thread


async def test_a_function_that_ends_by_stop_iteration_fails() -> None:
    with pytest.raises(RuntimeError, match="StopIteration: no more"):
        await in_thread(lambda: next(iter_that_ends("no more")))


def iter_that_ends(why: str) -> Iterator[int]:
    class Ending:
        def __iter__(self) -> Iterator[int]:
            return self

        def __next__(self) -> int:
            raise StopIteration(why)

    return iter(Ending())


async def test_a_function_that_has_just_ended_is_not_interrupted() -> None:
    threads: SimpleQueue[threading.Thread] = SimpleQueue()
    waiting = asyncio.create_task(in_thread(lambda: threads.put(threading.current_thread())))
    await asyncio.sleep(0)
    threads.get().join()  # its result is on its way to the loop
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_function_has_its_result_where_no_tool_has_run_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tracker, "_watches", {})
    assert await in_thread(lambda: 7) == 7
