"""Runs whose conversation does not fit the window of the model: it is made smaller, and the run goes on."""

from __future__ import annotations

import asyncio

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.events.agent import AgentRetry
from finclaw_cli.core.events.context import ContextCompactFallback, ContextThreshold, ContextWindowStatus
from finclaw_cli.core.messages import Message, ToolResultBlock, ToolUseBlock
from finclaw_cli.engine.request import ContextPolicy
from tests.unit.plain_runs import REF, code
from tests.unit.windowed_runs import HANGS, SMALL, WRITER, Windowed, talk

ALONE = "the recent messages alone fill the window: only the last 1 of them stay"
OVER = "the last exchange that is over fills the window: only the last {} of the recent messages stay"
ANSWER = "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"


def too_large(message: str = "the prompt is too long") -> ProviderError:
    return ProviderError(message, reason="context_exceeded")


async def test_the_old_part_of_a_full_conversation_is_summed_up() -> None:
    windowed = Windowed()
    result = await windowed.result()
    (compaction,) = windowed.compactions
    assert (compaction.steps, compaction.removed, compaction.summary_model) == (("summarize",), 5, str(REF))
    assert compaction.after < compaction.before
    assert "In short: shares." in result.messages[1].text
    assert (result.text, len(result.messages)) == ("Well.", 22)


async def test_a_compaction_is_part_of_what_the_run_took() -> None:
    result = await Windowed().result()
    assert result.compaction is not None
    assert (result.compaction.count, result.compaction.summaries) == (1, 1)


async def test_a_threshold_is_passed_upwards_and_after_a_compaction_downwards() -> None:
    windowed = Windowed()
    await windowed.result()
    assert [(event.threshold, event.direction) for event in windowed.of(ContextThreshold)] == [
        (0.8, "up"),
        (0.8, "down"),
    ]


async def test_a_nearly_full_window_whose_old_part_is_a_trifle_is_left_as_it_is() -> None:
    windowed = Windowed()
    result = await windowed.result(talk(1, 10, "share " * 3_500))
    assert (result.status, windowed.compactions) == ("completed", [])


async def test_recent_messages_that_fill_the_window_go_too() -> None:
    windowed = Windowed(context=ContextPolicy(strategy="truncate-oldest"))
    result = await windowed.result(talk(3, 2_000))
    assert windowed.fallbacks == [OVER.format(3)]
    assert (windowed.compactions[0].steps, result.text) == (("truncate-oldest",), "Well.")


def long_exchange(tokens: int) -> tuple[Message, ...]:
    """A question that took two calls with results of so many tokens each, its answer, and a question after it."""
    calls = [
        message
        for call in "ab"
        for message in (
            Message("assistant", (ToolUseBlock(call, "price", {}),)),
            Message("tool", (ToolResultBlock(call, "share " * tokens),)),
        )
    ]
    return (Message("user", "How is Acme?"), *calls, Message("assistant", "Well."), Message("user", "And now?"))


async def test_a_long_exchange_that_is_over_does_not_keep_the_window_at_its_limit() -> None:
    """It stood at `critical` before, turn after turn: all of it counted as recent."""
    windowed = Windowed(context=ContextPolicy(strategy="truncate-tools"))
    result = await windowed.result(long_exchange(2_000))
    assert [event.state for event in windowed.of(ContextWindowStatus)][:2] == ["critical", "safe"]
    (compaction,) = windowed.compactions
    assert (compaction.steps, compaction.removed) == (("truncate-tools",), 0)
    assert (result.text, windowed.fallbacks) == ("Well.", [OVER.format(3)])


async def test_a_fallback_names_the_strategy_that_did_not_do_and_the_next_one() -> None:
    windowed = Windowed(summaries=[ProviderError("no", reason="bad_request")] * 2)
    await windowed.result()
    ways = [(event.from_strategy, event.to_strategy, event.reason) for event in windowed.of(ContextCompactFallback)]
    assert ways[0] == ("summarize", "summarize-chunks", "the summary failed: no")
    assert ways[1][:2] == ("summarize-chunks", "truncate-tools")


async def test_a_first_question_that_leaves_no_room_for_the_last_one_goes() -> None:
    windowed = Windowed()
    result = await windowed.result((Message("user", "share " * 6_000), *talk(1, 10)[1:]))
    assert windowed.fallbacks == [ALONE, "the first question leaves no room for the last one: it does not stay"]
    assert [message.text for message in result.messages if message.role == "user"] == ["And now?"]


async def test_a_last_question_that_is_too_large_is_asked_as_it_is() -> None:
    windowed = Windowed()
    result = await windowed.result(talk(1, 100, "share " * 6_000))
    assert (windowed.fallbacks, windowed.compactions) == ([ALONE], [])
    assert (result.text, len(windowed.provider.requests)) == ("Well.", 1)


