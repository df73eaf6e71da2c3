"""One call through the pipeline, and one turn's calls beside each other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core.events.agent import AgentToolCall, Event
from finclaw_cli.core.events.internal import ToolProgress
from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Approval, ApprovalRequest, Skip, Verdict
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.executor import ExecutorSettings, ToolServices
from finclaw_cli.tools.null_services import NoApprover, NoHooks, NoJournal
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry

Handler = Callable[[dict[str, object], ToolContext], Awaitable[object]]
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


async def echo(given: dict[str, object], context: ToolContext) -> object:
    return f"got {given['n']}"


@dataclass
class Bench:
    """A toolbox with one tool, and everything it said."""

    tool: ToolDefinition
    services: ToolServices = field(
        default_factory=lambda: ToolServices(
            policy=StagedPolicy(), approver=NoApprover(), journal=NoJournal(), hooks=NoHooks()
        )
    )
    settings: ExecutorSettings = field(default_factory=ExecutorSettings)
    events: list[Event] = field(default_factory=list)

    async def emit(self, event: Event) -> None:
        self.events.append(event)

    def toolbox(self) -> RegistryToolbox:
        entry = ToolEntry(spec=self.tool, origin="test", load=lambda: self.tool)
        return RegistryToolbox(ToolRegistry([entry]), self.services, context, self.settings, self.emit)

    async def answer(self, *inputs: dict[str, object]) -> list[ToolResult]:
        calls = tuple(ToolCall(f"c{n}", self.tool.name, given) for n, given in enumerate(inputs))
        batch = self.toolbox().batch(calls, 1, 100)
        await batch.run()
        return list(batch.results())

    @property
    def ends(self) -> list[str]:
        return [e.status for e in self.events if isinstance(e, AgentToolCall) and e.status in ENDED]


def context(call: ToolCall, turn: int) -> ToolContext:
    return ToolContext(
        agent_id="a",
        session_id="s",
        run_id="r",
        turn=turn,
        call_id=call.id,
        idempotency_key="k",
        home=Path(),
        workspace=Path(),
        user="u",
        channel="pipe",
    )


def bench(handler: Handler = echo, **facts: object) -> Bench:
    tool = ToolDefinition(name="t", description="A tool.", input_schema=SCHEMA, handler=handler, group="finance")
    return Bench(replace(tool, **facts))


async def test_a_raw_schema_is_checked_strictly() -> None:
    results = await bench().answer({"n": 1}, {"n": "1"}, {})
    assert [result.is_error for result in results] == [False, True, True]
    assert results[1].content == 'Invalid tool input: n: "1" is not of type "integer"'


async def test_a_tool_that_needs_consent_is_not_run_when_nobody_can_be_asked() -> None:
    ran: list[int] = []

    async def count(given: dict[str, object], context: ToolContext) -> object:
        ran.append(1)
        return "x"

    for flag in ("transactional", "requires_approval"):
        it = bench(count, **{flag: True})
        (result,) = await it.answer({"n": 1})
        assert result.content.startswith('Tool "t" needs approval: ')
        assert it.ends == ["denied"]
    assert ran == []


class Yes:
    async def ask(self, request: ApprovalRequest) -> Approval:
        return Approval(granted=True, by="test", request_id=request.id)


async def test_a_tool_that_was_approved_runs_once() -> None:
    it = bench(transactional=True)
    it.services = replace(it.services, approver=Yes())
    (result,) = await it.answer({"n": 7})
    assert (result.content, it.ends) == ("got 7", ["completed"])


class Never:
    def judge(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> Verdict:
        return Verdict(decision="deny", stage="global-deny", reason="not here")


async def test_a_denied_call_tells_the_reason() -> None:
    it = bench()
    it.services = replace(it.services, policy=Never())
    (result,) = await it.answer({"n": 1})
    assert result == ToolResult("c0", 'Tool "t" denied: not here', is_error=True)


class Changing(NoHooks):
    async def before(self, call: ToolCall, context: ToolContext) -> ToolCall | Skip:
        return replace(call, input={"n": 2}) if call.input["n"] == 1 else Skip()

    async def after(self, call: ToolCall, result: ToolResult, context: ToolContext) -> ToolResult:
        return replace(result, content=result.content.upper())


async def test_hooks_change_and_skip_calls_and_change_results() -> None:
    it = bench()
    it.services = replace(it.services, hooks=Changing())
    assert [result.content for result in await it.answer({"n": 1}, {"n": 9})] == ["GOT 2", "Skipped"]
    assert sorted(it.ends) == ["completed", "skipped"]


class FullDisk(NoJournal):
    async def intend(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> None:
        raise OSError("no space left")


async def test_a_call_that_cannot_be_journaled_is_not_run() -> None:
    it = bench()
    it.services = replace(it.services, journal=FullDisk())
    (result,) = await it.answer({"n": 1})
    assert result.is_error
    assert it.ends == ["failed"]


@pytest.mark.parametrize("flag", ["serial", "transactional"])
async def test_serial_and_transactional_calls_never_overlap(flag: str) -> None:
    inside = 0

    async def alone(given: dict[str, object], context: ToolContext) -> object:
        nonlocal inside
        inside += 1
        await asyncio.sleep(0)
        assert inside == 1
        inside -= 1
        return "alone"

    it = bench(alone, **{flag: True})
    it.services = replace(it.services, approver=Yes())
    assert [result.content for result in await it.answer(*({"n": n} for n in range(5)))] == ["alone"] * 5


async def test_only_so_many_calls_run_at_a_time() -> None:
    running, most = 0, 0

    async def count(given: dict[str, object], context: ToolContext) -> object:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return "x"

    it = bench(count)
    it.settings = ExecutorSettings(parallel=2)
    await it.answer(*({"n": n} for n in range(6)))
    assert most == 2


@pytest.mark.parametrize(("read_only", "running_one"), [(True, "cancelled"), (False, "unknown")])
async def test_a_cancelled_turn_gives_every_call_its_one_end(read_only: bool, running_one: str) -> None:
    began = asyncio.Event()

    async def forever(given: dict[str, object], context: ToolContext) -> object:
        began.set()
        await asyncio.Event().wait()
        return "never"

    it = bench(forever, read_only=read_only)
    it.settings = ExecutorSettings(parallel=1)
    calls = tuple(ToolCall(f"c{n}", "t", {"n": n}) for n in range(3))
    batch = it.toolbox().batch(calls, 1, 100)
    running = asyncio.create_task(batch.run())
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sorted(it.ends) == sorted(["cancelled", "cancelled", running_one])
    assert [result.is_error for result in batch.results()] == [True] * 3
    assert ("unknown" in batch.results()[0].content) == (not read_only)


async def test_progress_from_a_thread_becomes_events() -> None:
    async def work(given: dict[str, object], context: ToolContext) -> object:
        await asyncio.to_thread(context.progress, "half way", 0.5)
        return "done"

    it = bench(work)
    await it.answer({"n": 1})
    assert [(e.message, e.fraction) for e in it.events if isinstance(e, ToolProgress)] == [("half way", 0.5)]


@pytest.mark.parametrize(
    ("given", "reported"),
    [(7, 1.0), (-1, 0.0), (float("nan"), None), (Decimal("sNaN"), None), (10**400, None), ("0.5", None), (True, 1.0)],
)
async def test_a_fraction_that_cannot_be_one_spoils_nothing(given: Any, reported: float | None) -> None:
    async def work(_: dict[str, object], context: ToolContext) -> object:
        context.progress("x" * 2_000, given)
        return "done"

    it = bench(work)
    await it.answer({"n": 1})
    assert it.ends == ["completed"]
    assert [(len(e.message), e.fraction) for e in it.events if isinstance(e, ToolProgress)] == [(500, reported)]


async def test_the_users_timeout_wins_over_the_tools_own() -> None:
    async def forever(given: dict[str, object], context: ToolContext) -> object:
        await asyncio.Event().wait()
        return "never"

    it = bench(forever, timeout_s=3600)
    it.settings = ExecutorSettings(timeouts_s={"t": 0.01})
    (result,) = await it.answer({"n": 1})
    assert (result.content, it.ends) == ('Tool "t" timed out after 0.01 s', ["timeout"])


async def test_a_tool_that_swallows_its_cancellation_is_left_behind() -> None:
    let_go = asyncio.Event()

    async def stubborn(given: dict[str, object], context: ToolContext) -> object:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        return "never"

    it = bench(stubborn, timeout_s=0.01)
    (result,) = await it.answer({"n": 1})
    assert (result.content, it.ends) == ('Tool "t" timed out after 0.01 s', ["timeout"])
    let_go.set()


async def test_an_async_tool_that_exits_fails_alone() -> None:
    async def quits(given: dict[str, object], context: ToolContext) -> object:
        raise SystemExit(3)

    (result,) = await bench(quits).answer({"n": 1})
    assert result.content == "Tool execution error: it raised SystemExit: 3"


async def test_a_schema_never_fetches_anything() -> None:
    it = bench(input_schema={"type": "object", "$ref": "http://127.0.0.1:9/schema"})
    (result,) = await it.answer({"n": 1})
    assert "the tool's own schema cannot be used" in result.content


async def test_where_the_tools_own_check_fails_the_call_is_invalid() -> None:
    def crash(given: dict[str, object]) -> list[str]:
        raise RuntimeError("no connection")

    (result,) = await bench(validate=crash).answer({"n": 1})
    assert result.content == "Invalid tool input: the tool's own check of its input failed: RuntimeError: no connection"
