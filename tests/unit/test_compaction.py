"""A conversation that has become too large is made smaller, and stays one that every provider takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.context.compact import TRUNCATED, CompactionResult, Strategy, compact, target_tokens
from finclaw_cli.context.count import SUMMARY_MARK, tokens_of
from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from tests.unit.test_mend import problems

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


def count(messages: Sequence[Message]) -> int:
    return round(sum(map(tokens_of, messages)))


async def short(messages: Sequence[Message], room: int) -> str:
    return f"{len(messages)} messages about shares."


async def fails(messages: Sequence[Message], room: int) -> str:
    raise RuntimeError("overloaded")


async def hangs(messages: Sequence[Message], room: int) -> str:
    await asyncio.Event().wait()
    return "never"


async def empty(messages: Sequence[Message], room: int) -> str:
    return "  "


async def longer(messages: Sequence[Message], room: int) -> str:
    return "word " * 2 * (count(messages) + 10)


def small(
    messages: Sequence[Message], target: int, strategy: Strategy, summarize=short, **more: int
) -> CompactionResult:
    work = compact(messages, target=target, strategy=strategy, summarize=summarize, count=count, summary_s=0.01, **more)
    return asyncio.run(work)


def exchange(number: int, calls: int = 1, chars: int = 400) -> list[Message]:
    """A question, some calls with long results, an answer."""
    talk = [Message("user", f"Question {number}?")]
    for call in range(calls):
        call_id = f"c{number}_{call}"
        talk.append(Message("assistant", (TextBlock("Let me look."), ToolUseBlock(call_id, "price", {"n": number}))))
        talk.append(Message("tool", (ToolResultBlock(call_id, "42.10 " * (chars // 6)),)))
    return [*talk, Message("assistant", (TextBlock(f"Answer {number}."),))]


def talk_of(exchanges: int, **more: int) -> list[Message]:
    return [message for number in range(exchanges) for message in exchange(number, **more)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_fits_stays_as_it_is(strategy: Strategy):
    talk = talk_of(3)
    result = small(talk, count(talk), strategy)
    assert (result.messages, result.steps, result.removed) == (tuple(talk), (), 0)


def test_old_results_become_a_word_and_recent_ones_stay():
    talk = talk_of(6)
    result = small(talk, count(talk) * 2 // 3, "truncate-tools")
    shortened = [place for place, message in enumerate(result.messages) if TRUNCATED in str(message.content)]
    assert shortened == [2, 6, 10][: len(shortened)]
    assert len(shortened) >= 2
    assert (result.steps, result.removed) == (("truncate-tools",), 0)


def test_the_oldest_exchanges_go_first_and_whole():
    talk = talk_of(6)
    result = small(talk, count(talk) // 2, "truncate-oldest")
    assert result.messages[0] == talk[0]
    assert result.messages[1:] == tuple(talk[-(len(result.messages) - 1) :])
    assert result.messages[1].role == "user"


def test_one_long_question_loses_its_oldest_calls_with_their_results():
    talk = exchange(0, calls=20)
    result = small(talk, count(talk) // 2, "truncate-oldest")
    assert result.messages[0] == talk[0]
    assert problems(result.messages) == []
    assert len(result.messages) < len(talk)


def test_a_summary_stands_where_the_old_part_was():
    talk = talk_of(8)
    result = small(talk, count(talk) // 2, "summarize")
    assert result.messages[0] == talk[0]
    assert result.messages[1].text.startswith(SUMMARY_MARK)
    assert result.summary.endswith("messages about shares.")
    assert result.messages[2:] == tuple(talk[-len(result.messages[2:]) :])
    assert result.removed == len(talk) - len(result.messages) + 1


def test_a_little_too_much_needs_no_model():
    talk = talk_of(8)
    assert small(talk, round(count(talk) * 0.9), "hybrid", fails).steps == ("truncate-tools",)


def test_much_too_much_is_summarised_and_if_that_is_not_enough_the_rest_is_cut_as_well():
    talk = talk_of(8, chars=600)
    result = small(talk, count(talk) // 4, "hybrid")
    assert result.steps[0] == "summarize"


@pytest.mark.parametrize(
    ("summarize", "why"),
    [(fails, "overloaded"), (hangs, "TimeoutError"), (empty, "was empty"), (longer, "longer than what it sums up")],
)
def test_a_summariser_that_is_no_help_is_done_without(summarize: object, why: str):
    talk = talk_of(8)
    result = small(talk, count(talk) // 2, "summarize", summarize)
    assert result.summary == ""
    assert result.after <= count(talk) // 2
    assert len(result.fallbacks) >= 3
    assert all(why in said for said in result.fallbacks)


def test_a_summary_of_all_that_fails_is_tried_in_pieces():
    asked: list[int] = []

    async def of_little(messages: Sequence[Message], room: int) -> str:
        asked.append(len(messages))
        if len(messages) > 12:
            raise RuntimeError("too long")
        return "Some."

    result = small(talk_of(8), 900, "summarize", of_little)
    assert result.steps == ("summarize-chunks",)
    assert len(asked) >= 3
    assert result.summary.count("Some.") == len(asked) - 1


def test_a_second_compaction_sums_up_the_first_summary():
    talk = talk_of(8)
    first = small(talk, count(talk) // 2, "summarize")
    second = small([*first.messages, *talk_of(8)[1:]], count(talk) // 2, "summarize")
    assert sum(message.text.startswith(SUMMARY_MARK) for message in second.messages) == 1


calls = st.lists(st.text("ab ", max_size=300), max_size=4)
histories = st.lists(calls, min_size=1, max_size=8).map(
    lambda exchanges: [
        message
        for number, results in enumerate(exchanges)
        for message in [
            Message("user", f"Question {number}?"),
            *[
                part
                for place, result in enumerate(results)
                for part in (
                    Message("assistant", (ToolUseBlock(f"c{number}_{place}", "t", {}),)),
                    Message("tool", (ToolResultBlock(f"c{number}_{place}", result or "none"),)),
                )
            ],
            Message("assistant", (TextBlock(f"Answer {number}."),)),
        ]
    ]
)


@given(
    histories,
    st.sampled_from(STRATEGIES),
    st.sampled_from([short, fails, empty, longer]),
    st.integers(0, 2_000),
    st.integers(0, 8),
)
def test_whatever_is_made_smaller_stays_valid_and_keeps_what_has_to_stay(
    talk: list[Message], strategy: Strategy, summarize: object, target: int, keep_recent: int
):
    result = small(talk, target, strategy, summarize, keep_recent=keep_recent)
    assert problems(result.messages) == []
    assert result.messages[0] == talk[0]
    kept = min(keep_recent, len(talk) - 1)
    assert list(result.messages[len(result.messages) - kept :]) == talk[len(talk) - kept :]
    assert (result.before, result.after) == (count(talk), count(result.messages))
    assert result.after <= result.before
    least = small(talk, 0, "truncate-oldest", keep_recent=keep_recent)
    assert result.after <= target or result.messages == least.messages or result.after <= least.after


@given(st.integers(0, 400_000), st.integers(1_000, 2_000_000))
def test_a_target_is_never_negative_and_never_more_than_is_wanted(wanted: int, window: int):
    assert 0 <= target_tokens(wanted, window) <= wanted


@pytest.mark.parametrize(
    ("wanted", "window", "target"), [(180_000, 200_000, 145_904), (28_000, 32_000, 28_000), (20_000, 24_000, 16_384)]
)
def test_a_target_leaves_room_for_the_summary_but_keeps_the_floor(wanted: int, window: int, target: int):
    assert target_tokens(wanted, window) == target
