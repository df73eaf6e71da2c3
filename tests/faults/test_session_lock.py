"""Two processes never write one session, and nobody who died keeps it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from finclaw_cli.core.errors import SessionBusy
from finclaw_cli.transcript.lock import session_lock

PROMPTLY_S = 30
# Holds the lock until its stdin ends; says what it got.
HOLDER = """
import sys
from pathlib import Path
from finclaw_cli.core.errors import SessionBusy
from finclaw_cli.transcript.lock import session_lock
sys.stdin.readline()
try:
    with session_lock(Path(sys.argv[1]), timeout_s=float(sys.argv[2])):
        {inside}
        print("held", flush=True)
        sys.stdin.readline()
except SessionBusy:
    print("busy", flush=True)
"""


def holder(path: Path, timeout_s: float = 0, inside: str = "") -> subprocess.Popen[str]:
    code = HOLDER.format(inside=inside or "pass")
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path), str(timeout_s)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def told(process: subprocess.Popen[str], word: str = "go\n") -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(word)
    process.stdin.flush()
    return process.stdout.readline().strip()


def end(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        process.communicate(timeout=PROMPTLY_S)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def test_of_many_exactly_one_gets_it(path: Path):
    processes = [holder(path) for _ in range(8)]
    answers = [told(process) for process in processes]
    assert sorted(answers) == ["busy"] * 7 + ["held"]
    end(*processes)


def test_the_error_names_who_holds_it(path: Path):
    process = holder(path)
    assert told(process) == "held"
    held_by = rf"session s is being written by process {process.pid} on .* since 20"
    with pytest.raises(SessionBusy, match=held_by), session_lock(path, timeout_s=0):
        pass
    end(process)


def test_a_holder_that_was_killed_frees_it_at_once(path: Path):
    process = holder(path)
    assert told(process) == "held"
    process.send_signal(signal.SIGKILL)
    process.wait(PROMPTLY_S)
    with session_lock(path, timeout_s=0):
        pass
    end(process)


def test_a_child_that_outlives_its_holder_does_not_keep_it(path: Path):
    forks = "import os, time\n        child = os.fork()\n        if not child: time.sleep(60)\n        print(child)"
    process = holder(path, inside=forks)
    child = int(told(process))
    process.send_signal(signal.SIGKILL)
    process.wait(PROMPTLY_S)
    try:
        with session_lock(path, timeout_s=PROMPTLY_S):  # its child may still be on its way to letting go
            os.kill(child, 0)  # and lives
    finally:
        os.kill(child, signal.SIGKILL)
        end(process)


def test_who_waits_gets_it_when_it_is_free(path: Path):
    first, second = holder(path), holder(path, timeout_s=PROMPTLY_S)
    assert told(first) == "held"
    assert second.stdin is not None
    second.stdin.write("go\n")
    second.stdin.flush()
    end(first)
    assert second.stdout is not None
    assert second.stdout.readline() == "held\n"
    end(second)


def test_the_lock_file_stays_and_is_private(path: Path):
    with session_lock(path):
        pass
    place = path.with_suffix(".lock")
    assert place.stat().st_mode & 0o777 == 0o600
