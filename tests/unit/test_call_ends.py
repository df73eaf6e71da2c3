"""Every call is an execution with an end, whether its tool ran or not; one call is cancelled alone."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from finclaw_cli.core.events.internal import ToolExecuteCancel, ToolExecuteSkip
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Approval, ApprovalRequest, Skip, Verdict
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.execution import Executions
from finclaw_cli.tools.executor import Executor
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from tests.unit.test_pipeline import Bench, bench, context

CALL = ToolCall("c1", "t", {"n": 1})


class Denying:
    def judge(self, *_: object) -> Verdict:
        return Verdict(decision="deny", stage="global-deny", reason="no", trail=())


class Asking:
    def judge(self, *_: object) -> Verdict:
        return Verdict(decision="require-approval", stage="tool-policy", reason="ask", trail=())


class Skipping:
    async def before(self, call: ToolCall, context: ToolContext) -> Skip:
        return Skip("not now")


class Waiting:
    """Never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def ask(self, request: ApprovalRequest) -> Approval:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


def executor(it: Bench) -> Executor:
    entry = ToolEntry(spec=it.tool, origin="test", load=lambda: it.tool)
    return Executor(ToolRegistry([entry]), it.services, context, it.settings, it.emit)


def ends(it: Bench, kind: type[Any]) -> list[Any]:
    return [event for event in it.events if isinstance(event, kind)]


@pytest.mark.parametrize(
    ("call", "services", "state", "status"),
    [
        (CALL, {"policy": Denying()}, "failed", "denied"),
        (CALL, {"hooks": Skipping()}, "completed", "skipped"),
        (replace(CALL, name="u"), {}, "failed", "failed"),
        (replace(CALL, input={"n": "one"}), {}, "failed", "failed"),
    ],
)
async def test_a_call_whose_tool_does_not_run_is_an_execution_with_an_end(
    call: ToolCall, services: dict[str, Any], state: str, status: str
) -> None:
    it = bench()
    it.services = replace(it.services, **services)
    tools = executor(it)
    result = await tools.answer(call, 1)
    execution = tools.executions.find("c1")
    assert execution is not None
    assert (execution.state, execution.outcome, execution.attempt, execution.started) == (state, status, 0, None)
    assert execution.finished is not None
    assert tools.executions.current == ()
    (end,) = ends(it, ToolExecuteSkip)
    assert (end.call_id, end.status, end.message) == ("c1", status, result.content)
    assert end.duration_ms == execution.duration_ms


async def test_an_execution_that_ran_counts_its_attempt_and_has_one_end() -> None:
    it = bench()
    tools = executor(it)
    await tools.answer(CALL, 1)
    execution = tools.executions.find("c1")
    assert execution is not None
    assert (execution.state, execution.attempt, execution.timeout_s) == ("completed", 1, 30)
    assert ends(it, ToolExecuteSkip) == ends(it, ToolExecuteCancel) == []
    assert tools.executions.find("c2") is None


async def test_a_call_that_waits_for_an_approval_is_cancelled_alone() -> None:
    it, waiting = bench(), Waiting()
    it.services = replace(it.services, policy=Asking(), approver=waiting)
    tools = executor(it)
    answer = asyncio.create_task(tools.answer(CALL, 1))
    await waiting.asked.wait()
    assert tools.executions.cancel("c1")
    assert not tools.executions.cancel("c1")
    assert (await answer).content == "cancelled"
    (end,) = ends(it, ToolExecuteCancel)
    assert (end.call_id, end.alone, it.ends) == ("c1", True, ["cancelled"])


async def test_the_end_of_a_run_ends_a_call_that_was_cancelled_as_well() -> None:
    it, waiting = bench(), Waiting()
    it.services = replace(it.services, policy=Asking(), approver=waiting)
    tools = executor(it)
    answer = asyncio.create_task(tools.answer(CALL, 1))
    await waiting.asked.wait()
    tools.executions.cancel("c1")
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    assert it.ends == ["cancelled"]


async def test_a_call_that_waits_for_its_place_is_cancelled_without_being_judged() -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def wait(given: dict[str, object], context: ToolContext) -> object:
        began.set()
        await go_on.wait()
        return "done"

    it, executions = bench(wait), Executions()
    entry = ToolEntry(spec=it.tool, origin="test", load=lambda: it.tool)
    settings = replace(it.settings, parallel=1)
    box = RegistryToolbox(ToolRegistry([entry]), it.services, context, settings, it.emit, executions=executions)
    batch = box.batch((CALL, replace(CALL, id="c2")), 1, 100)
    running = asyncio.create_task(batch.run())
    await began.wait()
    assert [(call.id, call.state) for call in executions.current] == [("c1", "running"), ("c2", "pending")]
    assert executions.cancel("c2")
    go_on.set()
    await running
    assert [result.content for result in batch.results()] == ["done", "cancelled"]
    assert [event.call_id for event in ends(it, ToolExecuteCancel)] == ["c2"]


async def test_a_payment_cancelled_between_its_intent_and_its_tool_is_unknown() -> None:
    class Cancelling:
        """A journal during whose record of the intent the call is cancelled."""

        def earlier(self, call: ToolCall) -> None:
            return None

        async def intend(self, call: ToolCall, *_: object) -> None:
            assert tools.executions.cancel(call.id)

        async def record(self, *_: object, is_known: bool = True) -> None:
            known.append(is_known)

    known: list[bool] = []
    it = bench()
    it.tool = replace(it.tool, transactional=True, idempotent=False)
    it.services = replace(it.services, policy=Asking(), approver=Granting(), journal=Cancelling())
    tools = executor(it)
    await tools.answer(CALL, 1)
    assert (it.ends, known) == (["unknown"], [False])


async def test_a_hook_that_swallows_the_cancellation_does_not_let_the_tool_run() -> None:
    class Swallowing:
        async def before(self, call: ToolCall, context: ToolContext) -> ToolCall:
            tools.executions.cancel(call.id)
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            return call

    it = bench()
    it.services = replace(it.services, hooks=Swallowing())
    tools = executor(it)
    assert (await tools.answer(CALL, 1)).content == "cancelled"
    assert it.ends == ["cancelled"]


class Granting:
    async def ask(self, request: ApprovalRequest) -> Approval:
        return Approval(granted=True, by="test", request_id=request.id)
