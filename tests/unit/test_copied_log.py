"""The log of a session that is kept elsewhere as well: nothing follows from a record that is not there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.core.events.agent import Emitted
from finclaw_cli.core.messages import Message, ToolResult
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.transcript.session_log import RecordLog
from tests.unit.test_failing_log import AT, CALL, COMPLETED, WORDS, File
from tests.unit.test_pipeline import bench, context

CHANGING = replace(bench().tool, read_only=False)
READING = replace(bench().tool, read_only=True)


def log(file: File, copied: Callable[[], Awaitable[None]], failures: list[OutputFailed]) -> RecordLog:
    return RecordLog(
        file, {}, clock=SystemClock(), secrets=KnownSecrets(), on_failed=failures.append, copied=copied
    )  # fmt: skip


async def test_what_others_may_act_on_is_copied_at_once() -> None:
    file, seen = File(100), list[list[str]]()

    async def copied() -> None:
        seen.append(list(file.kinds))

    it = log(file, copied, [])
    await it.add_message(WORDS)
    await it.add_message(Message("assistant", "Two."))
    await it.intend(CALL, READING, context(CALL, 1))
    await it.record(CALL, context(CALL, 1), ToolResult("c", "7"))
    await it.intend(CALL, CHANGING, context(CALL, 1))
    await it.record(CALL, context(CALL, 1), ToolResult("c", "7"))
    await it.take(Emitted(AT, "run_1", COMPLETED))
    assert [kinds[-1] for kinds in seen] == ["message", "tool_intent", "tool_outcome", "agent.result"]


async def test_a_call_whose_intent_is_refused_elsewhere_does_not_run() -> None:
    failures: list[OutputFailed] = []

    async def refused() -> None:
        raise OutputFailed("the item belongs to another worker", code="lease_lost")

    it = log(File(100), refused, failures)
    with pytest.raises(OutputFailed, match="another worker"):
        await it.intend(CALL, CHANGING, context(CALL, 1))
    with pytest.raises(OutputFailed):
        await it.take(Emitted(AT, "run_1", COMPLETED))
    assert [failure.code for failure in failures] == ["lease_lost"]


async def test_a_file_that_fails_is_not_copied() -> None:
    async def copied() -> None:
        raise AssertionError("there is nothing to copy")

    failures: list[OutputFailed] = []
    it = log(File(0), copied, failures)
    with pytest.raises(OutputFailed):
        await it.take(Emitted(AT, "run_1", COMPLETED))
    assert len(failures) == 1


async def test_a_cancelled_call_has_its_intent_copied_before_the_cancellation_takes_effect() -> None:
    begun, may_end, reached = asyncio.Event(), asyncio.Event(), list[str]()

    async def copied() -> None:
        begun.set()
        await may_end.wait()
        reached.append("copied")

    async def call() -> None:
        await log(File(100), copied, []).intend(CALL, CHANGING, context(CALL, 1))
        reached.append("intended")
        await asyncio.sleep(0)
        reached.append("ran")

    task = asyncio.create_task(call())
    await begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert reached == ["copied", "intended"]
