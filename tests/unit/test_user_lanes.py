"""Lanes that hold for all processes: their tickets, their order, and what is left of runs that died."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from finclaw_cli.core.errors import LaneFull, LaneTimeout, UsageError
from finclaw_cli.engine import user_lanes
from finclaw_cli.engine.lane_tickets import LOCK, ticket_notes
from finclaw_cli.engine.lanes import Step
from finclaw_cli.engine.user_lanes import UserLanes

LONG_S = 30.0


class Steps:
    """The steps of runs, in their order."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._added = asyncio.Event()

    @asynccontextmanager
    async def slot(self, lanes: UserLanes, name: str) -> AsyncIterator[None]:
        async def add(step: Step) -> None:
            self.lines.append(f"{name} {step}")
            self._added.set()

        async with lanes.slot("a", add, name):
            yield

    async def run(self, lanes: UserLanes, name: str) -> None:
        async with self.slot(lanes, name):
            await asyncio.sleep(0)

    async def until(self, line: str) -> None:
        async with asyncio.timeout(LONG_S):
            while line not in self.lines:
                self._added.clear()
                await self._added.wait()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "lanes"


@pytest.fixture
def steps() -> Steps:
    return Steps()


@contextmanager
def flock(path: Path) -> Iterator[int]:
    """A lock by a descriptor of its own, as another process would have it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}


def seen(folder: Path) -> list[tuple[str | None, bool]]:
    return [(note.session, note.has_place) for note in ticket_notes(folder / "a")]


async def test_a_hundred_runs_in_one_loop_go_one_after_another_in_their_order(folder: Path, steps: Steps) -> None:
    names = [f"{number:03}" for number in range(100)]
    async with asyncio.TaskGroup() as group:
        for name in names:
            group.create_task(steps.run(UserLanes(folder=folder), name))
    expected = [f"{name} {step}" for name in names for step in ("acquired", "released")]
    assert [line for line in steps.lines if "queued" not in line] == expected
    assert [line for line in steps.lines if "queued" in line] == [f"{name} queued" for name in names[1:]]
    assert [path.name for path in (folder / "a").iterdir()] == [LOCK]


async def test_two_at_a_time_where_the_lane_has_two_places(folder: Path, steps: Steps) -> None:
    lanes = UserLanes(folder=folder, max_running=2)
    async with steps.slot(lanes, "1"), steps.slot(lanes, "2"):
        third = asyncio.create_task(steps.run(lanes, "3"))
        await steps.until("3 queued")
        assert seen(folder) == [("1", True), ("2", True), ("3", False)]
    await third
    assert steps.lines[-2:] == ["3 acquired", "3 released"]


async def test_a_run_that_ends_out_of_order_gives_its_place_to_the_next(folder: Path, steps: Steps) -> None:
    lanes = UserLanes(folder=folder, max_running=2)
    async with steps.slot(lanes, "1"):
        async with steps.slot(lanes, "2"):
            third = asyncio.create_task(steps.run(lanes, "3"))
            await steps.until("3 queued")
        await third


async def test_a_run_of_another_process_is_looked_for_again(folder: Path, steps: Steps) -> None:
    with flock(folder / "a" / "000000000007.ticket") as held:
        waits = asyncio.create_task(steps.run(UserLanes(folder=folder), "1"))
        await steps.until("1 queued")
        fcntl.flock(held, fcntl.LOCK_UN)
        await waits
    assert steps.lines == ["1 queued", "1 acquired", "1 released"]


async def test_the_ticket_of_a_process_that_died_holds_up_no_run(folder: Path, steps: Steps) -> None:
    (folder / "a").mkdir(parents=True)
    dead = folder / "a" / "000000000001.ticket"
    dead.write_text("{}")
    await steps.run(UserLanes(folder=folder), "1")
    assert steps.lines == ["1 acquired", "1 released"]
    assert not dead.exists()


async def test_what_a_process_left_that_died_while_it_came_is_used_again(folder: Path, steps: Steps) -> None:
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "new").write_text("x" * 900)
    async with steps.slot(UserLanes(folder=folder), "1"):
        assert seen(folder) == [("1", True)]


async def test_a_note_that_cannot_be_read_is_a_run_without_facts(folder: Path) -> None:
    with flock(folder / "a" / "000000000001.ticket"):
        (note,) = ticket_notes(folder / "a")
    assert (note.has_place, note.pid, note.session) == (False, None, None)


async def test_a_ticket_that_cannot_be_opened_is_waited_for(folder: Path, steps: Steps) -> None:
    (folder / "a").mkdir(parents=True)
    ticket = folder / "a" / "000000000001.ticket"
    ticket.symlink_to(ticket)
    with pytest.raises(LaneTimeout):
        await steps.run(UserLanes(folder=folder, wait_s=0.01), "1")


async def test_a_full_queue_refuses_at_once(folder: Path, steps: Steps) -> None:
    lanes = UserLanes(folder=folder, max_queued=1)
    async with steps.slot(lanes, "1"):
        second = asyncio.create_task(steps.run(lanes, "2"))
        await steps.until("2 queued")
        with pytest.raises(LaneFull, match=r"^1 runs of agent 'a' are already waiting$"):
            await steps.run(lanes, "3")
    await second


async def test_waiting_has_an_end_and_leaves_no_ticket(folder: Path, steps: Steps) -> None:
    async with steps.slot(UserLanes(folder=folder), "1"):
        with pytest.raises(LaneTimeout, match=r"waited 0\.01 s"):
            await steps.run(UserLanes(folder=folder, wait_s=0.01), "2")
        assert seen(folder) == [("1", True)]
    assert steps.lines == ["1 acquired", "2 queued", "1 released"]


async def test_a_waiter_that_is_cancelled_leaves_no_gap(folder: Path, steps: Steps) -> None:
    lanes = UserLanes(folder=folder)
    async with steps.slot(lanes, "1"):
        gone = asyncio.create_task(steps.run(lanes, "2"))
        await steps.until("2 queued")
        stays = asyncio.create_task(steps.run(lanes, "3"))
        await steps.until("3 queued")
        gone.cancel()
        await asyncio.wait([gone])
        assert seen(folder) == [("1", True), ("3", False)]
    await stays
    assert "2 acquired" not in steps.lines


async def test_a_run_that_fails_gives_its_slot_back(folder: Path, steps: Steps) -> None:
    with pytest.raises(ValueError, match="broken"):
        async with steps.slot(UserLanes(folder=folder), "1"):
            raise ValueError("broken")
    assert (seen(folder), steps.lines[-1]) == ([], "1 released")


async def test_a_lane_that_another_process_has_locked_for_a_moment_is_waited_for(folder: Path, steps: Steps) -> None:
    with flock(folder / "a" / LOCK):
        enters = asyncio.create_task(steps.run(UserLanes(folder=folder), "1"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert steps.lines == []
    await enters
    assert steps.lines == ["1 acquired", "1 released"]


async def test_a_lane_that_stays_locked_ends_the_wait(folder: Path, steps: Steps) -> None:
    with flock(folder / "a" / LOCK), pytest.raises(LaneTimeout):
        await steps.run(UserLanes(folder=folder, wait_s=0.01), "1")


async def test_files_are_private(folder: Path, steps: Steps) -> None:
    async with steps.slot(UserLanes(folder=folder), "1"):
        found = modes(folder)
    assert found == {"lanes": 0o700, "a": 0o700, LOCK: 0o600, "000000000001.ticket": 0o600}


async def test_a_folder_that_cannot_be_made_is_one_error(tmp_path: Path, steps: Steps) -> None:
    with flock(tmp_path / "file"), pytest.raises(UsageError, match=r"the lane cannot be kept in .*file/a"):
        await steps.run(UserLanes(folder=tmp_path / "file"), "1")


async def test_a_file_system_without_locks_is_an_error(
    folder: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    with pytest.raises(UsageError, match="No locks available"):
        await steps.run(UserLanes(folder=folder), "1")


async def test_a_new_ticket_that_is_locked_by_another_program_is_an_error(folder: Path, steps: Steps) -> None:
    with flock(folder / "a" / "new"), pytest.raises(UsageError, match="new is locked"):
        await steps.run(UserLanes(folder=folder), "1")


async def test_a_ticket_that_cannot_be_named_keeps_no_lock(
    folder: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        broken.setattr(Path, "replace", refused)
        with pytest.raises(UsageError, match="Input/output"):
            await steps.run(UserLanes(folder=folder), "1")
    await steps.run(UserLanes(folder=folder), "2")
    assert steps.lines == ["2 acquired", "2 released"]


async def test_a_waiter_whose_loop_was_closed_is_passed_over(folder: Path, steps: Steps) -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    user_lanes._waiting[folder / "a"] = [(loop, asyncio.Event())]
    await steps.run(UserLanes(folder=folder), "1")
    assert steps.lines == ["1 acquired", "1 released"]
