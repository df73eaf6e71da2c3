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
