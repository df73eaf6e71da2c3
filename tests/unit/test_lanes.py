"""Crowding."""

from __future__ import annotations

import asyncio

import pytest

from finclaw_cli.core.errors import LaneFull, LaneTimeout
from finclaw_cli.engine.lanes import Gate, Lanes, OnStep, Step
from tests.unit.clocks import FakeClock


class Diary:
    """Who was told what, in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def of(self, name: str) -> OnStep:
        async def tell(step: Step) -> None:
            self.lines.append(f"{name} {step}")

        return tell


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_runs_of_one_agent_go_one_after_another_in_the_order_in_which_they_came() -> None:
    lanes, diary = Lanes(), Diary()

    async def run(name: str) -> None:
        async with lanes.slot("a", diary.of(name)):
            await settle()

    async with asyncio.TaskGroup() as group:
        for name in "123":
            group.create_task(run(name))
    assert [line for line in diary.lines if "acquired" in line] == ["1 acquired", "2 acquired", "3 acquired"]
    assert [line for line in diary.lines if "queued" in line] == ["2 queued", "3 queued"]


async def test_agents_do_not_wait_for_each_other() -> None:
    lanes, diary = Lanes(), Diary()
    async with lanes.slot("a", diary.of("1")), lanes.slot("b", diary.of("2")):
        assert diary.lines == ["1 acquired", "2 acquired"]


async def test_a_full_queue_refuses_at_once() -> None:
    lanes, diary = Lanes(max_queued=1), Diary()
    async with lanes.slot("a", diary.of("1")):
        waiting = asyncio.create_task(enter(lanes, diary.of("2")))
        await settle()
        with pytest.raises(LaneFull):
            await enter(lanes, diary.of("3"))
    await waiting


async def test_waiting_has_an_end() -> None:
    lanes, diary = Lanes(wait_s=0.01), Diary()
    async with lanes.slot("a", diary.of("1")):
        with pytest.raises(LaneTimeout):
            await enter(lanes, diary.of("2"))
    assert lanes.status() == []


async def test_a_waiter_that_is_cancelled_leaves_no_gap() -> None:
    lanes, diary = Lanes(), Diary()
    async with lanes.slot("a", diary.of("1")):
        gone = asyncio.create_task(enter(lanes, diary.of("2")))
        stays = asyncio.create_task(enter(lanes, diary.of("3")))
        await settle()
        gone.cancel()
        await settle()
        assert lanes.status()[0].queued == 1
    await stays
    assert "3 acquired" in diary.lines
    assert lanes.status() == []


async def test_a_waiter_cancelled_at_the_moment_its_slot_comes_passes_it_on() -> None:
    lanes, diary = Lanes(), Diary()
    first = lanes.slot("a", diary.of("1"))
    await first.__aenter__()
    gone = asyncio.create_task(enter(lanes, diary.of("2")))
    stays = asyncio.create_task(enter(lanes, diary.of("3")))
    await settle()
    leaving = asyncio.create_task(first.__aexit__(None, None, None))
    gone.cancel()
    await leaving
    await stays
    assert "3 acquired" in diary.lines
    assert lanes.status() == []


async def test_an_empty_lane_costs_nothing() -> None:
    lanes, diary = Lanes(), Diary()
    async with lanes.slot("a", diary.of("1")):
        assert [(s.agent_id, s.active, s.queued, s.max) for s in lanes.status()] == [("a", 1, 0, 1)]
    assert lanes.status() == []


async def enter(lanes: Lanes, tell: OnStep) -> None:
    async with lanes.slot("a", tell):
        pass


async def test_a_pause_holds_back_everybody_at_the_gate() -> None:
    clock = FakeClock()
    gate = Gate(clock)
    gate.pause(30)
    gate.pause(10)
    async with gate:
        assert clock.monotonic() == 30


async def test_a_gate_lets_only_so_many_through() -> None:
    gate = Gate(FakeClock(), max_requests=1)
    async with gate:
        second = asyncio.create_task(gate.__aenter__())
        await settle()
        assert not second.done()
    await second


async def test_a_slot_that_is_given_back_is_reported() -> None:
    lanes, diary = Lanes(), Diary()
    await enter(lanes, diary.of("1"))
    assert diary.lines == ["1 acquired", "1 released"]


async def test_a_run_that_fails_gives_its_slot_back() -> None:
    lanes, diary = Lanes(), Diary()
    with pytest.raises(ValueError, match="broken"):
        async with lanes.slot("a", diary.of("1")):
            raise ValueError("broken")
    assert (lanes.status(), diary.lines[-1]) == ([], "1 released")


async def test_a_refusal_names_how_many_wait() -> None:
    with pytest.raises(LaneFull, match=r"^0 runs of agent 'a' are already waiting$"):
        async with (lanes := Lanes(max_queued=0)).slot("a", Diary().of("1")):
            await enter(lanes, Diary().of("2"))


async def test_a_gate_without_a_pause_is_passed_at_once() -> None:
    clock = FakeClock()
    async with Gate(clock):
        pass
    assert clock.slept == []


class StoppedClock(FakeClock):
    """A clock with which a pause does not end."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()


async def test_a_request_that_is_cancelled_in_a_pause_gives_its_place_back() -> None:
    clock = StoppedClock()
    gate = Gate(clock, max_requests=1)
    gate.pause(30)
    paused = asyncio.create_task(gate.__aenter__())
    await settle()
    paused.cancel()
    await settle()
    clock.seconds = 30
    async with asyncio.timeout(10), gate:
        assert paused.cancelled()


async def test_a_request_that_has_ended_gives_its_place_back() -> None:
    gate = Gate(FakeClock(), max_requests=1)
    for _ in range(2):
        async with asyncio.timeout(10), gate:
            pass
