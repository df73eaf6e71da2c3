"""A call that an earlier run began is settled before anything runs again: no effect twice, none forgotten."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from finclaw_cli.core.messages import OUTCOME_UNKNOWN, ToolCall, ToolResult
from finclaw_cli.core.ports import Earlier, ResolvedOutcome
from finclaw_cli.core.tool import Reconciled, ToolContext, ToolSpec
from finclaw_cli.tools.null_services import NoJournal
from finclaw_cli.tools.resumed_calls import DID_NOT_RUN, GIVEN_UP, RAN
from tests.unit.test_pipeline import Bench, Yes, bench


@dataclass
class Kept(NoJournal):
    """What an earlier run wrote down, and what is written now."""

    begun: Earlier | None
    written: list[tuple[str, str, str]] = field(default_factory=list)

    def earlier(self, call: ToolCall) -> Earlier | None:
        return self.begun

    async def intend(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> None:
        self.written.append(("intent", context.idempotency_key, ""))

    async def record(self, call: ToolCall, context: ToolContext, result: ToolResult, *, is_known: bool = True) -> None:
        self.written.append(("outcome" if is_known else "unknown", context.idempotency_key, result.content))


class Saw:
    def __init__(self, gives: ResolvedOutcome) -> None:
        self.gives: ResolvedOutcome = gives
        self.asked = 0

    async def ask(self, call: ToolCall, spec: ToolSpec) -> ResolvedOutcome:
        self.asked += 1
        return self.gives


def taken_up(
    *, result: str | None = None, repeatable: bool = False, gives: ResolvedOutcome = "unknown", **facts: object
) -> tuple[Bench, Kept, Saw]:
    it = bench(**{"reconcile_after_s": 0.0, **facts})
    known = None if result is None else ToolResult("c0", result)
    kept = Kept(Earlier(key="first", call_id="c0", repeatable=repeatable, result=known))
    saw = Saw(gives)
    it.services = replace(it.services, journal=kept, outcome_resolver=saw, approver=Yes())
    return it, kept, saw


def gives(state: str, content: object = None, *, is_final: bool = False) -> object:
    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        assert key == context.idempotency_key == "first"
        return Reconciled(state=state, content=content, is_final=is_final)  # type: ignore[arg-type]

    return reconcile


async def answered(it: Bench) -> str:
    (result,) = await it.answer({"n": 1})
    return result.content


async def test_a_result_that_was_kept_is_used_without_asking_anybody():
    it, kept, saw = taken_up(result="what came of it", transactional=True)
    it.services = replace(it.services, policy=None)  # type: ignore[arg-type] - nobody judges it
    assert (await answered(it), it.ends) == ("what came of it", ["recorded"])
    assert (kept.written, saw.asked) == ([], 0)


async def test_a_result_that_was_kept_is_used_also_where_its_tool_is_gone():
    it, _, _ = taken_up(result="what came of it")
    (result,) = await replace(it, tool=replace(it.tool, name="other")).answer({"n": 1})
    assert result.content == "what came of it"


@pytest.mark.parametrize("flag", ["read_only", "idempotent"])
async def test_what_can_be_repeated_runs_again_under_the_same_key(flag: str):
    it, kept, saw = taken_up(repeatable=True, **{flag: True})
    assert await answered(it) == "got 1"
    assert kept.written == [("intent", "first", ""), ("outcome", "first", "got 1")]
    assert saw.asked == 0


async def test_what_could_not_be_repeated_then_is_not_repeated_though_its_plugin_says_so_now():
    it, kept, _ = taken_up(repeatable=False, read_only=True)
    assert (await answered(it), it.ends, kept.written) == (OUTCOME_UNKNOWN, ["unknown"], [])


async def test_what_nobody_knows_is_not_run():
    it, kept, saw = taken_up(transactional=True)
    assert (await answered(it), it.ends, kept.written) == (OUTCOME_UNKNOWN, ["unknown"], [])
    assert saw.asked == 1


async def test_a_tool_that_finds_it_done_gives_its_result():
    it, kept, saw = taken_up(transactional=True, reconcile=gives("done", "order 7"))
    assert (await answered(it), it.ends) == ("order 7", ["recorded"])
    assert (kept.written, saw.asked) == ([("outcome", "first", "order 7")], 0)


async def test_a_tool_that_finds_nothing_runs_after_a_new_approval_under_the_same_key():
    it, kept, _ = taken_up(transactional=True, reconcile=gives("not_found"))
    assert (await answered(it), it.ends) == ("got 1", ["completed"])
    assert [each[:2] for each in kept.written] == [("outcome", "first"), ("intent", "first"), ("outcome", "first")]


async def test_what_was_found_not_to_have_run_and_is_not_approved_is_settled():
    it, kept, _ = taken_up(transactional=True, reconcile=gives("not_found"))
    it.services = replace(it.services, approver=bench().services.approver)
    await answered(it)
    assert it.ends == ["denied"]
    assert kept.written == [("outcome", "first", GIVEN_UP)]


async def failing(key: str, context: ToolContext) -> Reconciled:
    raise RuntimeError("the broker is down")


@pytest.mark.parametrize("reconcile", [gives("unknown"), failing])
async def test_where_the_tool_cannot_tell_somebody_is_asked(reconcile: object):
    it, _, saw = taken_up(transactional=True, reconcile=reconcile)
    assert (await answered(it), saw.asked) == (OUTCOME_UNKNOWN, 1)


@pytest.mark.parametrize(
    ("testimony", "content", "end"),
    [
        ("ran", RAN, "recorded"),
        ("did_not_run", DID_NOT_RUN, "recorded"),
        ("run_again", "got 1", "completed"),
        ("unknown", OUTCOME_UNKNOWN, "unknown"),
    ],
)
async def test_whoever_knows_decides(testimony: ResolvedOutcome, content: str, end: str):
    it, _, _ = taken_up(transactional=True, gives=testimony)
    assert (await answered(it), it.ends) == (content, [end])


async def test_a_call_whose_tool_is_gone_stays_unknown():
    it, _, _ = taken_up(transactional=True)
    gone = replace(it, tool=replace(it.tool, name="other"))
    calls = (ToolCall("c0", "t", {"n": 1}),)
    batch = gone.toolbox().batch(calls, 0, 100)
    await batch.run()
    assert batch.results()[0].content == OUTCOME_UNKNOWN


FLAGS = list(product([False, True], repeat=2))


def answers(*states: str, content: object = "order 7") -> tuple[object, list[str]]:
    """A `reconcile` that gives one state after another, the last one for good; and the keys it was asked with."""
    left, keys = list(states), list[str]()

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        keys.append(key)
        return Reconciled(state=left.pop(0) if len(left) > 1 else left[0], content=content)  # type: ignore[arg-type]

    return reconcile, keys


async def test_a_final_answer_is_not_asked_for_again():
    it, _, _ = taken_up(transactional=True, reconcile=gives("not_found", is_final=True), reconcile_after_s=30.0)
    assert await answered(it) == "got 1"


async def test_reconcile_gets_the_input_of_the_call():
    given: list[object] = []

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        given.append(context.input)
        return Reconciled(state="done")

    it, _, _ = taken_up(transactional=True, reconcile=reconcile)
    await answered(it)
    assert given == [{"n": 1}]


async def test_an_old_call_that_its_service_does_not_know_is_asked_about_once():
    reconcile, keys = answers("not_found")
    it, kept, _ = taken_up(transactional=True, reconcile=reconcile, reconcile_after_s=30.0)
    assert kept.begun is not None
    kept.begun = replace(kept.begun, began=datetime.now(UTC) - timedelta(seconds=61))
    assert (await answered(it), len(keys)) == ("got 1", 1)


@pytest.mark.parametrize(("idempotent", "read_only"), FLAGS)
async def test_a_payment_taken_up_is_reconciled_whatever_else_the_tool_declares(idempotent: bool, read_only: bool):
    facts = {"transactional": True, "idempotent": idempotent, "read_only": read_only}
    it, kept, _ = taken_up(repeatable=True, reconcile=gives("done", "order 7"), **facts)
    assert (await answered(it), it.ends) == ("order 7", ["recorded"])
    assert kept.written == [("outcome", "first", "order 7")]


async def test_a_call_that_is_being_reconciled_when_the_run_is_cut_off_stays_unknown():
    asked = asyncio.Event()

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    it, kept, _ = taken_up(transactional=True, reconcile=reconcile)
    batch = it.toolbox().batch((ToolCall("c0", "t", {"n": 1}),), 0, 100)
    running = asyncio.create_task(batch.run())
    await asked.wait()
    running.cancel()
    await asyncio.wait([running])
    assert (it.ends, kept.written) == (["unknown"], [])
    assert batch.results()[0].content == OUTCOME_UNKNOWN


async def test_a_call_that_was_not_taken_up_when_the_run_is_cut_off_stays_unknown():
    it, _, _ = taken_up(transactional=True, reconcile=gives("done"))
    batch = it.toolbox().batch((ToolCall("c0", "t", {"n": 1}),), 0, 100)
    assert batch.results()[0].content == OUTCOME_UNKNOWN
