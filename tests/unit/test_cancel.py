"""Ending the work of a run from outside."""

from __future__ import annotations

import asyncio

import pytest

from finclaw_cli.engine.cancel import (
    SIGNALS,
    Cancellation,
    CancelScope,
    RunCancelled,
    cancellation_by,
    take_back_cancellation,
)

ABORTED = Cancellation(status="aborted", exit_code=130, code="aborted", message="a signal came")
TOO_LATE = Cancellation(status="timeout", exit_code=124, code="timeout", message="its time was up")


async def forever() -> None:
    await asyncio.Event().wait()


async def test_a_scope_that_was_cancelled_before_its_work_does_not_begin_it() -> None:
    scope, begun = CancelScope(), []

    async def work() -> None:
        begun.append(True)

    scope.cancel(ABORTED)
    with pytest.raises(RunCancelled):
        await scope.run(work())
    assert (begun, scope.is_cancelled) == ([], True)


async def test_the_first_reason_stays() -> None:
    scope = CancelScope()
    running = asyncio.create_task(scope.run(forever()))
    await asyncio.sleep(0)
    scope.cancel(ABORTED)
    scope.cancel(TOO_LATE)
    with pytest.raises(RunCancelled) as raised:
        await running
    assert raised.value.exit_code == 130


async def test_a_cancellation_by_others_is_no_reason_of_the_scope() -> None:
    running = asyncio.create_task(CancelScope().run(forever()))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_cancellation_that_was_not_delivered_yet_is_taken_back() -> None:
    async def work() -> str:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await take_back_cancellation()
        await asyncio.sleep(0)
        return "goes on"

    assert await asyncio.create_task(work()) == "goes on"


@pytest.mark.parametrize(("code", "number"), SIGNALS.items())
def test_a_signal_ends_a_run_under_its_own_code(code: str, number: int) -> None:
    reason = cancellation_by(number)
    assert (reason.code, reason.status, reason.exit_code) == (code, "aborted", 128 + number)
