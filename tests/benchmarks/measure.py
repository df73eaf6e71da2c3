"""CPU seconds of processes and of work, in turn, so that a machine's moods hit all of them alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROUNDS = 7
LOOP_S = 0.055
"""What `loop_seconds` is where this machine is at its best."""
Measured = Callable[[], float]
"""One measurement: seconds, or bytes."""
# A child's peak is never less than what its parent had when it was started, so a parent that has nothing starts it.
PEAK = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = code = os.waitstatus_to_exitcode(status)
print(code, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The resource usage of a process that has ended."""

    cpu_s: float
    """Of the process and of those that it waited for."""
    wall_s: float
    at: float
    """When, by the monotonic clock, which all processes of a machine share."""


class Failed(RuntimeError):
    """A command that was to be measured and did not succeed."""

    def __init__(self, command: Sequence[str], code: int, said: bytes) -> None:
        last = said.decode(errors="replace").strip()[-400:]
        super().__init__(f"{' '.join(command)[:300]}: exit code {code}: {last}")


def run(
    command: Sequence[str],
    env: Mapping[str, str],
    *,
    stdout: int = subprocess.DEVNULL,
    cwd: Path | None = None,
    started: Callable[[int], None] = lambda _pid: None,
) -> Ended:
    """Run a command to its end; `started` is told its process id.

    Raises:
        Failed: its exit code is not 0.
    """
    with tempfile.TemporaryFile() as said:
        began = time.monotonic()
        process = subprocess.Popen(
            command, env=dict(env), stdin=subprocess.DEVNULL, stdout=stdout, stderr=said, cwd=cwd
        )
        started(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        at = time.monotonic()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise Failed(command, process.returncode, said.read())
    return Ended(cpu_s=usage.ru_utime + usage.ru_stime, wall_s=at - began, at=at)


def cpu_seconds(command: Sequence[str], env: Mapping[str, str], stdout: int = subprocess.DEVNULL) -> float:
    """User and system time of one run of a command."""
    return run(command, env, stdout=stdout).cpu_s


def peak_bytes(command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None) -> float:
    """The most memory that a command ever held."""
    launcher = [sys.executable, "-S", "-c", PEAK, *command]
    done = subprocess.run(launcher, env=dict(env), cwd=cwd, capture_output=True, check=True)
    code, peak = done.stdout.split()
    if int(code):
        raise Failed(command, int(code), done.stderr)
    return float(peak)


def in_turn(cases: Mapping[str, Measured], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Each case measured once a round, A B A B; a first round warms up and is not counted."""
    seen: dict[str, list[float]] = {name: [] for name in cases}
    for once in cases.values():
        once()
    for _ in range(rounds):
        for name, once in cases.items():
            seen[name].append(once())
    return seen


def loop_seconds() -> float:
    """CPU time of a loop of 1.5 million additions: how fast the machine is at this moment."""
    began = time.process_time()
    total = 0
    for number in range(1_500_000):
        total += number
    return time.process_time() - began


def compare(cases: Mapping[str, Measured], rounds: int = ROUNDS) -> None:
    """Print each case's median, its ratio to the first case, round by round, and its median at the best speed.

    That speed is the one at which the loop takes LOOP_S; the loop is measured beside each case.
    """
    loops: dict[str, list[float]] = {name: [] for name in cases}

    def beside(name: str, once: Measured) -> float:
        before = loop_seconds()
        seconds = once()
        loops[name].append((before + loop_seconds()) / 2)
        return seconds

    seen = in_turn({name: partial(beside, name, once) for name, once in cases.items()}, rounds)
    yardstick = next(iter(seen.values()))
    for name, values in seen.items():
        ratio = statistics.median(value / base for value, base in zip(values, yardstick, strict=True))
        beside_it = loops[name][1:]  # without that of the first round
        loop = statistics.median(beside_it)
        scaled = statistics.median(value * LOOP_S / loop for value, loop in zip(values, beside_it, strict=True))
        print(
            f"{name:40} {statistics.median(values) * 1000:8.1f} ms CPU   {ratio:6.2f} ×   "
            f"loop {loop * 1000:4.0f} ms   {scaled * 1000:8.1f} ms at {LOOP_S * 1000:.0f}"
        )


def scratch_home(folder: Path) -> dict[str, str]:
    """An environment with a home of its own, no keys, and an interpreter as users have it: what is compiled is kept."""
    hidden = ("FINCLAW_", "ANTHROPIC_", "OPENAI_", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return {**kept, "FINCLAW_HOME": str(folder)}
