"""CPU seconds of whole processes, in turn, so that a machine's moods hit all of them alike."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROUNDS = 7


def cpu_seconds(command: Sequence[str], env: Mapping[str, str], stdout: int) -> float:
    """User and system time of one run of a command."""
    process = subprocess.Popen(
        command, env=dict(env), stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def compare(cases: Mapping[str, Callable[[], float]], rounds: int = ROUNDS) -> None:
    """Print each case's median and its ratio to the first case, round by round."""
    seen: dict[str, list[float]] = {name: [] for name in cases}
    for once in cases.values():
        once()
    for _ in range(rounds):
        for name, once in cases.items():
            seen[name].append(once())
    yardstick = next(iter(seen.values()))
    for name, values in seen.items():
        ratio = statistics.median(value / base for value, base in zip(values, yardstick, strict=True))
        print(f"{name:40} {statistics.median(values) * 1000:8.1f} ms CPU   {ratio:6.2f} ×")


def scratch_home(folder: Path) -> dict[str, str]:
    """An environment with a home of its own and no keys."""
    hidden = ("FINCLAW_", "ANTHROPIC_", "OPENAI_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return {**kept, "FINCLAW_HOME": str(folder)}
