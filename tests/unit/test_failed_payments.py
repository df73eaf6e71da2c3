"""A payment of this run that ended before it could say what it had done: its service is asked, or it is unknown."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from finclaw_cli.core.errors import OutcomeUnknown, ToolError
from finclaw_cli.core.tool import Reconciled, ToolContext
from finclaw_cli.tools.batch import REPEATED
from finclaw_cli.tools.resumed_calls import NOT_DONE, PERHAPS_DONE
from tests.unit.test_pipeline import Bench, Handler, Yes, bench
from tests.unit.test_settle import FLAGS, Kept, answered, answers


async def hangs(given: dict[str, object], context: ToolContext) -> object:
    await context.cancelled.wait()
    return "never"


async def breaks(given: dict[str, object], context: ToolContext) -> object:
    raise ConnectionResetError("the connection was reset")


async def refuses(given: dict[str, object], context: ToolContext) -> object:
    raise ToolError("ORDER_REFUSED: no cash")


async def cannot_say(given: dict[str, object], context: ToolContext) -> object:
    raise OutcomeUnknown("the answer was lost")


def running(handler: Handler, **facts: object) -> tuple[Bench, Kept]:
    """A tool whose calls are approved and new."""
    it = bench(handler, **{"timeout_s": 0.05, "reconcile_after_s": 0.0, **facts})
    kept = Kept(None)
    it.services = replace(it.services, journal=kept, approver=Yes())
    return it, kept


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


async def test_reconcile_of_a_call_that_was_stopped_is_not_cancelled_itself():
    asked: list[bool] = []

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        asked.append(context.cancelled.is_set())
        return Reconciled(state="done", content="order 7")

    it, _ = running(hangs, transactional=True, reconcile=reconcile)
    assert (await answered(it), asked) == ("order 7", [False])


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


async def test_a_payment_that_stands_twice_in_one_answer_is_made_once():
    it = bench(transactional=True)
    it.services = replace(it.services, approver=Yes())
    first, second, third = await it.answer({"n": 7}, {"n": 7}, {"n": 8})
    assert [first.content, second.content, third.content] == ["got 7", REPEATED, "got 8"]
    assert sorted(it.ends) == ["completed", "completed", "failed"]


async def test_what_moves_no_money_may_stand_twice_in_one_answer():
    results = await bench().answer({"n": 7}, {"n": 7})
    assert [result.content for result in results] == ["got 7", "got 7"]


class Exotic(BaseException):
    """What no author raises on purpose."""


@pytest.mark.parametrize("error", [Exotic, KeyboardInterrupt])
async def test_whatever_a_tool_raises_fails_its_call_alone(error: type[BaseException]):
    async def raises(given: dict[str, object], context: ToolContext) -> object:
        raise error("stop")

    it = bench(raises)
    (result,) = await it.answer({"n": 1})
    assert result.content == f"Tool execution error: it raised {error.__name__}: stop"
