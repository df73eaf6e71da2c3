"""The log of a session whose file fails: one warning, and no call runs any more."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.core.events.agent import AgentDelta, AgentResult, Emitted
from finclaw_cli.core.events.parts import Failure
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ToolCall, ToolResult
from finclaw_cli.core.ports import ModelRequest, SideReply, ToolChange
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.transcript.session_log import RecordLog
from tests.unit.test_pipeline import bench, context

AT = datetime(2026, 1, 2, tzinfo=UTC)
CALL = ToolCall("c", "t", {"n": 1})
WORDS = Message("user", "One?")
COMPLETED = AgentResult(
    status="completed", exit_code=0, session_id="s", model=None, scripted=True, text="Two.", output=None,
    stop_reason="end_turn", turns=1, usage=None, cost_usd=None, tool_calls={}, denied=(), unknown=(), duration_ms=1,
    error=None,
)  # fmt: skip


class File:
    """A file that takes so many records."""

    def __init__(self, takes: int) -> None:
        self.left = takes
        self.kinds: list[str] = []

    def append(self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False) -> None:
        self.left -= 1
        if self.left < 0:
            raise OutputFailed("the disk is full")
        self.kinds.append(kind)

    def close(self) -> None:
        pass


def log(file: File, failures: list[OutputFailed]) -> RecordLog:
    return RecordLog(file, {}, clock=SystemClock(), secrets=KnownSecrets(), on_failed=failures.append)


async def everything(it: RecordLog) -> None:
    it.begin_run("run_1", {})
    await it.add_message(WORDS)
    await it.take(Emitted(AT, "run_1", AgentDelta(turn=1, attempt=1, text="x")))
    await it.add_request(ModelRequest(model="m", messages=(WORDS,)), provider="acme", turn=1, attempt=1)
    await it.add_tools(ToolChange(offered=(bench().tool,), of_toolsets=()), 1)
    await it.add_reply(SideReply(text="short"), "compaction")
    await it.compacted((WORDS,))
    await it.record(CALL, context(CALL, 1), ToolResult("c", "7"), is_known=False)
    it.untold("failed", 1)
    it.reported()


KINDS = [
    *("run", "message", "agent.delta", "request", "tools", "summary", "compaction", "tool_outcome", "exit", "reported")
]


async def test_all_is_kept_in_the_order_in_which_it_happened() -> None:
    file, failures = File(100), list[OutputFailed]()
    it = log(file, failures)
    await everything(it)
    await it.intend(CALL, bench().tool, context(CALL, 1))
    it.close()
    assert (file.kinds, failures) == ([*KINDS, "tool_intent"], [])


@pytest.mark.parametrize("takes", [0, 2, 7])
async def test_a_file_that_fails_is_reported_once_and_gets_no_call(takes: int) -> None:
    file, failures = File(takes), list[OutputFailed]()
    it = log(file, failures)
    await everything(it)
    assert (file.kinds, len(failures)) == (KINDS[:takes], 1)
    with pytest.raises(OutputFailed, match="the disk is full"):
        await it.intend(CALL, bench().tool, context(CALL, 1))
    assert len(failures) == 1


async def test_an_answer_that_was_not_kept_is_no_success() -> None:
    failures = list[OutputFailed]()
    it = log(File(0), failures)
    it.begin_run("run_1", {})
    with pytest.raises(OutputFailed, match="the disk is full"):
        await it.take(Emitted(AT, "run_1", COMPLETED))


async def test_an_answer_that_was_not_kept_of_a_run_that_failed_anyway_is_shown() -> None:
    it = log(File(0), [])
    it.begin_run("run_1", {})
    await it.take(Emitted(AT, "run_1", replace(COMPLETED, error=Failure(code="x", message="x", hint=None))))
