"""A run that died keeps no place in its lane, also where a process that it forked lives on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from finclaw_cli.engine.lane_tickets import ticket_notes
from tests.e2e.harness import wait_until

PROMPTLY_S = 30
HOLDER = """
import multiprocessing, os, subprocess, sys, time
from pathlib import Path
from finclaw_cli.engine.lane_tickets import LaneFolder
lane = LaneFolder(Path(sys.argv[1]))
with lane.locked():
    ticket = lane.add(lane.tickets(), "s")
    {starts}
print(child, flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize(
    "starts",
    [
        "child = os.fork() or time.sleep(60)",
        "child = multiprocessing.get_context('fork').Process(target=time.sleep, args=(60,)); child.start(); child = child.pid",
        "child = subprocess.Popen(['sleep', '60'], close_fds=False).pid",
    ],
    ids=["fork", "multiprocessing", "subprocess"],
)
def test_a_child_that_outlives_the_run_does_not_keep_its_place(tmp_path: Path, starts: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER.format(starts=starts), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    child = int(process.stdout.readline())
    assert [note.pid for note in ticket_notes(tmp_path)] == [process.pid]
    process.send_signal(signal.SIGKILL)
    process.wait(PROMPTLY_S)
    try:
        wait_until(lambda: ticket_notes(tmp_path) == [])  # its child may still be on its way to letting go
        os.kill(child, 0)  # and lives
    finally:
        os.kill(child, signal.SIGKILL)
        process.communicate(timeout=PROMPTLY_S)


CROWD = """
import asyncio, os, sys
from pathlib import Path
from finclaw_cli.engine.user_lanes import UserLanes
folder = Path(sys.argv[1])
log = os.open(folder / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
async def step(step):
    pass
async def run():
    async with UserLanes(folder=folder / "lanes").slot("a", step, "s"):
        os.write(log, b"+")
        await asyncio.sleep(0)
        os.write(log, b"-")
async def main():
    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(run())
processes = []
for _ in range(6):
    if not (process := os.fork()):
        asyncio.run(main())
        os._exit(0)
    processes.append(process)
sys.exit(any(os.waitpid(process, 0)[1] for process in processes))
"""


def test_of_a_crowd_of_processes_one_run_at_a_time_has_the_place(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", CROWD, str(tmp_path)], check=True, timeout=PROMPTLY_S)
    assert (tmp_path / "log").read_text() == "+-" * 18
