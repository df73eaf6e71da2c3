"""However a run ends, its last line, its exit code and its transcript say the same."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest

from finclaw_cli.core.events.agent import Emitted
from finclaw_cli.output.ndjson import encode
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import Damage, read_file
from finclaw_cli.transcript.replay import events_of
from tests.e2e.harness import Finclaw, Ran, call
from tests.faults.test_pipes_and_signals import PROMPTLY_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="takes a pipe that holds one line")

LONG = os.environ.get("FINCLAW_FAULTS") == "long"
TURNS = (
    {"text": "Let me look.", "tool_calls": [call("price", symbol="ACME")], "delta_chars": 99},
    {"text": "It is 42.10.", "delta_chars": 99},
)
# What such a run prints.
LINES = (
    "start",
    "turn_start",
    "delta",
    "tool_call announced",
    "tool_call requested",
    "tool_call running",
    "tool_call completed",
    "turn_complete",
    "turn_start",
    "delta",
    "turn_complete",
    "result",
)
# One line lies in the pipe and another waits to be written when a line has been read: these come before the result.
BEFORE_THE_RESULT = range(len(LINES) - 3)
# From here on the first request has been made, and with it the session.
FIRST_REQUESTED = LINES.index("turn_start") + 2
# Every signal at every line on demand; else one at each, and the others at some.
SENT = [
    pytest.param(at, number, id=f"{number.name} at {at} {line}")
    for at, line in enumerate(LINES)
    for place, number in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    if LONG or place == at % 3 or line in {"tool_call running", "result"}
]


def transcript_of(finclaw: Finclaw, session: str) -> Path:
    return finclaw.home / "sessions" / f"{session}.jsonl"


def told_again(transcript: Path) -> list[bytes]:
    """The lines that a replay of an undamaged transcript prints."""
    found = list(read_file(transcript))
    assert [item for item in found if isinstance(item, Damage)] == []
    emitted = [item for item in events_of(found) if isinstance(item, Emitted) and item.event.type.startswith("agent.")]
    return [encode(item, seq) for seq, item in enumerate(emitted)]


def recorded_end(finclaw: Finclaw, session: str) -> tuple[str, int]:
    """How the run ended, by its undamaged transcript: with its result, or with why that could not be told."""
    *_, last = read_file(transcript_of(finclaw, session))
    assert isinstance(last, Line)
    assert last.type in {"agent.result", "exit"}
    return str(last.data["status"]), cast("int", last.data["exit_code"])


def agrees(finclaw: Finclaw, ran: Ran, session: str) -> bool:
    """Whether the last line says the exit code, and the transcript the same as all the lines."""
    return bool(ran.result) and b"".join(told_again(transcript_of(finclaw, session))) == ran.stdout


class Slow:
    """A run whose stdout is a pipe with room for one line: it goes on when a line is read."""

    def __init__(self, finclaw: Finclaw, session: str, *more: str) -> None:
        self._pipe, write_end = os.pipe2(os.O_DIRECT | os.O_CLOEXEC)
        fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 4096)
        arguments = ("run", "-o", "ndjson", "--session", session, "-m", finclaw.script(*TURNS), *more, "x")
        self.process = finclaw.start(*arguments, stdout=write_end)
        os.close(write_end)
        self.seen = b""

    def read(self, lines: int) -> None:
        while self.seen.count(b"\n") < lines:
            piece = os.read(self._pipe, 65_536)
            assert piece, self.seen
            self.seen += piece

    def unread(self) -> int:
        """How many bytes lie in the pipe."""
        return int.from_bytes(fcntl.ioctl(self._pipe, termios.FIONREAD, bytes(4)), sys.byteorder)

    def signal(self, number: signal.Signals) -> None:
        """Send it, and wait until the process has taken it and waits again, or has ended."""
        self.process.send_signal(number)
        about = Path(f"/proc/{self.process.pid}")
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            while self.process.poll() is None:
                pending = [line.split()[1] for line in (about / "status").read_text().splitlines() if "Pnd:" in line]
                if {int(mask, 16) for mask in pending} == {0} and "poll" in (about / "wchan").read_text():
                    return
                time.sleep(0.005)

    def rest(self) -> Ran:
        while piece := os.read(self._pipe, 65_536):
            self.seen += piece
        return self.gone()

    def gone(self) -> Ran:
        os.close(self._pipe)
        _, stderr = self.process.communicate(timeout=PROMPTLY_S)
        return Ran(self.process.returncode, self.seen, stderr.decode())


def test_a_run_prints_these_lines_and_its_transcript_has_them_all(finclaw: Finclaw) -> None:
    slow = Slow(finclaw, "whole")
    ran = slow.rest()
    told = [f"{line['type']} {line.get('status', '')}" for line in ran.lines[:-1]]
    assert [line.strip().removeprefix("agent.") for line in told] == list(LINES[:-1])
    assert ran.code == 0
    assert agrees(finclaw, ran, "whole")


@pytest.mark.parametrize(("at", "number"), SENT)
def test_a_signal_when_a_line_was_just_read_ends_it_in_agreement(
    finclaw: Finclaw, at: int, number: signal.Signals
) -> None:
    session = f"signal-{number}-{at}"
    slow = Slow(finclaw, session)
    slow.read(at + 1)
    slow.signal(number)
    ran = slow.rest()
    if transcript_of(finclaw, session).exists() or at >= FIRST_REQUESTED:
        assert agrees(finclaw, ran, session)
    else:  # before the first request
        assert ran.result["status"] == "aborted"
    ends = {("aborted", -number)} if at in BEFORE_THE_RESULT else {("aborted", -number), ("completed", 0)}
    assert (ran.result["status"], ran.code) in ends
    if LONG or LINES[at] == "tool_call running":
        assert finclaw("replay", "-o", "ndjson", session).stdout == ran.stdout


@pytest.mark.parametrize("at", BEFORE_THE_RESULT, ids=lambda at: f"{at} {LINES[at]}")
def test_a_reader_that_leaves_when_it_has_read_a_line_is_what_the_transcript_tells(finclaw: Finclaw, at: int) -> None:
    slow = Slow(finclaw, f"left-{at}")
    slow.read(at + 1)
    ran = slow.gone()
    assert (ran.code, "Traceback" in ran.stderr) == (-signal.SIGPIPE, False)
    if transcript_of(finclaw, f"left-{at}").exists() or at >= FIRST_REQUESTED:
        assert recorded_end(finclaw, f"left-{at}") == ("aborted", 141)


def test_a_reader_that_leaves_when_only_the_result_is_to_be_told_is_what_the_transcript_tells(finclaw: Finclaw) -> None:
    for session in ("left-last", *(f"left-last-{number}" for number in range(20))):
        slow = Slow(finclaw, session)
        slow.read(len(LINES) - 2)
        while b'"agent.result"' not in transcript_of(finclaw, session).read_bytes():
            time.sleep(0.005)
        last_but_one = told_again(transcript_of(finclaw, session))[-2]
        if slow.unread() == len(last_but_one):  # it lies in the pipe, and the result waits to be written
            break
        slow.gone()  # two lines were written at once
    ran = slow.gone()
    assert ran.code == -signal.SIGPIPE
    assert recorded_end(finclaw, session) == ("aborted", 141)


@pytest.mark.parametrize("lines", range(1, 9) if LONG else (1, 4, 8))
def test_head_gets_its_lines_and_the_exit_code_is_in_the_transcript(finclaw: Finclaw, lines: int) -> None:
    model = finclaw.script(TURNS[0], {**TURNS[1], "delay_s": 60})
    command = f"$FINCLAW run -o ndjson --session head-{lines} -m {model} x | head -n {lines}; exit ${{PIPESTATUS[0]}}"
    done = finclaw.shell(command)
    assert (done.returncode, b"Traceback" in done.stderr) == (141, False)
    assert done.stdout.splitlines(keepends=True) == told_again(transcript_of(finclaw, f"head-{lines}"))[:lines]
    assert recorded_end(finclaw, f"head-{lines}") == ("aborted", 141)


def test_a_full_disk_behind_stdout_is_told_on_stderr_and_asks_no_model(finclaw: Finclaw) -> None:
    done = in_shell(finclaw, "full", ">/dev/full")
    assert (done.returncode, b"No space left" in done.stderr) == (1, True)
    assert not transcript_of(finclaw, "full").exists()


def test_a_closed_stdout_prints_nothing_and_leaves_no_transcript(finclaw: Finclaw) -> None:
    done = in_shell(finclaw, "closed", ">&-")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert not transcript_of(finclaw, "closed").exists()


@pytest.mark.parametrize(
    ("before", "behind"),
    [("", "| head -n 100"), ("setsid -w", ""), ("", "<&-"), ("exec 9<>pipe;", "--stdin-timeout 0.2 <&9")],
    ids=["a reader that takes all", "no terminal", "a closed stdin", "a silent stdin"],
)
def test_surroundings_that_take_nothing_away_leave_all_in_agreement(
    finclaw: Finclaw, before: str, behind: str, tmp_path: Path
) -> None:
    done = in_shell(finclaw, tmp_path.name, behind, before)
    ran = Ran(done.returncode, done.stdout, done.stderr.decode())
    assert agrees(finclaw, ran, tmp_path.name)
    assert ran.result["status"] == "completed"


def in_shell(finclaw: Finclaw, session: str, behind: str, before: str = "") -> subprocess.CompletedProcess[bytes]:
    run = f"$FINCLAW run -o ndjson --session {session} -m {finclaw.script(*TURNS)} x"
    return finclaw.shell(f"set -o pipefail; mkfifo pipe; {before} {run} {behind}")
