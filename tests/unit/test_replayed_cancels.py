"""Calls that were cancelled alone are cancelled again in a replay, in the place where they were."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.tools.executor import Executor
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.transcript.replayed_cancels import RecordedExecutions
from finclaw_cli.transcript.replayed_run import RecordedApprover, RecordedTools
from tests.unit.test_call_ends import Asking
from tests.unit.test_comparison import Record
from tests.unit.test_pipeline import bench, context
from tests.unit.test_replayed_answers import CALL, OF_CALL, RESULT, recording

CANCEL: Record = ("tool.execute_cancel", {**OF_CALL, "duration_ms": 1, "alone": True})
WITH_RUN: Record = ("tool.execute_cancel", {**OF_CALL, "duration_ms": 1, "alone": False})
VERDICT: Record = (
    "tool.policy_verdict",
    {**OF_CALL, "decision": "require-approval", "stage": "tool-policy", "reason": "ask"},
)
ALLOWED: Record = (
    "agent.approval",
    {**OF_CALL, "id": "r0", "decision": "allow", "by": "terminal", "reason": ""},
)
INTENT: Record = ("tool_intent", {**OF_CALL, "key": "k"})
STARTED: Record = ("tool.execute_start", OF_CALL)


async def replayed(*records: Record) -> tuple[list[str], str]:
    """The types of the events of the call's replay, and its result."""
    types: list[str] = []

    async def emit(event: Event) -> None:
        types.append(event.type)

    it, recorded = bench(), recording(*records, RESULT)
    it.tool = replace(it.tool, name=CALL.name)
    executions = RecordedExecutions(recorded)
    ended = asyncio.Event().set
    services = replace(it.services, policy=Asking(), approver=RecordedApprover(recorded, ended, executions))
    entry = ToolEntry(spec=it.tool, origin="test", load=lambda: it.tool)
    runner = RecordedTools(recorded, ended, emit)
    tools = Executor(ToolRegistry([entry]), services, context, it.settings, emit, executions=executions, runner=runner)
    result = await tools.answer(ToolCall(CALL.id, CALL.name, {"n": 1}), int(str(OF_CALL["turn"])))
    return types, result.content


@pytest.mark.parametrize(
    ("records", "last"),
    [
        ((CANCEL,), []),
        ((VERDICT, CANCEL), ["tool.policy_verdict", "agent.approval_request"]),
        ((VERDICT, ALLOWED, CANCEL), ["tool.policy_verdict", "agent.approval_request", "agent.approval"]),
        (
            (VERDICT, ALLOWED, INTENT, STARTED, CANCEL),
            [
                *["tool.policy_verdict", "agent.approval_request", "agent.approval"],
                *["tool.execute_start", "agent.tool_call"],
            ],
        ),
    ],
    ids=["before its verdict", "while it waits for an approval", "before its tool", "while its tool runs"],
)
async def test_a_call_is_cancelled_where_it_was(records: tuple[Record, ...], last: list[str]) -> None:
    types, content = await replayed(*records)
    judged = [kind for kind in types if kind != "tool.register"]
    assert content == "cancelled"
    assert judged[: len(last)] == last
    assert judged[len(last) :] == ["tool.execute_cancel", "agent.tool_call"]


def test_a_call_that_was_cancelled_with_its_run_is_not_cancelled_alone() -> None:
    executions = RecordedExecutions(recording(WITH_RUN, RESULT))
    assert executions.may_begin(executions.opened(CALL, 1))
