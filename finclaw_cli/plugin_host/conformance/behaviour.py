"""The behaviour of a tool in calls: with invalid input, with its own examples, and in a cancellation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace

from finclaw_cli.core.json_text import JsonObject, canonical
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.plugin_host.conformance.author_line import described
from finclaw_cli.plugin_host.conformance.calls import Called, call_once, make_call
from finclaw_cli.plugin_host.conformance.own_loop import in_own_loop
from finclaw_cli.plugin_host.conformance.problem import Problem, error, warning
from finclaw_cli.plugin_host.conformance.watch import watched_stdout
from finclaw_cli.plugin_host.needs import READY, availability
from finclaw_cli.tools.bounded import bounded
from finclaw_cli.tools.render import EMPTY, render
from finclaw_cli.tools.validate import problems

LONGEST_CALL_S = 10.0
CANCELLED_AFTER_S = 0.05
ENDS_WITHIN_S = 1.0
UNKNOWN_PARAMETER = "finclaw_no_such_parameter"
WRONG_VALUE: JsonObject = {"finclaw_wrong": [None]}


def input_problems(tool: ToolDefinition) -> Iterator[Problem]:
    """Check that invalid input is refused and examples are valid, without calling the tool."""
    for wrong in _wrong_inputs(tool.input_schema):
        shown = canonical(wrong)
        try:
            if not problems(make_call(tool.name, wrong), tool):
                yield error(f"tool {tool.name}", "input_accepted", f"accepts {shown}, which its own schema refuses")
        except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
            yield error(
                f"tool {tool.name}", "input_crash", f"checking {shown} raises {type(raised).__name__}: {raised}"
            )
    for example in tool.examples:
        for problem in problems(make_call(tool.name, example), tool):
            yield error(f"tool {tool.name}", "example_invalid", f"{canonical(example)} is refused: {problem}")


def not_callable(tool: ToolDefinition, context: ToolContext) -> str | None:
    """Why a check does not call the tool, or None where it does."""
    if not tool.examples:
        return "it has no examples"
    if tool.transactional or tool.requires_approval:
        return "it needs an approval"
    if tool.external:
        return "it calls a service"
    if any(problems(make_call(tool.name, example), tool) for example in tool.examples):
        return "its examples are refused"
    state, how = availability(tool.needs, context.home)
    return None if state == READY else f"it needs: {how}"


def preview_problems(tool: ToolDefinition, context: ToolContext) -> Iterator[Problem]:
    """Ask for the preview of each example, which changes nothing, also where the tool itself is not called."""
    if tool.preview is None:
        return
    subject = f"tool {tool.name}"
    with watched_stdout() as written:
        found = in_own_loop(_previews(tool, context))
    yield from found
    if written.text:
        yield error(subject, "stdout", f"its preview prints on stdout: {written.text[:60]!r}")


async def _previews(tool: ToolDefinition, context: ToolContext) -> list[Problem]:
    found: list[Problem] = []
    subject = f"tool {tool.name}"
    for example in tool.examples:
        call = make_call(tool.name, example)
        if tool.preview is None or problems(call, tool):
            continue
        try:
            shown = render(await bounded(tool.preview(call.input, context), LONGEST_CALL_S))
        except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
            found.append(error(subject, "preview", f"the preview of {canonical(example)} raises {described(raised)}"))
            continue
        if shown == EMPTY:
            found.append(error(subject, "preview", f"the preview of {canonical(example)} is empty"))
    return found


def call_problems(tool: ToolDefinition, context: ToolContext) -> Iterator[Problem]:
    """Call each example to its end, and the first one once more to cancel it."""
    subject = f"tool {tool.name}"
    with watched_stdout() as written:
        found = in_own_loop(_example_problems(tool, context))
        found += in_own_loop(_cancel_problems(tool, context))
    yield from found
    if written.text:
        yield error(subject, "stdout", f"prints on stdout, which belongs to the answer: {written.text[:60]!r}")


async def _example_problems(tool: ToolDefinition, context: ToolContext) -> list[Problem]:
    found: list[Problem] = []
    longest_s = min(tool.timeout_s or LONGEST_CALL_S, LONGEST_CALL_S)
    for example in tool.examples:
        fresh = replace(context, cancelled=asyncio.Event())
        called = await call_once(tool, make_call(tool.name, example), fresh, longest_s=longest_s)
        found += _judged(tool, called, canonical(example))
    return found


def _judged(tool: ToolDefinition, called: Called, example: str) -> Iterator[Problem]:
    subject = f"tool {tool.name}"
    if called.crash is not None:
        yield error(subject, "example_crash", f"{example} crashed it: {called.crash}")
    elif called.result.is_error:
        yield error(subject, "example_failed", f"{example} failed: {called.result.content}")
    elif tool.group == "finance" and not called.result.content.startswith('{"data":'):
        yield warning(subject, "no_finance_result", f"{example} is not answered with a FinanceResult")


async def _cancel_problems(tool: ToolDefinition, context: ToolContext) -> list[Problem]:
    subject = f"tool {tool.name}"
    fresh = replace(context, cancelled=asyncio.Event())
    began = time.monotonic()
    running = asyncio.create_task(call_once(tool, make_call(tool.name, tool.examples[0]), fresh))
    await asyncio.sleep(CANCELLED_AFTER_S)
    if time.monotonic() - began > CANCELLED_AFTER_S + ENDS_WITHIN_S:
        return [error(subject, "blocks", "it is async but blocks the event loop: await, or make it a plain function")]
    running.cancel()
    _, still_running = await asyncio.wait([running], timeout=ENDS_WITHIN_S)
    if still_running:
        return [error(subject, "cancel", f"it goes on for more than {ENDS_WITHIN_S:g} s after it was cancelled")]
    return []


def _wrong_inputs(schema: JsonObject) -> Iterator[JsonObject]:
    """Inputs that the schema refuses: a parameter missing, an unknown one, each with a value of no type it takes."""
    import jsonschema_rs

    validator = jsonschema_rs.validator_for(schema)
    properties = schema.get("properties")
    names = list(properties) if isinstance(properties, dict) else []
    candidates: list[JsonObject] = [{}, {UNKNOWN_PARAMETER: 1}]
    candidates += [{name: WRONG_VALUE} for name in names]
    yield from (wrong for wrong in candidates if not validator.is_valid(wrong))
