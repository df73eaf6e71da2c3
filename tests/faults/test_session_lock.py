"""Two processes never write one session, and nobody who died keeps it."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from finclaw_cli.core.errors import SessionBusy
from finclaw_cli.transcript.lock import session_lock
from finclaw_cli.transcript.reader import Damage, read_file
from tests.e2e.harness import Finclaw, call
from tests.faults.test_pipes_and_signals import finish, read_until

LONG = os.environ.get("FINCLAW_FAULTS") == "long"
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


def test_of_a_crowd_let_go_at_one_moment_exactly_one_gets_it_every_time(tmp_path: Path):
    rounds = 1_000 if LONG else 40
    racers = [sys.executable, "-m", "tests.faults.lock_racers", str(tmp_path), "32", str(rounds)]
    done = subprocess.run(racers, capture_output=True, text=True, timeout=100, check=True)
    answers = [sorted(json.loads(line)) for line in done.stdout.splitlines()]
    assert answers == [["busy"] * 31 + ["held"]] * rounds


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


def test_a_holder_that_was_killed_is_followed_by_one_of_those_who_wait(path: Path):
    crowd = [holder(path, timeout_s=PROMPTLY_S) for _ in range(30 if LONG else 8)]
    with selectors.DefaultSelector() as heard:
        for process in crowd:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("go\n")
            process.stdin.flush()
            heard.register(process.stdout, selectors.EVENT_READ, process)
        while heard.get_map():
            ready = heard.select(PROMPTLY_S)
            assert len(ready) == 1  # never two
            process = ready[0][0].data
            assert process.stdout.readline() == "held\n"
            heard.unregister(process.stdout)
            process.kill()
    end(*crowd)


@pytest.mark.parametrize(
    "starts",
    [
        "child = os.fork() or time.sleep(60)",
        "child = multiprocessing.get_context('fork').Process(target=time.sleep, args=(60,)); child.start(); child = child.pid",
        "child = subprocess.Popen(['sleep', '60'], close_fds=False).pid",
    ],
    ids=["fork", "multiprocessing", "subprocess"],
)
def test_a_child_that_outlives_its_holder_does_not_keep_it(path: Path, starts: str):
    process = holder(path, inside=f"import multiprocessing, os, subprocess, time; {starts}; print(child)")
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


def sleeping_run(finclaw: Finclaw, session: str, seconds: float) -> tuple[subprocess.Popen[bytes], bytes, Path]:
    """A run in that session whose tool is asleep, what it has printed, and its transcript."""
    model = finclaw.script({"tool_calls": [call("sleepy", seconds=seconds)]}, {"text": "First."}, name="first.json")
    process = finclaw.start_cold("run", "-o", "ndjson", "--session", session, "-m", model, "x")
    return process, read_until(process, b'"running"'), finclaw.home / "sessions" / f"{session}.jsonl"


def damage(transcript: Path) -> list[Damage]:
    return [item for item in read_file(transcript) if isinstance(item, Damage)]


def test_a_run_that_is_stopped_keeps_its_session_and_goes_on_unharmed(finclaw: Finclaw):
    process, before, transcript = sleeping_run(finclaw, "stopped", 0.5)
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
    named = f"session stopped is being written by process {process.pid} on "
    with pytest.raises(SessionBusy, match=named), ExitStack() as entered:
        entered.enter_context(session_lock(transcript, timeout_s=0.2))
    process.send_signal(signal.SIGCONT)
    ran = finish(process, before)
    assert (ran.result["text"], ran.code, damage(transcript)) == ("First.", 0, [])


def test_a_lock_file_that_is_removed_under_a_run_lets_no_second_writer_in(finclaw: Finclaw):
    process, before, transcript = sleeping_run(finclaw, "robbed", 60)
    transcript.with_suffix(".lock").unlink()
    second = finclaw("run", "-o", "ndjson", "--session", "robbed", "-m", finclaw.script({"text": "Second."}), "y")
    process.send_signal(signal.SIGINT)
    first = finish(process, before)
    assert damage(transcript) == []
    assert (second.code, first.result["exit_code"]) == (11, 130)


def test_a_lock_that_was_given_back_tells_of_nobody(path: Path):
    for _ in range(2):
        with session_lock(path) as held:
            assert (held.stale, held.by_marker) == (None, None)
    assert path.with_suffix(".lock").read_bytes() == b""


def test_whoever_gets_it_after_a_crash_is_told_who_died(path: Path):
    process = holder(path)
    assert told(process) == "held"
    process.kill()
    process.wait(PROMPTLY_S)
    with session_lock(path, timeout_s=PROMPTLY_S) as held:
        assert held.stale is not None
        assert held.stale.pid == process.pid
    end(process)


# What a network file system without locks says to whoever asks for one.
NO_LOCKS = (
    "import errno, fcntl, os\ndef refused(*_): raise OSError(errno.ENOLCK, 'No locks available')\nfcntl.flock = refused"
)


def without_locks(path: Path) -> subprocess.Popen[str]:
    code = f"{NO_LOCKS}\n{HOLDER.format(inside='pass')}"
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path), "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_where_the_file_system_cannot_lock_a_marker_does(path: Path):
    first, second = without_locks(path), without_locks(path)
    assert (told(first), told(second)) == ("held", "busy")
    assert path.with_suffix(".held").stat().st_mode & 0o777 == 0o600
    end(first, second)
    third = without_locks(path)
    assert told(third) == "held"
    end(third)
    assert not path.with_suffix(".held").exists()


def test_a_marker_whose_holder_died_on_this_machine_is_taken_over(path: Path):
    first = without_locks(path)
    assert told(first) == "held"
    first.kill()
    first.wait(PROMPTLY_S)
    second = without_locks(path)
    assert told(second) == "held"
    end(first, second)


def test_a_marker_of_another_machine_is_never_guessed_to_be_stale(path: Path):
    first = without_locks(path)
    assert told(first) == "held"
    marker = path.with_suffix(".held")
    content = marker.read_text().replace(os.uname().nodename, "elsewhere.example")
    first.kill()
    first.wait(PROMPTLY_S)
    marker.write_text(content)
    os.utime(marker, (0, 0))
    second = without_locks(path)
    assert told(second) == "busy"
    end(first, second)
