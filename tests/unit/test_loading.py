"""Tools that are loaded when they are called: of plugins that are trusted, and of those that are not."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from finclaw_cli.core.errors import ToolError, UsageError
from finclaw_cli.core.events.internal import ToolUnregister
from finclaw_cli.core.interruption import OutOfTime
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.tools import consent
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.executor import ExecutorSettings
from finclaw_cli.tools.lookup import Lookup
from finclaw_cli.tools.null_services import unloaded
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.validate import problems_or_fault
from tests.unit.test_pipeline import Bench, Handler, Yes, bench, context

OURS = {"source": "builtin"}
FOREIGN = {"source": "plugin:acme"}


async def answer(it: Bench, load: Callable[[], ToolDefinition], count: int = 1) -> list[ToolResult]:
    it.services = replace(it.services, approver=Yes())
    registry = ToolRegistry([ToolEntry(spec=it.tool, origin="acme", load=load)])
    toolbox = RegistryToolbox(registry, it.services, context, it.settings, it.emit)
    found: list[ToolResult] = []
    for turn in range(1, count + 1):
        batch = toolbox.batch((ToolCall(f"c{turn}", "t", {"n": 1}),), turn, 100)
        await batch.run()
        found += batch.results()
    return found


def broken() -> ToolDefinition:
    raise UsageError("its module is gone")


@pytest.mark.parametrize("facts", [OURS, FOREIGN], ids=["trusted", "not trusted"])
async def test_a_tool_that_cannot_be_loaded_is_unavailable(facts: dict[str, str]) -> None:
    it = bench(**facts)
    (result,) = await answer(it, broken)
    assert result == ToolResult("c1", 'Tool "t" is unavailable: its module is gone', is_error=True)
    assert [event.reason for event in it.events if isinstance(event, ToolUnregister)] == ["its module is gone"]


async def test_an_untrusted_tool_that_differs_from_its_manifest_does_not_run() -> None:
    it = bench(**FOREIGN)
    (result,) = await answer(it, lambda: replace(it.tool, description="Another."))
    assert result.content == 'Tool "t" is unavailable: it differs from its manifest in description'


async def test_the_own_check_of_an_untrusted_tool_is_asked_once_it_is_loaded() -> None:
    it = bench(**FOREIGN)
    (result,) = await answer(it, lambda: replace(it.tool, validate=lambda _: ["n is too small"]))
    assert result.content == "Invalid tool input: n is too small"


async def test_a_call_that_cannot_be_made_and_is_repeated_is_named_as_such() -> None:
    results = await answer(bench(**FOREIGN), broken, 12)
    assert "change the call, or go on without it" in results[-1].content


async def test_a_tool_that_cannot_work_on_this_machine_is_not_called() -> None:
    it = bench()
    it.settings = ExecutorSettings(unmet=lambda _: "it needs Linux")
    (result,) = await it.answer({"n": 1})
    assert (result.content, result.is_error) == ("it needs Linux", True)


async def test_a_result_of_a_kind_that_json_has_not_is_an_error() -> None:
    async def gives(given: dict[str, object], context: object) -> object:
        return {"a": object()}

    (result,) = await bench(gives).answer({"n": 1})
    assert result.is_error
    assert "/a is builtins.object, which JSON cannot hold" in result.content


@pytest.mark.parametrize("number", [math.nan, Decimal("Infinity")])
async def test_a_number_in_a_result_that_does_not_exist_is_an_error(number: object) -> None:
    async def gives(given: dict[str, object], context: object) -> object:
        return {"a": number}

    (result,) = await bench(gives).answer({"n": 1})
    assert result.is_error
    assert f"/a is {number}; a number that does not exist is None" in result.content


async def preview_of(shows: Handler) -> str:
    """The preview in the request for approval of a call."""
    it = bench(requires_approval=True, preview=shows)
    it.services = replace(it.services, approver=Yes())
    await it.answer({"n": 1})
    (preview,) = [event.preview for event in it.events if event.type == "agent.approval_request"]
    return str(preview)


async def test_a_preview_that_takes_too_long_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs(given: dict[str, object], context: object) -> str:
        await asyncio.Event().wait()
        return ""

    monkeypatch.setattr(consent, "PREVIEW_S", 0.01)
    assert await preview_of(hangs) == "(the tool gave no preview in time)"


async def test_a_preview_that_fails_is_done_without() -> None:
    async def fails(given: dict[str, object], context: object) -> str:
        raise LookupError("no such account")

    assert await preview_of(fails) == "(the tool could not say what the call would do: no such account)"


async def test_a_preview_is_cut_after_its_limit_and_names_its_length() -> None:
    async def counts(given: dict[str, object], context: object) -> str:
        return "x" * (consent.MAX_PREVIEW + 1)

    assert await preview_of(counts) == "x" * consent.MAX_PREVIEW + "\n… (20,001 characters in all)"


async def test_a_preview_of_exactly_the_limit_stays_whole() -> None:
    async def counts(given: dict[str, object], context: object) -> str:
        return "x" * consent.MAX_PREVIEW

    assert await preview_of(counts) == "x" * consent.MAX_PREVIEW


def test_an_interruption_in_the_own_check_of_a_tool_is_no_problem_of_the_input() -> None:
    def stopped(_: object) -> list[str]:
        raise OutOfTime

    with pytest.raises(OutOfTime):
        problems_or_fault(ToolCall("c", "t", {}), bench(validate=stopped).tool)


async def test_a_tool_that_is_not_loaded_refuses_to_run() -> None:
    call = ToolCall("c", "t", {})
    with pytest.raises(ToolError, match="t is not loaded in a replay"):
        await unloaded(bench().tool).handler({}, context(call, 1))


async def test_calls_side_by_side_load_a_tool_once() -> None:
    it, loads = bench(**FOREIGN), []

    def load() -> ToolDefinition:
        loads.append(1)
        return it.tool

    entry = ToolEntry(spec=it.tool, origin="acme", load=load)
    lookup = Lookup(ToolRegistry([entry]), it.emit)
    async with asyncio.TaskGroup() as group:
        loading = [group.create_task(lookup.loaded(entry)) for _ in range(2)]
    assert ([task.result() for task in loading], len(loads)) == ([it.tool, it.tool], 1)
