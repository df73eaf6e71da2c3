"""Requests that are made again, and what becomes of those that are not."""

from __future__ import annotations

from typing import Any

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.events.agent import AgentRetry
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.model_requests import ModelRequestRunner
from finclaw_cli.engine.null_log import NULL_CONVERSATION_LOG
from finclaw_cli.engine.request import RunLimits
from finclaw_cli.engine.retry import RetryPolicy
from finclaw_cli.engine.spending import Expected, Spending
from finclaw_cli.engine.summarize import Summarizer
from tests.unit.plain_runs import HELLO, QUESTION, Sink, code, engine_of, run


def failing(reason: str, **more: object) -> dict[str, Any]:
    """A turn whose request fails once before it is answered."""
    return {**HELLO, "fault": {"reason": reason, **more}}


async def test_a_server_that_is_asked_too_often_is_asked_again_when_it_wants():
    sink = Sink()
    result = await run(failing("rate_limit", retry_after_s=0.02), sinks=[sink])()
    (again,) = [event for event in sink.events if isinstance(event, AgentRetry)]
    assert (result.text, again.reason) == ("Well.", "rate_limit")
    assert again.delay_s >= 0.02


async def test_a_server_that_wants_to_be_asked_in_an_hour_is_not_waited_for():
    result = await run(failing("overloaded", retry_after_s=3_600, times=9))()
    assert (code(result), result.exit_code) == ("overloaded", 4)
    assert result.error is not None
    assert result.error.hint == "The server asks for 3600 s of patience; try again then, or name a --fallback."


async def test_an_answer_of_which_text_was_shown_is_not_asked_for_again():
    fault = failing("connection", after_chars=2)
    sink = Sink()
    result = await run({**fault, "delta_chars": 2}, sinks=[sink], retractable=False)()
    assert (code(result), [event for event in sink.events if isinstance(event, AgentRetry)]) == ("connection", [])


class Pauses(Gate):
    """The way to a provider, which notes for how long requests were held."""

    held_s = 0.0

    def pause(self, seconds: float) -> None:
        self.held_s += seconds
        super().pause(seconds)


async def test_while_the_model_for_summaries_is_waited_for_no_other_run_asks_its_provider():
    gate, clock = Pauses(SystemClock()), SystemClock()
    engine, connection = engine_of(failing("rate_limit", retry_after_s=0.02), gate=gate)

    async def discard(_: object) -> None:
        pass

    requests = ModelRequestRunner(spending=Spending(engine, discard), log=NULL_CONVERSATION_LOG, limits=RunLimits())
    summarizer = Summarizer(
        connection,
        left=lambda _: 10_000,
        expected=lambda _: Expected(tokens=10, at_most=100),
        exchange=requests,
        clock=clock,
        retry=RetryPolicy(base_s=0.001),
        within_s=5,
    )
    assert await summarizer(1, [QUESTION], 200) == "Well."
    assert gate.held_s >= 0.02
