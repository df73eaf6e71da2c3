"""Calls that change one file at the same time: none loses what another one wrote."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from folders import names

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.sdk.files import atomic, beneath, locking
from finclaw_cli.sdk.files.beneath import KernelOpener, best_opener
from finclaw_cli.sdk.files.root import Root
from finclaw_cli.testing.runs import play
from finclaw_workspace.editing import edit
from finclaw_workspace.writing import write

WORKERS, EDITS = 4, 25
A_WHILE_S, PROMPTLY_S = 0.5, 60
PROCESS = """
import sys
from pathlib import Path
from finclaw_cli.testing.tools import tool_context
from finclaw_workspace.editing import edit
context = tool_context(workspace=Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    name = f"{sys.argv[2]}-{number}."
    edit("a", f"{name}old", f"{name}new", context)
"""


@pytest.fixture
def context(workspace: Path, tool_context: ToolContext) -> ToolContext:
    return replace(tool_context, workspace=workspace)


def lines(what: str) -> str:
    return "".join(f"{worker}-{number}.{what}\n" for worker in range(WORKERS) for number in range(EDITS))


def test_threads_that_edit_one_file_lose_no_edit(workspace: Path, context: ToolContext) -> None:
    (workspace / "a").write_text(lines("old"))
    together = threading.Barrier(WORKERS)

    def work(worker: int) -> None:
        together.wait()
        for number in range(EDITS):
            edit("a", f"{worker}-{number}.old", f"{worker}-{number}.new", context)

    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(work, range(WORKERS)))
    assert (workspace / "a").read_text() == lines("new")
    assert names(workspace) == ["a"]


def test_calls_of_one_turn_that_edit_one_file_lose_no_edit(
    workspace: Path, finclaw_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace)
    (workspace / "a").write_text(lines("old"))
    turns = [
        {
            "tool_calls": [
                {
                    "name": "edit",
                    "input": {"path": "a", "old": f"{worker}-{number}.old", "new": f"{worker}-{number}.new"},
                }
                for worker in range(WORKERS)
                for number in numbers
            ]
        }
        for numbers in (range(EDITS)[start : start + 5] for start in range(0, EDITS, 5))
    ]
    played = play([*turns, {"text": "done"}], edit, approved=True)
    assert [call.result for call in played.calls if call.status != "completed"] == []
    assert (workspace / "a").read_text() == lines("new")


@pytest.mark.skipif(not isinstance(best_opener(), KernelOpener), reason="only this opener asks for names")
def test_a_file_that_is_replaced_while_it_is_opened_is_opened_again(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "a").write_text("old")
    (workspace / "new").write_text("new")
    known = beneath.name_of

    def replacing(fd: int) -> str:
        if (workspace / "new").exists():
            (workspace / "new").replace(workspace / "a")
        return known(fd)

    monkeypatch.setattr(beneath, "name_of", replacing)
    with Root(workspace) as root, root.reading("a") as (found, _):
        assert (found.parts, os.read(found.fd, 9)) == (("a",), b"new")


def test_processes_that_edit_one_file_lose_no_edit(workspace: Path, finclaw_home: Path) -> None:
    (workspace / "a").write_text(lines("old"))
    command = [sys.executable, "-c", PROCESS, str(workspace)]
    running = [
        subprocess.Popen([*command, str(worker), str(EDITS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for worker in range(WORKERS)
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        process.communicate(timeout=PROMPTLY_S)
    assert [process.returncode for process in running] == [0] * WORKERS
    assert (workspace / "a").read_text() == lines("new")


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Events for the first call that is about to put its file in place, and for its going on."""
    arrived, gate = threading.Event(), threading.Event()
    rename = os.rename

    def waiting(*names: object, **folders: object) -> None:
        if not arrived.is_set():
            arrived.set()
            assert gate.wait(PROMPTLY_S)
        rename(*names, **folders)  # type: ignore[call-overload]

    monkeypatch.setattr(atomic.os, "rename", waiting)
    yield arrived, gate
    gate.set()


@pytest.fixture(params=["with locks", "on a file system without locks"])
def file_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "with locks":
        monkeypatch.setattr(locking, "flock", cannot_lock)


def cannot_lock(folder: int, how: int) -> None:
    raise OSError(9, "Bad file descriptor")


@pytest.mark.usefixtures("file_system")
def test_an_edit_waits_for_one_that_has_not_put_its_file_in_place(
    workspace: Path, context: ToolContext, paused: tuple[threading.Event, threading.Event]
) -> None:
    (workspace / "a").write_text("one two\n")
    at_once(paused, partial(edit, "a", "one", "1", context), partial(edit, "a", "two", "2", context))
    assert (workspace / "a").read_text() == "1 2\n"


@pytest.mark.usefixtures("file_system")
def test_a_file_that_two_calls_create_is_created_by_one_and_replaced_by_the_other(
    workspace: Path, context: ToolContext, paused: tuple[threading.Event, threading.Event]
) -> None:
    answers = at_once(paused, partial(write, "a", "one\n", context), partial(write, "a", "two\n", context))
    assert [str(words).split()[0] for words in answers] == ["created", "replaced"]
    assert (workspace / "a").read_text() == "two\n"


def at_once(
    paused: tuple[threading.Event, threading.Event], first: Callable[[], object], second: Callable[[], object]
) -> list[object]:
    """Start a second call while the first is about to put its file in place; what both answer."""
    arrived, gate = paused
    with ThreadPoolExecutor(2) as workers:
        one = workers.submit(first)
        assert arrived.wait(PROMPTLY_S)
        two = workers.submit(second)
        with pytest.raises(TimeoutError):
            two.result(A_WHILE_S)
        gate.set()
        return [one.result(PROMPTLY_S), two.result(PROMPTLY_S)]


@pytest.fixture
def kept(workspace: Path) -> Iterator[None]:
    """Another process keeps the folder locked."""
    folder = os.open(workspace, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    yield
    os.close(folder)


@pytest.mark.usefixtures("kept")
def test_a_folder_that_stays_locked_is_not_waited_for_for_ever(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locking, "PATIENCE_S", 0.05)
    with pytest.raises(ToolError, match=r"^BUSY: "):
        write("a", "one\n", context)


@pytest.mark.usefixtures("kept")
def test_a_call_that_is_cancelled_waits_for_no_lock(workspace: Path, context: ToolContext) -> None:
    context.cancelled.set()
    with pytest.raises(ToolError, match=r"^CANCELLED: "):
        write("a", "one\n", context)
    assert names(workspace) == []