async def test_a_request_that_the_provider_finds_too_large_is_made_again_with_less() -> None:
    windowed = Windowed(answers=[too_large(), "Well."], windows={})
    result = await windowed.result()
    assert [event.reason for event in windowed.of(AgentRetry)] == ["context_exceeded"]
    first, *_, second = windowed.provider.requests
    assert len(second.messages) < len(first.messages)
    assert (result.text, len(windowed.compactions)) == ("Well.", 1)


async def test_where_only_the_answer_was_too_large_a_shorter_one_is_asked_for() -> None:
    windowed = Windowed(answers=[too_large(ANSWER), "Well."], windows={})
    result = await windowed.result(talk(0))
    first, second = windowed.provider.requests
    assert (first.window_left, second.window_left) == (None, 1_024)
    assert (result.text, windowed.compactions) == ("Well.", [])


async def test_a_question_that_alone_is_too_large_is_an_error_with_a_hint() -> None:
    result = await Windowed(answers=[too_large()], windows={}).result(talk(0))
    assert code(result) == "context_exceeded"
    assert result.error is not None
    assert "ask for less at a time" in str(result.error.hint)


async def test_a_conversation_that_is_still_too_large_is_made_smaller_by_the_same_writer() -> None:
    windowed = Windowed(answers=[too_large(), "Well."], summaries=["One.", "Two.", "Three."])
    result = await windowed.result(talk(12, 290))
    assert [compaction.steps for compaction in windowed.compactions] == [("summarize",), ("summarize-chunks",)]
    assert result.compaction is not None
    assert result.compaction.count == 2


async def test_a_conversation_of_a_model_without_a_known_window_is_measured_where_it_is_large() -> None:
    windowed = Windowed(windows={})
    await windowed.result(talk(30, 500))
    assert list(windowed.warnings) == ["unknown_window"]


class TestSummaries:
    async def test_a_question_that_does_not_fit_the_window_of_the_writer_is_not_asked(self) -> None:
        context = ContextPolicy(strategy="summarize", summary_model=WRITER)
        windowed = Windowed(windows={REF: SMALL, WRITER: 1_500}, context=context)
        await windowed.result()
        assert windowed.fallbacks[0] == "the summary failed: it does not fit the window of scripted:writer"
        assert windowed.provider.for_summaries == []
        assert windowed.compactions[0].steps == ("truncate-oldest",)

    async def test_a_model_whose_key_is_refused_is_not_asked_again(self) -> None:
        windowed = Windowed(summaries=[ProviderError("a bad key", reason="auth")])
        await windowed.result()
        assert windowed.fallbacks[1].endswith("scripted:m is not asked again: a bad key")
        assert len(windowed.provider.for_summaries) == 1

    async def test_a_model_that_is_too_busy_is_asked_once_more(self) -> None:
        windowed = Windowed(summaries=[ProviderError("slow down", reason="rate_limit"), "Shares."])
        await windowed.result()
        assert (windowed.compactions[0].steps, windowed.fallbacks) == (("summarize",), [])
        assert (len(windowed.provider.for_summaries), len(windowed.clock.slept)) == (2, 1)

    async def test_a_model_that_is_overloaded_is_asked_once_more(self) -> None:
        windowed = Windowed(summaries=[ProviderError("overloaded", reason="overloaded"), "Shares."])
        await windowed.result()
        assert (windowed.compactions[0].summaries, len(windowed.provider.for_summaries)) == (2, 2)

    async def test_one_that_was_cut_off_is_not_used(self) -> None:
        windowed = Windowed(summaries=["The shares cost 42…"] * 2)
        await windowed.result()
        assert windowed.fallbacks[0] == "the summary failed: scripted:m stopped with 'max_tokens'"
        assert windowed.compactions[0].steps == ("truncate-oldest",)

    async def test_one_of_a_single_message_is_not_tried_in_pieces(self) -> None:
        windowed = Windowed(summaries=[ProviderError("no", reason="bad_request")])
        await windowed.result(talk(1, 4_500))
        assert windowed.fallbacks == [OVER.format(1), "the summary failed: no"]
        assert windowed.compactions[0].steps == ("truncate-oldest",)

    async def test_one_that_takes_too_long_is_not_waited_for(self) -> None:
        windowed = Windowed(summaries=[HANGS], context=ContextPolicy(strategy="summarize", summary_s=0.05))
        await windowed.result()
        assert windowed.fallbacks[0] == "the summary failed: it took longer than 0.05 s"
        assert windowed.fallbacks[1].endswith("is not asked again: it took longer than 0.05 s")

    async def test_one_that_was_cut_off_with_the_run_is_paid_for(self) -> None:
        windowed = Windowed(summaries=[HANGS])
        running = asyncio.create_task(windowed.result())
        await windowed.provider.asked.wait()
        running.cancel()
        result = await running
        assert code(result) == "cancelled"
        assert result.compaction is not None
        assert (result.compaction.count, result.compaction.summaries) == (0, 1)
