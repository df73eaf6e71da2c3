"""What is reported and recorded while a call that an earlier run began is settled."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from finclaw_cli.core.events.internal import ToolOutcomeRequest, ToolOutcomeTold, ToolProgress, ToolReconcile
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import ResolvedOutcome
from finclaw_cli.core.tool import ToolContext
from tests.unit.test_pipeline import Bench
from tests.unit.test_settle import Kept, answered, answers, gives, taken_up


class Errors(Kept):
    """Keeps whether what is recorded is an error."""

    async def record(self, call: ToolCall, context: ToolContext, result: ToolResult, *, is_known: bool = True) -> None:
        self.written.append(("error" if result.is_error else "result", call.id, ""))


def settling(it: Bench) -> list[object]:
    kinds = ToolOutcomeRequest | ToolOutcomeTold | ToolProgress | ToolReconcile
    return [event for event in it.events if isinstance(event, kinds)]


@pytest.mark.parametrize("outcome", ["ran", "did_not_run", "run_again", "unknown"])
async def test_a_question_about_an_outcome_is_reported_and_so_is_its_answer(outcome: ResolvedOutcome) -> None:
    it, _, _ = taken_up(transactional=True, gives=outcome)
    await answered(it)
    assert settling(it) == [
        ToolOutcomeRequest(turn=1, call_id="c0", name="t"),
        ToolOutcomeTold(turn=1, call_id="c0", name="t", said=outcome),
    ]


@pytest.mark.parametrize("state", ["done", "not_found"])
async def test_what_reconcile_finds_is_reported(state: str) -> None:
    it, _, _ = taken_up(transactional=True, reconcile=gives(state, "order 7"))
    await answered(it)
    assert settling(it) == [
        ToolProgress(turn=1, call_id="c0", name="t", message="finding out what became of this call"),
        ToolReconcile(turn=1, call_id="c0", name="t", state=state),  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize(
    ("outcome", "written"),
    [("ran", ["result"]), ("did_not_run", ["error"]), ("run_again", ["error", "result"]), ("unknown", [])],
)
async def test_what_did_not_run_is_recorded_as_an_error(outcome: ResolvedOutcome, written: list[str]) -> None:
    it, kept, _ = taken_up(transactional=True, gives=outcome)
    errors = Errors(kept.begun)
    it.services = replace(it.services, journal=errors)
    await answered(it)
    assert [what for what, *_ in errors.written if what != "intent"] == written


@pytest.mark.parametrize(("outcome", "is_error"), [("ran", False), ("did_not_run", True), ("unknown", True)])
async def test_the_model_gets_an_error_for_what_did_not_run(outcome: ResolvedOutcome, is_error: bool) -> None:
    it, _, _ = taken_up(transactional=True, gives=outcome)
    (result,) = await it.answer({"n": 1})
    assert result.is_error == is_error


async def test_a_call_that_began_in_the_future_by_our_clock_is_waited_for_no_longer_than_another() -> None:
    reconcile, keys = answers("not_found")
    it, kept, _ = taken_up(transactional=True, reconcile=reconcile, reconcile_after_s=0.05)
    assert kept.begun is not None
    kept.begun = replace(kept.begun, began=datetime.now(UTC) + timedelta(hours=1))
    async with asyncio.timeout(30):
        assert await answered(it) == "got 1"
    assert len(keys) > 1


async def test_a_call_without_a_key_is_not_reconciled() -> None:
    reconcile, keys = answers("done")
    it, kept, saw = taken_up(transactional=True, reconcile=reconcile)
    assert kept.begun is not None
    kept.begun = replace(kept.begun, key=None)
    await answered(it)
    assert (keys, saw.asked) == ([], 1)
