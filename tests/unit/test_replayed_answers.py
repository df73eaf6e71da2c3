"""The recorded answers of tools and of people, which a replay gives again."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import ApprovalRequest, Verdict
from finclaw_cli.core.tool import Reconciled, ReconcileState
from finclaw_cli.tools.resumed_calls import DID_NOT_RUN, RAN
from finclaw_cli.transcript.recording import RunRecording, runs_of
from finclaw_cli.transcript.replayed_reconcile import RecordedReconcile
from finclaw_cli.transcript.replayed_run import RecordedApprover, RecordedOutcomeResolver
from tests.unit.test_comparison import Record, lines
from tests.unit.test_pipeline import bench, context

CALL = ToolCall("c1", "t", {"n": 1})
OF_CALL = {"turn": 1, "call_id": "c1", "name": "t"}
UNKNOWN = dict.fromkeys(("model", "output", "stop_reason", "usage", "cost_usd", "error"))
COUNTS = {"exit_code": 0, "turns": 1, "duration_ms": 1, "tool_calls": {}, "denied": [], "unknown": []}
RESULT: Record = (
    "agent.result",
    {"status": "completed", "session_id": "s", "scripted": True, "text": "", **UNKNOWN, **COUNTS},
)


def state(answer: str) -> Record:
    return "tool.reconcile", {**OF_CALL, "state": answer}


def end(status: str, result: str | None = None) -> Record:
    return "agent.tool_call", {**OF_CALL, "status": status, "result": result}


def recording(*records: Record) -> RunRecording:
    (run,) = runs_of(lines([("run", {}), *records]))
    assert isinstance(run, RunRecording)
    return run


async def answers(*records: Record, count: int = 1) -> list[Reconciled]:
    reconcile = RecordedReconcile(recording(*records), asyncio.Event().set)
    return [await reconcile("key", context(CALL, 1)) for _ in range(count)]


async def test_a_tool_gives_its_recorded_answers_in_their_order() -> None:
    found = await answers(state("unknown"), state("done"), end("recorded", "filled"), RESULT, count=2)
    assert [answer.state for answer in found] == ["unknown", "done"]
    assert str(found[1].content) == "filled"


@pytest.mark.parametrize(
    ("status", "result", "implied"),
    [
        ("recorded", "filled", "done"),
        ("failed", "it did not run", "not_found"),
        ("unknown", None, "unknown"),
        ("recorded", RAN, "unknown"),
        ("failed", DID_NOT_RUN, "unknown"),
    ],
)
async def test_an_answer_that_was_not_recorded_follows_from_the_end_of_the_call(
    status: str, result: str | None, implied: ReconcileState
) -> None:
    (answer,) = await answers(end(status, result), RESULT)
    assert answer.state == implied


async def test_an_answer_that_a_complete_run_has_no_call_for_is_unknown() -> None:
    (answer,) = await answers(RESULT)
    assert answer.state == "unknown"


async def assert_ends(ends: asyncio.Event, asking: Coroutine[Any, Any, object]) -> None:
    """Check that a replay that has no answer ends where its recording does, and gives none."""
    waiting = asyncio.create_task(asking)
    await ends.wait()
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_replay_ends_where_the_recording_was_cut_off_before_the_answer_of_a_tool() -> None:
    ends = asyncio.Event()
    await assert_ends(ends, RecordedReconcile(recording(), ends.set)("key", context(CALL, 1)))


def request() -> ApprovalRequest:
    verdict = Verdict(decision="require-approval", stage="global", reason="it moves money")
    return ApprovalRequest(id="r1", call=CALL, spec=bench().tool, verdict=verdict)


async def test_a_replay_ends_where_the_recording_was_cut_off_before_an_approval() -> None:
    ends = asyncio.Event()
    await assert_ends(ends, RecordedApprover(recording(), ends.set).ask(request()))


async def test_a_call_that_a_complete_recording_has_no_approval_for_is_denied() -> None:
    approval = await RecordedApprover(recording(RESULT), asyncio.Event().set).ask(request())
    assert (approval.granted, approval.reason) == (False, "the recording has no answer")


@pytest.mark.parametrize(("decision", "granted"), [("allow", True), ("deny", False)])
async def test_the_approval_that_was_given_is_given_again(decision: str, granted: bool) -> None:
    answer: Record = ("agent.approval", {**OF_CALL, "id": "r0", "decision": decision, "by": "terminal", "reason": "ok"})
    approval = await RecordedApprover(recording(answer, RESULT), asyncio.Event().set).ask(request())
    assert (approval.granted, approval.by, approval.request_id, approval.reason) == (granted, "terminal", "r1", "ok")


async def test_an_approval_is_given_once() -> None:
    answer: Record = ("agent.approval", {**OF_CALL, "id": "r0", "decision": "allow", "by": "terminal", "reason": ""})
    approver = RecordedApprover(recording(answer, RESULT), asyncio.Event().set)
    assert [(await approver.ask(request())).granted for _ in range(2)] == [True, False]


@pytest.mark.parametrize("records", [(), (("tool.outcome_told", {**OF_CALL, "said": "ran"}),)], ids=["none", "one"])
async def test_the_outcome_that_a_person_gave_is_given_again(records: tuple[Record, ...]) -> None:
    outcome = await RecordedOutcomeResolver(recording(*records)).ask(CALL, bench().tool)
    assert outcome == ("ran" if records else "unknown")


def test_sources_of_figures_were_refused_where_there_was_no_request_for_them() -> None:
    refused = ("sources", {"error": "there is no money for it"})
    assert recording(refused).sources_refused == "there is no money for it"
    assert recording(("request", {"purpose": "numbers"}), refused).sources_refused is None
    assert recording().sources_refused is None
