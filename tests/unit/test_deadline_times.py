"""When exactly the clock for streams runs out, by a clock that does not wait."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from finclaw_cli.core.deadline import ProgressTimeout, request_sent

Course = Callable[[ProgressTimeout], Awaitable[None]]


class Skipping(selectors.DefaultSelector):
    """Passes the time that a loop would wait."""

    seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.seconds += timeout or 0.0
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._skipping = Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.seconds


async def at(seconds: float) -> None:
    await asyncio.sleep(seconds - asyncio.get_running_loop().time())


def ran_out(course: Course, *, first_s: float = 8, idle_s: float = 2) -> float | None:
    """When it ran out, in seconds from the beginning; None where it did not."""

    async def run() -> float | None:
        with suppress(TimeoutError):
            async with ProgressTimeout(first_s=first_s, idle_s=idle_s) as progress:
                await course(progress)
                return None
        return asyncio.get_running_loop().time()

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(run())


async def nothing(_progress: ProgressTimeout) -> None:
    await asyncio.Event().wait()


def test_the_first_word_may_take_its_time() -> None:
    assert ran_out(nothing) == pytest.approx(8)


@pytest.mark.parametrize(("first_s", "idle_s", "end"), [(8, 2, 3), (2, 8, 9)])
def test_each_word_gives_the_next_one_its_time(first_s: float, idle_s: float, end: float) -> None:
    async def one_word(progress: ProgressTimeout) -> None:
        await at(1)
        progress.touch()
        await nothing(progress)

    assert ran_out(one_word, first_s=first_s, idle_s=idle_s) == pytest.approx(end)


def test_words_that_keep_coming_take_as_long_as_they_want() -> None:
    async def many_words(progress: ProgressTimeout) -> None:
        for moment in range(1, 100):
            await at(moment)
            progress.touch()

    assert ran_out(many_words) is None


def test_a_part_of_the_request_that_is_sent_begins_the_time_anew() -> None:
    async def upload(progress: ProgressTimeout) -> None:
        for moment in (5, 12):
            await at(moment)
            request_sent()
        await nothing(progress)

    assert ran_out(upload) == pytest.approx(20)


def test_the_time_in_which_we_hold_the_stream_up_does_not_count() -> None:
    async def held(progress: ProgressTimeout) -> None:
        await at(1)
        progress.touch()
        progress.hold()
        await at(100)
        progress.touch()
        await nothing(progress)

    assert ran_out(held) == pytest.approx(102)


def test_a_block_within_another_leaves_its_clock_as_it_was() -> None:
    async def nested(progress: ProgressTimeout) -> None:
        async with ProgressTimeout(first_s=3, idle_s=3):
            await at(2)
        await at(5)
        request_sent()
        await nothing(progress)

    assert ran_out(nested) == pytest.approx(13)


def test_without_a_block_nothing_is_timed() -> None:
    async def after() -> None:
        async with ProgressTimeout(first_s=1, idle_s=1):
            pass
        request_sent()
        await at(50)

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(after())
