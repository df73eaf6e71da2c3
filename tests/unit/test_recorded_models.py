"""The answers of a recorded model: what streamed, how it ended, and the summaries that were asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from finclaw_cli.core.chunks import (
    Done,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    UsageReport,
)
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.transcript.replayed_model import RecordedModel
from tests.unit.test_comparison import Record
from tests.unit.test_replayed_answers import RESULT, assert_ends, recording

QUESTION = ModelRequest(model="m", messages=(Message("user", "One?"),))
ASKED: Record = ("request", {"turn": 1, "attempt": 1})
ASKED_FOR_SUMMARY: Record = ("request", {"turn": 1, "attempt": 1, "purpose": "compaction"})
USAGE = {"input": 7, "output": 3}
REPORTED = UsageReport(input=7, output=3, cache_read=0, cache_write=0, reasoning=0, cache_write_1h=0)


def delta(text: str, kind: str = "agent.delta", attempt: int = 1) -> Record:
    return kind, {"turn": 1, "attempt": attempt, "text": text}


def answer(*blocks: dict[str, Any]) -> Record:
    return "message", {"role": "assistant", "content": list(blocks)}


def completed(stop: str = "end_turn", usage: dict[str, int] | None = None) -> Record:
    facts = {"turn": 1, "attempt": 1, "model": "m", "message": {}, "stop_reason": stop}
    return "agent.turn_complete", {**facts, "usage": usage, "cost_usd": None, "duration_ms": 1}


def spent(usage: dict[str, int]) -> Record:
    facts = {"number": 1, "turn": 1, "attempt": 1, "purpose": "turn", "model": "m", "status": "complete"}
    prices = dict.fromkeys(("cost_usd", "uncached_usd"))
    return "budget.spent", {**facts, "usage": usage, "estimated": False, **prices, "price_source": ""}


def setback(kind: str, **more: str) -> Record:
    facts = {"turn": 1, "attempt": 2, "code": "overloaded", "reason": "overloaded", "message": "too busy"}
    return kind, {**facts, **more}


def failed_result(exit_code: int, status: str = "error", **failure: Any) -> Record:
    error = {"code": "bad", "message": "it failed", **failure}
    return RESULT[0], {**RESULT[1], "status": status, "exit_code": exit_code, "error": error}


async def streamed(*records: Record) -> list[StreamChunk]:
    model = RecordedModel(recording(*records), asyncio.Event().set)
    chunks = [chunk async for chunk in model.stream(QUESTION)]
    await model.aclose()
    return chunks


async def failure(*records: Record) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        await streamed(*records)
    return raised.value


async def assert_ends_after(pieces: Sequence[StreamChunk], *records: Record) -> None:
    """Check that the replay streams these pieces, and ends where the recording does."""
    ends, taken = asyncio.Event(), list[StreamChunk]()
    model = RecordedModel(recording(*records), ends.set)

    async def take() -> None:
        async for chunk in model.stream(QUESTION):
            taken.append(chunk)

    await assert_ends(ends, take())
    assert taken == list(pieces)


class TestTurns:
    async def test_a_text_streams_in_the_pieces_in_which_it_did(self) -> None:
        text = {"type": "text", "text": "Well."}
        chunks = await streamed(ASKED, delta("We"), delta("ll."), answer(text), completed(usage=USAGE))
        assert chunks == [TextDelta("We"), TextDelta("ll."), REPORTED, Done(stop_reason="end_turn")]

    async def test_a_message_without_blocks_streams_too(self) -> None:
        text = ("message", {"role": "assistant", "content": "Well."})
        assert await streamed(ASKED, delta("Well."), text) == [TextDelta("Well."), Done(stop_reason="end_turn")]

    async def test_calls_stand_between_the_pieces_where_they_were(self) -> None:
        thought = {"type": "reasoning", "text": "Hm.", "signature": "s1"}
        call = {"type": "tool_use", "id": "c1", "name": "t", "input": '{"n":1}', "invalid": None}
        records = (
            delta("Hm.", "agent.reasoning"),
            delta("Look."),
            answer(thought, call, {"type": "text", "text": "L"}),
        )
        assert await streamed(ASKED, *records) == [
            ReasoningDelta("Hm."),
            ReasoningDelta("", "s1"),
            ToolUseStart("c1", "t"),
            ToolInputDelta("c1", '{"n":1}'),
            ToolUseEnd("c1", None),
            TextDelta("Look."),
            Done(stop_reason="tool_use"),
        ]

    async def test_pieces_that_no_block_has_come_last(self) -> None:
        records = (delta("Well."), delta("Hm.", "agent.reasoning"), answer({"type": "text", "text": "Well."}))
        assert (await streamed(ASKED, *records))[:2] == [TextDelta("Well."), ReasoningDelta("Hm.")]

    async def test_a_turn_without_a_word_ends_as_it_did(self) -> None:
        assert await streamed(ASKED, completed("max_tokens")) == [Done(stop_reason="max_tokens")]

    async def test_usage_that_is_known_of_the_request_alone_is_reported(self) -> None:
        text = answer({"type": "text", "text": "Well."})
        assert (await streamed(ASKED, delta("Well."), text, spent(USAGE)))[1] == REPORTED

    async def test_another_question_than_were_recorded_is_an_error(self) -> None:
        assert (await failure()).code == "not_recorded"


class TestFailedAttempts:
    @pytest.mark.parametrize(
        "record",
        [
            setback("agent.retry", delay_s="1", provider_code="busy"),
            setback("agent.failover", model_from="a", model_to="b", provider_code="busy"),
        ],
        ids=["a retry", "a failover"],
    )
    async def test_one_that_another_one_followed_fails_as_it_did(self, record: Record) -> None:
        kind, data = record
        error = await failure(ASKED, (kind, {**data, "delay_s": 1.0} if kind == "agent.retry" else data))
        assert (error.reason, error.message, error.provider_code) == ("overloaded", "too busy", "busy")

    async def test_what_was_counted_of_one_is_reported_before_it_fails(self) -> None:
        model = RecordedModel(recording(ASKED, delta("We"), spent(USAGE), failed_result(4)), asyncio.Event().set)
        stream = model.stream(QUESTION)
        assert [await anext(stream), await anext(stream)] == [TextDelta("We"), REPORTED]
        with pytest.raises(ProviderError):
            await anext(stream)

    @pytest.mark.parametrize(
        ("exit_code", "given", "reason"),
        [
            (4, {"reason": "rate_limit"}, "rate_limit"),
            (4, {"code": "timeout"}, "timeout"),
            (3, {}, "auth"),
            (2, {}, "bad_request"),
            (1, {"retryable": True}, "server_error"),
            (1, {}, "bad_request"),
        ],
        ids=str,
    )
    async def test_the_last_one_fails_with_what_the_run_ended_with(
        self, exit_code: int, given: dict[str, Any], reason: str
    ) -> None:
        error = await failure(ASKED, failed_result(exit_code, **given))
        assert (error.reason, error.message) == (reason, "it failed")

    @pytest.mark.parametrize("records", [(), (failed_result(0, "completed"),)], ids=["no result", "another result"])
    async def test_one_that_was_cut_off_ends_where_the_recording_does(self, records: tuple[Record, ...]) -> None:
        await assert_ends_after([TextDelta("We")], ASKED, delta("We"), *records)


class TestSummaries:
    async def test_the_text_of_a_summary_is_given_again(self) -> None:
        chunks = await streamed(ASKED_FOR_SUMMARY, ("summary", {"text": "In short."}), spent(USAGE))
        assert chunks == [REPORTED, TextDelta("In short."), Done(stop_reason="end_turn")]

    async def test_a_summary_that_failed_fails_again(self) -> None:
        error = await failure(ASKED_FOR_SUMMARY, ("summary", {"error": "too slow", "reason": "timeout"}))
        assert (error.reason, error.message) == ("timeout", "too slow")

    @pytest.mark.parametrize("records", [(), (("summary", {"error": "it was cut off"}),)], ids=["killed", "cancelled"])
    async def test_one_that_was_cut_off_ends_where_the_recording_does(self, records: tuple[Record, ...]) -> None:
        await assert_ends_after([], ASKED_FOR_SUMMARY, *records)


ANNOUNCED: Record = ("agent.tool_call", {"turn": 1, "call_id": "c", "name": "pay", "status": "announced"})


async def test_a_call_that_was_announced_begins_again_in_an_attempt_that_failed() -> None:
    failing = setback("agent.failover", model_from="m", model_to="n")
    model = RecordedModel(recording(ASKED, delta("One"), ANNOUNCED, failing), asyncio.Event().set)
    stream = model.stream(QUESTION)
    assert [await anext(stream), await anext(stream)] == [TextDelta("One"), ToolUseStart("c", "pay")]
    with pytest.raises(ProviderError):
        await anext(stream)


async def test_a_call_that_stayed_void_begins_again_and_does_not_end() -> None:
    chunks = await streamed(ASKED, ANNOUNCED, answer({"type": "text", "text": "One"}), completed("max_tokens"))
    assert [chunk for chunk in chunks if isinstance(chunk, ToolUseStart | ToolUseEnd)] == [ToolUseStart("c", "pay")]


async def test_a_recording_is_over_when_each_of_its_requests_was_made_again() -> None:
    model = RecordedModel(recording(ASKED, answer({"type": "text", "text": "One"}), completed()), asyncio.Event().set)
    assert not model.is_over
    assert [chunk async for chunk in model.stream(QUESTION)][-1] == Done(stop_reason="end_turn")
    assert model.is_over
