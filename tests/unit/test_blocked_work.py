"""Work that blocks the event loop: the timer of the system interrupts it. The tests send the timer's signal themselves."""

from __future__ import annotations

import asyncio
import faulthandler
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Iterator

import pytest

from finclaw_cli.core.interruption import OutOfTime
from finclaw_cli.tools import blocked
from finclaw_cli.tools.blocked import ATTEMPTS, LAST_RESORT_S, LoopWatch, ended_after, interrupted_after, watch_loop
from finclaw_cli.tools.bounded import bounded
from finclaw_cli.tools.processes.process_tree import CallEnded

OVER_S = -60.0
"""The time of the work is up when it begins."""


class Process:
    """What the watch does with the process: notes in place of its end."""

    def __init__(self) -> None:
        self.ends = 0
        self.looks = 0

    def end(self) -> None:
        self.ends += 1

    def look(self) -> None:
        self.looks += 1


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    """A process whose timer never rings by itself, and whose signals are handled as before afterwards."""
    monkeypatch.setattr(blocked, "LOOK_EVERY_S", 600.0)
    monkeypatch.setattr(blocked, "_watches", {})
    before = {number: signal.getsignal(number) for number in (signal.SIGALRM, *blocked.ENDING)}
    yield Process()
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
async def watch(process: Process) -> AsyncGenerator[LoopWatch, None]:
    watch_loop(asyncio.get_running_loop(), process.end, process.look)
    (watch,) = blocked._watches.values()
    yield watch
    watch._nowhere.close()  # else it stays open as long as the process


def ring(times: int = 1) -> None:
    for _ in range(times):
        signal.raise_signal(signal.SIGALRM)


def interrupted(work: Callable[[], None]) -> type[BaseException] | None:
    """What work gets that blocks the loop for two signals or more."""
    try:
        work()
    except (OutOfTime, CallEnded) as raised:
        return type(raised)
    return None


async def test_work_that_blocks_beyond_its_time_is_interrupted(watch: LoopWatch, process: Process) -> None:
    with ended_after(OVER_S):
        assert interrupted(lambda: ring(2)) is OutOfTime
    assert (process.looks, process.ends) == (1, 0)


async def test_work_that_gives_the_loop_its_turn_is_not_interrupted(watch: LoopWatch, process: Process) -> None:
    with ended_after(OVER_S):
        for _ in range(3):
            assert interrupted(ring) is None
            await asyncio.sleep(0)
    assert process.looks == 0


async def test_work_that_has_time_left_is_not_interrupted(watch: LoopWatch, process: Process) -> None:
    with ended_after(600):
        assert interrupted(lambda: ring(3)) is None
    assert (process.looks, process.ends) == (2, 0)


async def test_work_that_goes_on_is_ended_by_an_exit_that_is_no_exception(watch: LoopWatch) -> None:
    with ended_after(OVER_S):
        ring()
        got = [interrupted(ring) for _ in range(ATTEMPTS)]
    assert got == [OutOfTime, OutOfTime, CallEnded, CallEnded]


async def test_work_that_goes_on_after_all_attempts_ends_the_process(
    watch: LoopWatch, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocked, "OVERDUE_LOOKS", ATTEMPTS * 2)
    with ended_after(OVER_S):
        ring()
        for _ in range(ATTEMPTS + 1):
            interrupted(ring)
    assert process.ends == 1


async def test_only_work_below_its_own_frame_is_interrupted(watch: LoopWatch) -> None:
    def own() -> type[BaseException] | None:
        return interrupted(lambda: ring(2))

    def other() -> type[BaseException] | None:
        return interrupted(lambda: ring(2))

    with interrupted_after(OVER_S, lambda frame: frame.f_code is own.__code__):
        assert (other(), own()) == (None, OutOfTime)


async def test_bounded_work_that_blocks_is_interrupted(watch: LoopWatch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocked, "GRACE_S", OVER_S)

    async def blocks() -> None:
        ring(2)

    with pytest.raises(OutOfTime, match="it blocked the event loop"):
        await bounded(blocks(), 10)


async def test_bounded_work_beside_work_that_blocks_is_not_interrupted(
    watch: LoopWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocked, "GRACE_S", OVER_S)
    began, ends = asyncio.Event(), asyncio.Event()

    async def waits() -> str:
        began.set()
        await ends.wait()
        return "done"

    waiting = asyncio.create_task(bounded(waits(), 10))
    await began.wait()
    assert interrupted(lambda: ring(2)) is None
    ends.set()
    assert await waiting == "done"


async def test_a_run_that_goes_on_after_its_time_ends_the_process(
    watch: LoopWatch, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocked, "OVERDUE_LOOKS", 2)
    with ended_after(OVER_S):
        for _ in range(3):
            ring()
            await asyncio.sleep(0)
    assert (process.ends, process.looks) == (1, 0)


async def test_a_loop_that_runs_has_the_time_of_the_last_resort_anew(
    watch: LoopWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    armed: list[float] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda timeout, **_: armed.append(timeout))
    with ended_after(OVER_S):
        ring()
        await asyncio.sleep(0)
    assert armed == [LAST_RESORT_S, LAST_RESORT_S]


async def test_a_loop_that_does_not_run_ends_the_process(
    watch: LoopWatch, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocked, "LOOK_EVERY_S", 0.01)
    watch.end_if_stuck()
    assert process.ends == 1


async def test_a_loop_that_runs_does_not_end_the_process(watch: LoopWatch, process: Process) -> None:
    await asyncio.to_thread(watch.end_if_stuck)
    assert process.ends == 0


async def test_work_in_another_thread_is_not_interrupted(watch: LoopWatch, process: Process) -> None:
    def in_thread() -> bool:
        with interrupted_after(OVER_S, lambda _: True):
            return threading.current_thread() is threading.main_thread()

    assert await asyncio.to_thread(in_thread) is False
    assert signal.getitimer(signal.ITIMER_REAL)[1] != blocked.LOOK_EVERY_S


async def test_the_first_of_two_signals_is_handled_as_before(watch: LoopWatch) -> None:
    received: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with interrupted_after(600, lambda _: True):
        signal.raise_signal(signal.SIGINT)
        assert (received, signal.getsignal(signal.SIGTERM)) == ([signal.SIGINT], signal.SIG_DFL)
