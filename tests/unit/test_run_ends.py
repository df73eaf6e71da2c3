"""How a run ends when something other than the model fails: always with a result, which names the cause."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finclaw_cli.core import json_schema
from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.core.events.agent import AgentResult, AgentTurnStart, AgentWarning, Event
from finclaw_cli.core.events.numbers import NumberCounts
from finclaw_cli.core.interruption import Interruption, OutOfTime
from finclaw_cli.core.messages import Message, TextBlock
from finclaw_cli.engine.request import RunResult
from finclaw_cli.tools.batch import RegistryToolbox
from tests.unit.plain_runs import HELLO, QUESTION, Sink, code, message, run, toolbox

NEEDS_CLOSE = {"type": "object", "required": ["close"]}


class FailsToClose(RegistryToolbox):
    """A toolbox whose processes cannot be ended."""

    async def close(self) -> None:
        await super().close()
        raise OSError("no such process")


def raises(error: BaseException, at: type[Event]) -> Callable[[Event], Awaitable[None]]:
    async def before(event: Event) -> None:
        if isinstance(event, at):
            raise error

    return before


async def test_it_ends_with_the_result_of_the_model():
    result = await run(HELLO)()
    assert (result.status, result.text, result.exit_code) == ("completed", "Well.", 0)


async def test_a_bug_is_a_result_with_the_exit_code_of_one():
    sink = Sink(raises(RuntimeError("a bug"), AgentTurnStart))
    result = await run(HELLO, sinks=[sink])()
    assert (code(result), result.exit_code) == ("internal", 1)
    assert isinstance(sink.events[-1], AgentResult)


async def test_an_interruption_of_what_blocked_the_event_loop_is_the_end_of_its_time():
    result = await run(HELLO, sinks=[Sink(raises(OutOfTime(), AgentTurnStart))])()
    assert (result.status, code(result)) == ("timeout", "timeout")


async def test_a_result_that_cannot_be_recorded_is_an_error():
    failures = [OutputFailed("no space left on device")]

    async def before(event: Event) -> None:
        if isinstance(event, AgentResult) and failures:
            raise failures.pop()

    sink = Sink(before)
    result = await run(HELLO, sinks=[sink])()
    assert message(result) == "no space left on device"
    assert isinstance(sink.events[-1], AgentResult)


async def test_an_answer_without_numbers_needs_no_source():
    result = await run(HELLO, verify_numbers="fail")()
    assert (result.status, result.numbers) == ("completed", NumberCounts(found=0, derived=0, given=0, ungrounded=0))


async def test_a_signal_that_ends_the_process_is_passed_on():
    with pytest.raises(Interruption):
        await run(HELLO, sinks=[Sink(raises(Interruption(), AgentTurnStart))])()


async def test_a_cancellation_of_its_task_is_a_result():
    async def cancel(event: Event) -> None:
        task = asyncio.current_task()
        if isinstance(event, AgentTurnStart) and task is not None:
            task.cancel()
            await asyncio.sleep(0)

    result = await asyncio.create_task(run(HELLO, sinks=[Sink(cancel)])())
    assert (result.status, code(result)) == ("error", "cancelled")


async def test_tools_that_cannot_be_ended_are_the_error_of_the_run():
    result = await run(HELLO, box=lambda emit: toolbox(emit, FailsToClose))()
    assert (result.status, code(result), result.text) == ("error", "internal", "")


async def test_an_unknown_reason_to_stop_is_a_warning():
    sink = Sink()
    result = await run({**HELLO, "stop_reason": "unknown"}, sinks=[sink])()
    codes = [event.code for event in sink.events if isinstance(event, AgentWarning)]
    assert (codes.count("unknown_stop"), result.status) == (1, "completed")


class TestTakenUpAnswer:
    """The run before was cut off when it had its answer."""

    async def result(self, answer: str, schema: dict[str, Any] | None) -> RunResult:
        messages = (QUESTION, Message("assistant", (TextBlock(answer),)))
        unused = {"text": "another answer"}
        return await run(unused, messages=messages, kept_messages=2, schema=schema)()

    async def test_it_is_given_without_a_request(self):
        assert (await self.result("Well.", None)).text == "Well."

    async def test_it_is_parsed_where_a_schema_is_asked_for(self):
        assert (await self.result('{"close": 4.5}', NEEDS_CLOSE)).output == {"close": 4.5}

    async def test_one_that_does_not_fit_the_schema_is_an_error(self):
        result = await self.result('{"open": 4.5}', NEEDS_CLOSE)
        assert (code(result), result.status) == ("schema_unsatisfied", "error")
        assert "close" in message(result)


class TestSchemas:
    async def test_an_answer_that_takes_long_to_check_is_checked_without_blocking_the_event_loop(self):
        schema = {"type": "array", "uniqueItems": True}
        numbers = list(range(3_000))
        result = await run({"text": str(numbers)}, schema=schema)()
        assert (result.status, result.output) == ("completed", numbers)

    async def test_one_that_cannot_be_checked_in_time_is_an_error_that_names_the_option(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        levels = {f"a{n}": {"anyOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(40)}
        schema = {"properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": {**levels, "a40": {"type": "string"}}}
        running = run({"text": '{"x": 1}'}, schema=schema)
        monkeypatch.setattr(json_schema, "WORKER_S", 0.5)  # once the schema itself was checked
        result = await running()
        assert (code(result), result.exit_code) == ("schema_unsatisfied", 12)
        assert message(result) == "the answer cannot be checked against --schema: it cannot be checked within 0.5 s"

    def test_what_is_no_schema_is_refused_before_the_run(self):
        with pytest.raises(UsageError) as raised:
            run(HELLO, schema={"type": 7})
        assert raised.value.code == "bad_schema"
