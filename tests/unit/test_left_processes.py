"""What a tool leaves running, and ends that come from elsewhere."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest

from finclaw_cli.core.events.agent import AgentWarning, Event
from finclaw_cli.core.events.internal import ToolExecuteEnd
from finclaw_cli.core.interruption import OutOfTime
from finclaw_cli.core.json_text import parse_object
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.tools.bounded import Bounded, Stopped
from finclaw_cli.tools.processes.procfs import look
from finclaw_cli.tools.processes.program import run_process
from finclaw_cli.tools.processes.termination import kill_at_once
from tests.unit.test_pipeline import Bench, bench

STUBBORN = ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 60; done"]
OBEDIENT = ["sh", "-c", "echo ready; exec sleep 60"]


@pytest.mark.parametrize(("program", "end"), [(STUBBORN, SIGKILL), (OBEDIENT, SIGTERM)], ids=["stubborn", "obedient"])
async def test_a_program_of_a_call_that_is_ended_gets_a_signal_that_it_obeys(program: list[str], end: int) -> None:
    started: list[subprocess.Popen[bytes]] = []
    ready = asyncio.Event()

    async def work() -> None:
        started.append(subprocess.Popen(program, stdout=subprocess.PIPE, start_new_session=True))  # noqa: ASYNC220
        assert started[0].stdout is not None
        started[0].stdout.readline()
        ready.set()
        await asyncio.Event().wait()

    call = Bounded()
    calling = asyncio.create_task(call(work, 60))
    await ready.wait()
    call.stop()
    with pytest.raises(Stopped):
        await calling
    with started[0]:
        assert started[0].wait(10) == -end


async def nothing() -> None:
    """Does nothing."""


async def test_a_program_that_a_tool_leaves_running_ends_with_the_run() -> None:
    started: list[subprocess.Popen[bytes]] = []

    async def start(given: dict[str, object], context: ToolContext) -> str:
        started.append(subprocess.Popen(OBEDIENT, stdout=subprocess.DEVNULL))  # noqa: ASYNC220
        return "started"

    toolbox = bench(start).toolbox()
    batch = toolbox.batch((ToolCall("c1", "t", {"n": 1}),), 1, 100)
    await batch.run()
    assert ([result.content for result in batch.results()], started[0].poll()) == (["started"], None)
    await toolbox.close()
    assert started[0].wait(10) == -SIGTERM


async def test_a_process_that_does_more_than_serve_runs_kills_nothing() -> None:
    with subprocess.Popen(["sleep", "60"]) as other:  # noqa: ASYNC220
        await Bounded()(nothing, 60)
        kill_at_once()
        assert other.poll() is None
        other.kill()


async def test_a_program_ends_when_its_call_is_cancelled(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = ["sh", "-c", "read line; echo $$ > pipe; exec sleep 60"]  # its input comes once it was started
    starting = run_process(command, cwd=tmp_path, env={"PATH": os.environ["PATH"]}, stdin=b"begin\n")
    running = asyncio.create_task(starting)
    pid = int(await asyncio.to_thread(pipe.read_text))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert look(pid) is None


async def test_a_tool_that_is_interrupted_has_timed_out() -> None:
    async def blocks(given: dict[str, object], context: ToolContext) -> str:
        raise OutOfTime

    (result,) = await bench(blocks, timeout_s=7).answer({"n": 1})
    assert result.content == 'Tool "t" timed out after 7 s'


class Cancelled(Bench):
    """A toolbox whose caller is cancelled when a tool has given its result."""

    async def emit(self, event: Event) -> None:
        await super().emit(event)
        if isinstance(event, ToolExecuteEnd):
            raise asyncio.CancelledError


async def test_a_call_that_is_cancelled_after_its_result_stays_completed() -> None:
    tools = Cancelled(bench().tool).toolbox()._executor
    with pytest.raises(asyncio.CancelledError):
        await tools.answer(ToolCall("c1", "t", {"n": 1}), 1)
    assert [execution.state for execution in tools.executions.past] == ["completed"]


async def test_a_tool_that_reads_private_data_is_named_once() -> None:
    it = bench(sensitive=True)
    await it.answer({"n": 1}, {"n": 2})
    (warning,) = [event for event in it.events if isinstance(event, AgentWarning)]
    assert (warning.code, warning.message) == (
        "sensitive_tool",
        "t reads private financial data, which the model will see",
    )


def in_own_process(scenario: str) -> dict[str, object]:
    """What a scenario of `own_process` gives, in a process that serves runs and nothing else."""
    command = [sys.executable, "-m", "tests.unit.own_process", scenario]
    ran = subprocess.run(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True, check=True)
    return parse_object(ran.stdout)


class TestOwnProcess:
    def test_an_orphan_of_a_call_ends_with_it_and_leaves_no_zombie(self) -> None:
        assert in_own_process("orphan") == {"is_left": False, "what_was_there_before": "runs"}

    def test_what_a_call_left_running_ends_with_the_run(self) -> None:
        assert in_own_process("left") == {"end": -SIGTERM}

    def test_what_a_call_left_running_is_killed_where_the_process_ends_at_once(self) -> None:
        assert in_own_process("killed") == {"end": -SIGKILL}

    def test_no_code_ends_the_event_loop_before_its_time(self) -> None:
        assert in_own_process("exits") == {"result": "done"}
