"""Tools that do not want to end: they do, with all they have started, and nobody else is harmed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.tools.bounded import GRACE_S
from tests.e2e.harness import Finclaw, Ran, call, ended, install_module, wait_until
from tests.faults.test_pipes_and_signals import read_until

PROMPTLY_S = 30
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


def marked(mark: str) -> dict[int, str]:
    """The processes that have this in their arguments; a zombie has none."""
    found = {}
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdecimal() and mark in (line := (folder / "cmdline").read_bytes().decode()):
                found[int(folder.name)] = line.replace("\0", " ")
    return found


@dataclass
class Wild:
    """The command with the wild plugin, and a mark that all it starts carries."""

    finclaw: Finclaw
    mark: str = field(default_factory=lambda: f"mark{uuid.uuid4().int % 10**12}")

    def call(self, name: str, **more: Any) -> dict[str, Any]:
        return call(name, mark=self.mark, **more)

    def start(self, *calls: dict[str, Any], limit_s: float = 1.5) -> subprocess.Popen[bytes]:
        model = self.finclaw.script({"tool_calls": list(calls)}, {"text": "Done."}, name=f"{self.mark}-script.json")
        env = {"FINCLAW_PLUGINS": "finclaw-wild", "WILD_TIMEOUT": str(limit_s)}
        return self.finclaw.start_cold("run", "-o", "ndjson", "-m", model, "x", env=env)

    def see(self, process: subprocess.Popen[bytes], at_least: int = 1) -> set[int]:
        """Wait until so many processes with the mark are there beside the command itself."""
        deadline = time.monotonic() + PROMPTLY_S
        while process.poll() is None and time.monotonic() < deadline:
            seen = marked(self.mark).keys() - {process.pid}
            if len(seen) >= at_least:
                return seen
            time.sleep(0.05)  # looking through /proc takes as long as a tool's start
        raise AssertionError("its processes were never seen")

    def end(self, process: subprocess.Popen[bytes], before: bytes = b"") -> Ran:
        """Let it end; when it has, nothing is left."""
        stdout, stderr = process.communicate(timeout=PROMPTLY_S)
        left = marked(self.mark)
        assert left == {}, stderr.decode()
        ran = Ran(process.returncode, before + stdout, stderr.decode())
        assert len(ran.of("agent.result")) == 1
        return ran


@pytest.fixture(scope="session")
def wild_home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder, home = tmp_path_factory.mktemp("wild"), tmp_path_factory.mktemp("home")
    install_module(folder, "finclaw-wild", (Path(__file__).parent / "wild_plugin.py").read_text())
    Finclaw(home, folder, home)("plugins", "trust", "finclaw-wild", env={"FINCLAW_PLUGINS": "finclaw-wild"})
    return folder, home


@pytest.fixture
def wild(wild_home: tuple[Path, Path], tmp_path: Path) -> Iterator[Wild]:
    plugins, home = wild_home
    it = Wild(Finclaw(home, plugins, tmp_path))
    yield it
    it.finclaw.clean_up()
    for pid in marked(it.mark):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def results(ran: Ran) -> dict[str, str]:
    return {line["name"]: line["result"] for line in ran.of("agent.tool_call") if line["result"] is not None}


FAMILIES: list[tuple[str, dict[str, Any], int]] = [
    ("keeps_starting", {}, 1),
    ("tree", {}, 2),
    ("async_tree", {}, 2),
    ("daemon", {}, 1),
    ("async_daemon", {}, 1),
    ("shell", {}, 2),
    ("from_threads", {}, 2),
    ("processes", {"how": "fork"}, 2),
    ("processes", {"how": "spawn"}, 1),
    ("processes", {"how": "forkserver"}, 1),
    ("async_processes", {"how": "fork"}, 1),
    ("async_processes", {"how": "spawn"}, 1),
    ("forks_and_stays", {}, 1),
]
NAMES = ["-".join([name, *more.values()]) for name, more, _ in FAMILIES]
FEW = ["tree", "async_tree", "daemon", "shell", "processes-fork", "forks_and_stays"]


@pytest.mark.parametrize(("name", "more", "at_least"), FAMILIES, ids=NAMES)
def test_a_timeout_ends_what_a_tool_has_started_and_nothing_else(
    wild: Wild, name: str, more: dict[str, Any], at_least: int
) -> None:
    limit_s = 3 if "processes" in name else 1.5
    longer_s = limit_s + GRACE_S + 2  # what was ended has its grace, too
    calls = [wild.call(name, **more), call("sibling", seconds=longer_s), call("sync_sibling", seconds=longer_s)]
    process = wild.start(*calls, limit_s=limit_s)
    wild.see(process, at_least)
    before = read_until(process, b'"status":"timeout"')
    # At its timeout, not at the end of the run: a process that was killed takes a moment to be gone.
    wait_until(lambda: marked(wild.mark).keys() <= {process.pid} or process.poll() is not None)
    assert process.poll() is None
    ran = wild.end(process, before)
    assert ended(ran.lines) == {name: "timeout", "sibling": "completed", "sync_sibling": "completed"}
    assert {results(ran)["sibling"], results(ran)["sync_sibling"]} == {"unharmed 0 True"}
    assert (ran.result["status"], ran.code) == ("completed", 0)
    ends = [line["name"] for line in ran.of("agent.tool_call") if line["status"] in {"completed", "timeout"}]
    assert ends[0] == name


@pytest.mark.parametrize(("name", "more", "at_least"), [FAMILIES[NAMES.index(name)] for name in FEW], ids=FEW)
def test_an_interrupt_ends_what_a_tool_has_started(wild: Wild, name: str, more: dict[str, Any], at_least: int) -> None:
    process = wild.start(wild.call(name, **more), limit_s=100)
    wild.see(process, at_least)
    if name == "shell":
        until_heard(process, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    ran = wild.end(process)
    assert ended(ran.lines) == {name: "cancelled"}
    assert (ran.result["status"], ran.code) == ("aborted", -signal.SIGINT)


def until_heard(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """`os.system` makes its process ignore Ctrl-C; wait until it no longer does."""
    ignored = 1 << (number - 1)
    while ignored:
        status = Path(f"/proc/{process.pid}/status").read_text()
        ignored &= int(status.partition("SigIgn:")[2].split()[0], 16)
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["ignores_cancellation", "sleeps_on"])
def test_work_that_cannot_be_ended_is_abandoned_counted_and_told(wild: Wild, name: str) -> None:
    ran = wild.end(wild.start(call(name), call(name) | {"id": "other"}, call("sibling", seconds=0.1)))
    lines = ran.of("agent.tool_call")
    assert sorted(line["status"] for line in lines if line["status"] in ENDED) == [
        "completed",
        "timeout",
        "timeout",
    ]
    warnings = [line for line in ran.of("agent.warning") if line["code"] == "tool_abandoned"]
    assert len(warnings) == 2
    assert "(2 in this run)" in warnings[-1]["message"]
    assert ran.result["exit_code"] == 0


@pytest.mark.parametrize("name", ["forks", "async_forks", "task_forks"])
def test_a_forked_child_never_goes_on_as_a_second_run(wild: Wild, name: str) -> None:
    ran = wild.end(wild.start(call(name), call("sibling", seconds=0.5)))
    assert ended(ran.lines) == {name: "completed", "sibling": "completed"}
    assert results(ran) == {name: "the parent", "sibling": "unharmed 0 True"}
    assert [line["turn"] for line in ran.of("agent.turn_start")] == [1, 2]
    recorded = (wild.finclaw.home / "sessions" / f"{ran.result['run_id']}.jsonl").read_text().splitlines()
    assert [json.loads(line)["seq"] for line in recorded] == list(range(len(recorded)))


@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver"])
def test_multiprocessing_works(wild: Wild, how: str) -> None:
    ran = wild.end(wild.start(call("pool", how=how)))
    assert results(ran) == {"pool": "[0, 2, 4, 6]"}


def test_what_a_tool_left_on_purpose_lives_until_the_run_ends(wild: Wild) -> None:
    process = wild.start(wild.call("leaves"), call("tree", mark="other"), call("sibling", seconds=4))
    seen = wild.see(process)
    ran = wild.end(process)
    assert ended(ran.lines) == {"leaves": "completed", "tree": "timeout", "sibling": "completed"}
    assert int(results(ran)["leaves"]) in seen


def test_the_limit_of_the_run_ends_everything(wild: Wild) -> None:
    model = wild.finclaw.script({"tool_calls": [wild.call("tree"), wild.call("leaves")]}, name=f"{wild.mark}.json")
    env = {"FINCLAW_PLUGINS": "finclaw-wild", "WILD_TIMEOUT": "100"}
    ran = wild.end(wild.finclaw.start_cold("run", "-o", "ndjson", "--timeout", "2", "-m", model, "x", env=env))
    assert ended(ran.lines) == {"tree": "cancelled", "leaves": "completed"}
    assert (ran.result["status"], ran.code) == ("timeout", 124)


def test_a_second_signal_leaves_nothing_either(wild: Wild) -> None:
    process = wild.start(wild.call("tree"), limit_s=100)
    wild.see(process, 3)
    for _ in range(2):
        process.send_signal(signal.SIGTERM)
        time.sleep(0.2)  # two at once would be one
    assert process.wait(PROMPTLY_S) == -signal.SIGTERM
    assert marked(wild.mark) == {}


def test_a_tool_called_by_hand_leaves_nothing(wild: Wild) -> None:
    ran = wild.finclaw("tools", "call", "daemon", f"mark={wild.mark}", env={"FINCLAW_PLUGINS": "finclaw-wild"})
    assert "timed out" in ran.stderr
    assert marked(wild.mark) == {}


def test_a_program_starts_while_another_thread_forks() -> None:
    racers = [sys.executable, "-m", "tests.faults.fork_racers", str(PROMPTLY_S)]
    ran = subprocess.run(racers, capture_output=True, check=True, cwd=Path(__file__).parents[2])
    assert (ran.stdout, ran.stderr) == (b"2\n", b"")
