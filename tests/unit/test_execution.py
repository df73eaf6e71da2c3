"""One execution of a tool: its states, its time limit, its cancellation, and what it leaves behind."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from typing import get_args

import pytest

from finclaw_cli.core.errors import InvalidTransition
from finclaw_cli.core.events.agent import AgentToolCall, AgentWarning
from finclaw_cli.core.interruption import OutOfTime
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.tools.bounded import Bounded
from finclaw_cli.tools.execution import Executions, ExecutionStatus, ToolExecution
from finclaw_cli.tools.executor import Executor, ExecutorSettings
from finclaw_cli.tools.processes.process_tree import CallEnded
from finclaw_cli.tools.processes.threads import in_thread
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.time_limits import time_limit
from tests.unit.test_pipeline import Bench, bench, context

# Written out: read from the code, a wrong table would agree with itself.
LEGAL = {
    ("pending", "running"),
    ("pending", "cancelled"),
    ("pending", "completed"),  # without its tool: skipped, or known from before
    ("pending", "failed"),  # without its tool: denied, not valid, not found
    ("running", "completed"),
    ("running", "failed"),
    ("running", "cancelled"),
    ("running", "timeout"),
}
KEPT = 100
FOREVER = [sys.executable, "-c", "import time\nwhile True: time.sleep(1)"]


def execution(call_id: str = "c1") -> ToolExecution:
    return ToolExecution(id=call_id, tool="t", input={"n": 1}, timeout_s=5)


def moved(it: ToolExecution, state: ExecutionStatus) -> None:
    match state:
        case "pending":
            it._move("pending")
        case "running":
            it.start(lambda: None)
        case "completed":
            it.complete("x")
        case "failed":
            it.fail("x")
        case "cancelled":
            it.cancelled()
        case "timeout":
            it.time_out()


@pytest.mark.parametrize("source", get_args(ExecutionStatus))
@pytest.mark.parametrize("target", get_args(ExecutionStatus))
def test_only_the_moves_of_the_table_are_legal(source: ExecutionStatus, target: ExecutionStatus) -> None:
    it = execution()
    if source != "pending":
        it.start(lambda: None)
    if source not in {"pending", "running"}:
        moved(it, source)
    if (source, target) in LEGAL:
        moved(it, target)
        assert it.state == target
    else:
        with pytest.raises(InvalidTransition):
            moved(it, target)
        assert it.state == source


@pytest.mark.parametrize("state", get_args(ExecutionStatus))
def test_an_execution_is_over_in_the_states_that_it_cannot_leave(state: ExecutionStatus) -> None:
    it = execution()
    if state not in {"pending", "cancelled"}:
        it.start(lambda: None)
    if state not in {"pending", "running"}:
        moved(it, state)
    assert it.is_over == (state not in {"pending", "running"})


def test_an_execution_is_plain_json() -> None:
    it = execution()
    assert (it.to_json()["state"], it.to_json()["started"], it.duration_ms) == ("pending", None, 0)
    it.start(lambda: None)
    it.complete("done")
    told = json.loads(json.dumps(it.to_json()))
    assert (told["state"], told["result"], told["error"], told["input"]) == ("completed", "done", None, {"n": 1})
    assert told["created"] <= told["started"] <= told["finished"]
    assert told["finished"].endswith("Z")
    assert told["duration_ms"] == it.duration_ms >= 0


def test_the_last_hundred_are_kept() -> None:
    executions = Executions()
    for number in range(KEPT + 5):
        it = execution(str(number))
        executions.add(it)
        assert executions.current == (it,)
        executions.remove(it)
    assert [it.id for it in executions.past] == [str(number) for number in range(5, KEPT + 5)]
    assert not executions.cancel("7")


def test_what_has_not_begun_is_cancelled_at_once() -> None:
    executions, it = Executions(), execution()
    executions.add(it)
    assert executions.cancel("c1")
    assert (it.state, it.error) == ("cancelled", "cancelled")
    assert not it.cancel()


@pytest.mark.parametrize(
    ("name", "asked", "settings", "own", "limit"),
    [
        ("shell", 1, {"shell": 2}, 3, 1),
        ("shell", None, {"shell": 2}, 3, 2),
        ("shell", None, {}, 3, 3),
        ("shell", None, {}, None, 120),
        ("grep", None, {}, None, 60),
        ("write", None, {}, None, 10),
        ("anything", None, {"shell": 2}, None, 30),
    ],
)
def test_who_has_a_say_in_the_time_limit(
    name: str, asked: float | None, settings: dict[str, float], own: float | None, limit: float
) -> None:
    tool = replace(bench().tool, name=name, timeout_s=own)
    assert time_limit(tool, settings, asked) == limit


def executor(it: Bench) -> Executor:
    entry = ToolEntry(spec=it.tool, origin="test", load=lambda: it.tool)
    return Executor(ToolRegistry([entry]), it.services, context, it.settings, it.emit)


async def test_one_call_is_cancelled_and_its_sibling_goes_on() -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def wait(given: dict[str, object], context: ToolContext) -> object:
        began.set()
        await go_on.wait()
        return f"done {given['n']}"

    it = bench(wait)
    tools = executor(it)
    first, second = (asyncio.create_task(tools.answer(ToolCall(f"c{n}", "t", {"n": n}), 1)) for n in (1, 2))
    await began.wait()
    await asyncio.sleep(0)
    assert [(run.id, run.state) for run in tools.executions.current] == [("c1", "running"), ("c2", "running")]
    assert tools.executions.cancel("c1")
    result = await first
    assert (result.content, result.is_error) == ("cancelled", True)
    go_on.set()
    assert (await second).content == "done 2"
    assert [(run.id, run.state) for run in tools.executions.past] == [("c1", "cancelled"), ("c2", "completed")]
    assert sorted(it.ends) == ["cancelled", "completed"]


async def test_a_call_cancelled_before_its_tool_begins_is_never_begun() -> None:
    ran: list[int] = []

    async def count(given: dict[str, object], context: ToolContext) -> object:
        ran.append(1)
        return "x"

    it = bench(count)
    tools = executor(it)
    emit = tools._runner._emit

    async def cancel_first(event: object) -> None:
        if isinstance(event, AgentToolCall) and event.status == "running":
            tools.executions.cancel("c0")
        await emit(event)  # type: ignore[arg-type]

    tools._runner._emit = cancel_first
    assert (await tools.answer(ToolCall("c0", "t", {"n": 1}), 1)).content == "cancelled"
    assert ran == []


async def test_a_thread_that_runs_python_is_ended_with_its_call() -> None:
    ended = threading.Event()

    def spin() -> None:
        try:
            while True:
                time.sleep(0.001)
        except CallEnded:
            ended.set()
            raise

    work = Bounded()
    with pytest.raises(OutOfTime):
        await work(lambda: in_thread(spin), 0.1)
    assert ended.wait(10)
    for thread in work.family.threads:
        thread.join(10)
    assert work.left == 0


async def test_a_thread_that_cannot_be_ended_is_told_and_holds_up_nothing() -> None:
    release = threading.Event()

    async def stuck(given: dict[str, object], context: ToolContext) -> object:
        return await in_thread(lambda: release.wait(60))

    it = bench(stuck)
    it.settings = ExecutorSettings(timeouts_s={"t": 0.1})
    (result,) = await it.answer({"n": 1})
    assert result.content == 'Tool "t" timed out after 0.1 s'
    (warning,) = [event for event in it.events if isinstance(event, AgentWarning)]
    assert warning.code == "tool_abandoned"
    release.set()


@pytest.mark.parametrize("in_a_thread", [True, False])
async def test_a_program_that_a_tool_starts_ends_with_its_timeout_and_no_other(in_a_thread: bool) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        started.append(subprocess.Popen(FOREVER))

    async def work() -> object:
        await in_thread(start) if in_a_thread else start()
        await asyncio.sleep(60)
        return "never"

    with subprocess.Popen(FOREVER) as another:  # noqa: ASYNC220 - as tools do
        with pytest.raises(OutOfTime):
            await Bounded()(work, 0.3)
        assert started[0].wait(10) < 0  # its status was not taken from who waits for it
        assert another.poll() is None
        another.kill()


async def test_an_ended_call_starts_nothing_any_more() -> None:
    refused = asyncio.Event()

    async def stubborn() -> object:
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                await asyncio.sleep(0.4)  # until its processes have been ended
                try:
                    subprocess.Popen(FOREVER)  # noqa: ASYNC220 - as tools do
                except CallEnded:
                    refused.set()
                    raise

    with pytest.raises(OutOfTime):
        await Bounded()(stubborn, 0.1)
    assert refused.is_set()


async def test_a_fork_in_a_tool_does_not_come_back_to_the_loop() -> None:
    marks: list[int] = []

    async def forks() -> object:
        child = os.fork()
        marks.append(os.getpid())
        return child

    home = os.getpid()
    child = await Bounded()(forks, 10)
    assert isinstance(child, int)
    assert (marks, os.waitpid(child, 0)[1]) == ([home], 0)  # noqa: ASYNC222 - it is about to end
