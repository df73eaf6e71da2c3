"""One mutant and the tests that may see it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from checkout import Copy
from choice import Choice
from line_map import Test, pytest_command
from places import Mutant

FAILED = 1
CAUGHT = "caught"
SURVIVED = "survived"
UNSEEN = "no test runs it"


@dataclass(frozen=True)
class Outcome:
    """How a mutant ended."""

    verdict: str
    by: str
    tests: int
    of: int
    seconds: float


@contextmanager
def _applied(copy: Copy, mutant: Mutant) -> Iterator[None]:
    copy.write(mutant.place.path, mutant.after)
    try:
        yield
    finally:
        copy.write(mutant.place.path, mutant.before)


def _kill(process: subprocess.Popen[str], copy: Copy) -> None:
    """End the tests, and what they have started in the copy's environment."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    for pid in copy.processes():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _ran(copy: Copy, command: Sequence[str], limit_s: float) -> tuple[int | None, str]:
    """The exit code of a command in the copy, None where it was too slow, and what it printed."""
    process = subprocess.Popen(
        command,
        cwd=copy.root,
        env=copy.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        _kill(process, copy)
        shutil.rmtree(copy.root.parent / "t", ignore_errors=True)
    return process.returncode, output


def _failing(output: str) -> str:
    """The line that names what failed."""
    lines = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR ", "E  "))]
    named = [line for line in lines if not line.startswith("E  ")] or lines or output.splitlines()[-1:]
    return named[0][:200] if named else ""


def _in_runs(tests: Sequence[Test]) -> Iterator[tuple[str, list[Test]]]:
    for project, group in groupby(sorted(tests, key=lambda test: test.project), key=lambda test: test.project):
        yield project, list(group)


def _caught_by(copy: Copy, mutant: Mutant, tests: Sequence[Test], limit_s: float) -> str:
    """What sees the mutant, or nothing; an end that is not a failed test counts only where it needs the mutant."""
    for project, group in _in_runs(tests):
        listed = copy.root.parent / "tests.txt"
        listed.write_text(
            "".join(f"{test.id if project == '.' else f'{project}/{test.id}'}\n" for test in group), "utf-8"
        )
        command = pytest_command(copy, project, f"@{listed}")
        with _applied(copy, mutant):
            code, output = _ran(copy, command, limit_s)
        if code == FAILED:
            return _failing(output)
        if code != 0 and _ran(copy, command, limit_s)[0] == 0:
            return "too slow" if code is None else _failing(output)
    return ""


def tried(copy: Copy, mutant: Mutant, choice: Choice, *, limit_s: float) -> Outcome:
    """Run the tests of a choice with the mutant."""
    if not choice.tests:
        return Outcome(UNSEEN, "", 0, 0, 0.0)
    begin = time.monotonic()
    by = _caught_by(copy, mutant, choice.tests, limit_s)
    seconds = round(time.monotonic() - begin, 1)
    return Outcome(CAUGHT if by else SURVIVED, by, len(choice.tests), choice.all, seconds)


def changed_lines(mutant: Mutant) -> list[str]:
    """The lines that the mutation takes away and adds."""
    before, after = mutant.before.splitlines(), mutant.after.splitlines()
    first = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    last = next((n for n, pair in enumerate(zip(before[::-1], after[::-1], strict=False)) if pair[0] != pair[1]), 0)
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    return [*(f"-{line}" for line in old), *(f"+{line}" for line in new)]


def removed(folder: Path) -> None:
    """Remove the folder of a copy."""
    shutil.rmtree(folder, ignore_errors=True)
