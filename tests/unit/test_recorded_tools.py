"""The recorded ends of tools, which a replay gives again in place of running them, and the results a session knows."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.tools.outcome import CallOutcome
from finclaw_cli.transcript.known_tools import NOT_RECORDED, KnownTools
from finclaw_cli.transcript.replayed_run import RecordedTools
from tests.unit.test_comparison import Record
from tests.unit.test_pipeline import bench, context
from tests.unit.test_replayed_answers import CALL, OF_CALL, RESULT, assert_ends, end, recording

STARTED: Record = ("tool.execute_start", OF_CALL)
OUTPUT: Record = ("tool.execute_end", {**OF_CALL, "output": "7", "original_chars": 1, "duration_ms": 1})
TIMED_OUT: Record = ("tool.execute_timeout", {**OF_CALL, "timeout_s": 1.0})


def error(traceback: str | None) -> Record:
    return "tool.execute_error", {**OF_CALL, "message": "it broke", "traceback": traceback, "duration_ms": 1}


def full_end(status: str, **more: Any) -> Record:
    """The last event of the call, with all that belongs to it."""
    end_of_call = {**OF_CALL, "status": status, "result": "7", "is_error": status != "completed", "duration_ms": 1}
    return "agent.tool_call", {**end_of_call, "truncated": False, "redacted": False, "masked": {}, **more}


def requested(given: object) -> Record:
    return "agent.tool_call", {**OF_CALL, "status": "requested", "input": given}


async def outcome(*records: Record) -> tuple[CallOutcome, list[str]]:
    """What the recorded tool gives, and the types of the events on the way."""
    types: list[str] = []

    async def emit(event: Event) -> None:
        types.append(event.type)

    tools = RecordedTools(recording(*records), asyncio.Event().set, emit)
    given = await tools.run(CALL, bench().tool, context(CALL, 1))
    await tools.close()
    return given, types


async def test_a_result_is_given_again_with_its_events() -> None:
    given, types = await outcome(STARTED, OUTPUT, full_end("completed", masked={"card": 1}, truncated=True), RESULT)
    assert (given.status, given.content, given.masked, given.truncated) == ("completed", "7", {"card": 1}, True)
    assert types == ["tool.execute_start", "agent.tool_call", "tool.execute_end"]


@pytest.mark.parametrize(
    ("traceback", "status", "given"),
    [("Traceback", "failed", "failed"), (None, "unknown", "unknown"), (None, "failed", "failed")],
)
async def test_an_error_is_given_again(traceback: str | None, status: str, given: str) -> None:
    recorded, _ = await outcome(STARTED, error(traceback), full_end(status), RESULT)
    assert (recorded.status, recorded.content, recorded.is_error) == (given, "it broke", True)
    assert recorded.is_uncertain == (traceback is not None or given == "unknown")


async def test_a_timeout_is_given_again() -> None:
    recorded, types = await outcome(STARTED, TIMED_OUT, full_end("timeout"), RESULT)
    assert (recorded.status, recorded.content, recorded.is_uncertain) == ("timeout", "7", True)
    assert types[-1] == "tool.execute_timeout"


@pytest.mark.parametrize("records", [(end("failed", "no such tool"), RESULT), (full_end("recorded"), RESULT)])
async def test_a_call_that_did_not_run_has_its_end_and_no_events(records: tuple[Record, ...]) -> None:
    recorded, types = await outcome(*records)
    assert (recorded.status, recorded.content, types) == (
        records[0][1]["status"],
        records[0][1]["result"],
        [],
    )


@pytest.mark.parametrize("status", ["cancelled", "unknown", None])
async def test_a_replay_ends_where_the_recording_was_cut_off_while_a_tool_ran(status: str | None) -> None:
    ends = asyncio.Event()

    async def emit(event: Event) -> None:
        """Nothing is shown."""

    records = (STARTED,) if status is None else (STARTED, full_end(status))
    tools = RecordedTools(recording(*records), ends.set, emit)
    await assert_ends(ends, tools.run(CALL, bench().tool, context(CALL, 1)))


class TestKnownResults:
    async def known(self, call: ToolCall, *records: Record) -> CallOutcome:
        tools = KnownTools([recording(requested({"n": 1}), *records)])
        found = await tools.run(call, bench().tool, context(call, 1))
        await tools.close()
        return found

    @pytest.mark.parametrize("status", ["completed", "failed", "recorded"])
    async def test_the_same_call_has_the_same_result(self, status: str) -> None:
        found = await self.known(ToolCall("c9", "t", {"n": 1}), full_end(status), RESULT)
        assert (found.status, found.content) == ("completed" if status == "completed" else "failed", "7")

    @pytest.mark.parametrize("call", [ToolCall("c9", "t", {"n": 2}), ToolCall("c9", "u", {"n": 1})])
    async def test_another_call_has_no_data(self, call: ToolCall) -> None:
        found = await self.known(call, full_end("completed"), RESULT)
        assert (found.status, found.content) == ("failed", NOT_RECORDED)

    async def test_a_call_without_a_result_has_no_data(self) -> None:
        assert (await self.known(CALL, full_end("cancelled"), RESULT)).content == NOT_RECORDED


async def test_a_result_whose_end_was_not_recorded_is_given_again() -> None:
    given, _ = await outcome(STARTED, OUTPUT)
    assert (given.status, given.content, given.masked, given.bytes) == ("completed", "7", {}, None)
