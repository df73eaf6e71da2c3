"""A call that an earlier run began is settled before anything runs again: no effect twice, none forgotten."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from finclaw_cli.core.errors import OutcomeUnknown, ToolError
from finclaw_cli.core.messages import OUTCOME_UNKNOWN, ToolCall, ToolResult
from finclaw_cli.core.ports import Earlier, Testimony
from finclaw_cli.core.tool import Reconciled, ToolContext, ToolSpec
from finclaw_cli.tools.passthrough import NoJournal
from finclaw_cli.tools.settle import DID_NOT_RUN, GIVEN_UP, NOT_DONE, PERHAPS_DONE, RAN
from tests.unit.test_pipeline import Bench, Handler, Yes, bench


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
    def __init__(self, says: Testimony) -> None:
        self.says: Testimony = says
        self.asked = 0

    async def ask(self, call: ToolCall, spec: ToolSpec) -> Testimony:
        self.asked += 1
        return self.says


def taken_up(
    *, result: str | None = None, repeatable: bool = False, says: Testimony = "unknown", **facts: object
) -> tuple[Bench, Kept, Saw]:
    it = bench(**{"reconcile_after_s": 0.0, **facts})
    known = None if result is None else ToolResult("c0", result)
    kept = Kept(Earlier(key="first", call_id="c0", repeatable=repeatable, result=known))
    saw = Saw(says)
    it.doors = replace(it.doors, journal=kept, witness=saw, approver=Yes())
    return it, kept, saw


def says(state: str, content: object = None, *, is_final: bool = False) -> object:
    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        assert key == context.idempotency_key == "first"
        return Reconciled(state=state, content=content, is_final=is_final)  # type: ignore[arg-type]

    return reconcile


async def answered(it: Bench) -> str:
    (result,) = await it.answer({"n": 1})
    return result.content


async def test_a_result_that_was_kept_is_used_without_asking_anybody():
    it, kept, saw = taken_up(result="what came of it", transactional=True)
    it.doors = replace(it.doors, policy=None)  # type: ignore[arg-type] - nobody judges it
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
    it, kept, saw = taken_up(transactional=True, reconcile=says("done", "order 7"))
    assert (await answered(it), it.ends) == ("order 7", ["recorded"])
    assert (kept.written, saw.asked) == ([("outcome", "first", "order 7")], 0)


async def test_a_tool_that_finds_nothing_runs_after_a_new_approval_under_the_same_key():
    it, kept, _ = taken_up(transactional=True, reconcile=says("not_found"))
    assert (await answered(it), it.ends) == ("got 1", ["completed"])
    assert [each[:2] for each in kept.written] == [("outcome", "first"), ("intent", "first"), ("outcome", "first")]


async def test_what_was_found_not_to_have_run_and_is_not_approved_is_settled():
    it, kept, _ = taken_up(transactional=True, reconcile=says("not_found"))
    it.doors = replace(it.doors, approver=bench().doors.approver)
    await answered(it)
    assert it.ends == ["denied"]
    assert kept.written == [("outcome", "first", GIVEN_UP)]


async def failing(key: str, context: ToolContext) -> Reconciled:
    raise RuntimeError("the broker is down")


@pytest.mark.parametrize("reconcile", [says("unknown"), failing])
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
async def test_whoever_knows_decides(testimony: Testimony, content: str, end: str):
    it, _, _ = taken_up(transactional=True, says=testimony)
    assert (await answered(it), it.ends) == (content, [end])


async def test_a_call_whose_tool_is_gone_stays_unknown():
    it, _, _ = taken_up(transactional=True)
    gone = replace(it, tool=replace(it.tool, name="other"))
    calls = (ToolCall("c0", "t", {"n": 1}),)
    batch = gone.toolbox().batch(calls, 0, 100)
    await batch.run()
    assert batch.results()[0].content == OUTCOME_UNKNOWN


async def hangs(given: dict[str, object], context: ToolContext) -> object:
    await context.cancelled.wait()
    return "never"


async def breaks(given: dict[str, object], context: ToolContext) -> object:
    raise ConnectionResetError("the connection was reset")


async def refuses(given: dict[str, object], context: ToolContext) -> object:
    raise ToolError("ORDER_REFUSED: no cash")


async def cannot_say(given: dict[str, object], context: ToolContext) -> object:
    raise OutcomeUnknown("the answer was lost")


def answers(*states: str, content: object = "order 7") -> tuple[object, list[str]]:
    """A `reconcile` that gives one state after another, the last one for good; and the keys it was asked with."""
    left, keys = list(states), list[str]()

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        keys.append(key)
        return Reconciled(state=left.pop(0) if len(left) > 1 else left[0], content=content)  # type: ignore[arg-type]

    return reconcile, keys


def running(handler: Handler, **facts: object) -> tuple[Bench, Kept]:
    """A tool whose calls are approved and new."""
    it = bench(handler, **{"timeout_s": 0.05, "reconcile_after_s": 0.0, **facts})
    kept = Kept(None)
    it.doors = replace(it.doors, journal=kept, approver=Yes())
    return it, kept


FLAGS = list(product([False, True], repeat=2))


@pytest.mark.parametrize(("idempotent", "requires_approval"), FLAGS)
@pytest.mark.parametrize("handler", [hangs, breaks, cannot_say])
async def test_a_payment_that_did_not_say_what_it_did_is_unknown(
    handler: Handler, idempotent: bool, requires_approval: bool
):
    facts = {"transactional": True, "idempotent": idempotent, "requires_approval": requires_approval}
    it, kept = running(handler, **facts)
    content = await answered(it)
    assert content.endswith(PERHAPS_DONE)
    assert it.ends == ["unknown"]
    assert [what for what, *_ in kept.written] == ["intent", "unknown"]


@pytest.mark.parametrize("handler", [hangs, breaks, cannot_say])
async def test_a_payment_whose_service_knows_it_ends_with_its_result(handler: Handler):
    reconcile, keys = answers("done")
    it, kept = running(handler, transactional=True, idempotent=True, reconcile=reconcile)
    assert (await answered(it), it.ends, keys) == ("order 7", ["recorded"], ["k"])
    assert kept.written[-1] == ("outcome", "k", "order 7")


@pytest.mark.parametrize("handler", [breaks, cannot_say])
async def test_a_payment_that_failed_and_that_its_service_does_not_know_did_nothing(handler: Handler):
    reconcile, _ = answers("not_found")
    it, _ = running(handler, transactional=True, reconcile=reconcile)
    assert (await answered(it)).endswith(NOT_DONE)
    assert it.ends == ["failed"]


async def test_a_payment_that_was_stopped_may_still_reach_a_service_that_does_not_know_it():
    reconcile, _ = answers("not_found")
    it, _ = running(hangs, transactional=True, reconcile=reconcile)
    assert (await answered(it)).endswith(PERHAPS_DONE)
    assert it.ends == ["unknown"]


async def test_a_refusal_in_the_words_of_the_tool_is_believed():
    reconcile, keys = answers("unknown")
    it, kept = running(refuses, transactional=True, reconcile=reconcile)
    assert (await answered(it), it.ends, keys) == ("ORDER_REFUSED: no cash", ["failed"], [])
    assert kept.written[-1][0] == "outcome"


@pytest.mark.parametrize("first", ["not_found", "unknown"])
async def test_a_service_that_does_not_know_a_young_call_is_asked_again(first: str):
    reconcile, keys = answers(first, first, "done")
    it, _ = running(breaks, transactional=True, reconcile=reconcile, reconcile_after_s=30.0)
    assert (await answered(it), len(keys)) == ("order 7", 3)


async def test_a_service_that_still_does_not_know_the_call_at_the_end_of_the_wait_is_believed():
    reconcile, keys = answers("not_found")
    it, _ = running(breaks, transactional=True, reconcile=reconcile, reconcile_after_s=0.2)
    assert (await answered(it)).endswith(NOT_DONE)
    assert len(keys) > 1


async def test_a_final_answer_is_not_asked_for_again():
    it, _, _ = taken_up(transactional=True, reconcile=says("not_found", is_final=True), reconcile_after_s=30.0)
    assert await answered(it) == "got 1"


async def test_reconcile_gets_the_input_of_the_call():
    given: list[object] = []

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        given.append(context.input)
        return Reconciled(state="done")

    it, _, _ = taken_up(transactional=True, reconcile=reconcile)
    await answered(it)
    assert given == [{"n": 1}]


async def test_reconcile_of_a_call_that_was_stopped_is_not_cancelled_itself():
    asked: list[bool] = []

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        asked.append(context.cancelled.is_set())
        return Reconciled(state="done", content="order 7")

    it, _ = running(hangs, transactional=True, reconcile=reconcile)
    assert (await answered(it), asked) == ("order 7", [False])


async def test_an_old_call_that_its_service_does_not_know_is_asked_about_once():
    reconcile, keys = answers("not_found")
    it, kept, _ = taken_up(transactional=True, reconcile=reconcile, reconcile_after_s=30.0)
    assert kept.begun is not None
    kept.begun = replace(kept.begun, began=datetime.now(UTC) - timedelta(seconds=61))
    assert (await answered(it), len(keys)) == ("got 1", 1)


@pytest.mark.parametrize(("idempotent", "read_only"), FLAGS)
async def test_a_payment_taken_up_is_reconciled_whatever_else_the_tool_declares(idempotent: bool, read_only: bool):
    facts = {"transactional": True, "idempotent": idempotent, "read_only": read_only}
    it, kept, _ = taken_up(repeatable=True, reconcile=says("done", "order 7"), **facts)
    assert (await answered(it), it.ends) == ("order 7", ["recorded"])
    assert kept.written == [("outcome", "first", "order 7")]


@pytest.mark.parametrize(("idempotent", "read_only"), FLAGS)
async def test_an_interrupted_payment_is_unknown_whatever_else_the_tool_declares(idempotent: bool, read_only: bool):
    started = asyncio.Event()

    async def waits(given: dict[str, object], context: ToolContext) -> object:
        started.set()
        await asyncio.Event().wait()

    it, _ = running(waits, timeout_s=60.0, transactional=True, idempotent=idempotent, read_only=read_only)
    answer = asyncio.create_task(answered(it))
    await started.wait()
    answer.cancel()
    await asyncio.wait([answer])
    assert it.ends == ["unknown"]
