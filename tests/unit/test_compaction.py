"""A conversation that has become too large is made smaller, and stays one that every provider takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.messages import SUMMARY_MARK, Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.engine.context.compact import CompactionResult, compact, target_tokens
from finclaw_cli.engine.context.count import tokens_of
from finclaw_cli.engine.context.shorten import TRUNCATED, shortened
from finclaw_cli.engine.context.steps import Strategy
from tests.unit.test_repair_conversation import problems

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


async def never(messages: Sequence[Message], room: int) -> str:
    raise AssertionError("nobody is to be asked")


async def cancels_itself(messages: Sequence[Message], room: int) -> str:
    raise asyncio.CancelledError


async def nothing(messages: Sequence[Message], room: int) -> None:
    return None


async def longer(messages: Sequence[Message], room: int) -> str:
    return "word " * 2 * (count(messages) + 10)


def small(
    messages: Sequence[Message], target: int, strategy: Strategy, summarize=short, **more: int
) -> CompactionResult:
    work = compact(messages, target=target, strategy=strategy, summarize=summarize, count=count, summary_s=0.01, **more)
    return asyncio.run(work)


def reasons(result: CompactionResult) -> tuple[str, ...]:
    return tuple(fallback.reason for fallback in result.fallbacks)


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


def test_the_oldest_calls_go_first_and_an_answer_stays_with_its_question():
    talk = talk_of(6)
    result = small(talk, count(talk) // 2, "truncate-oldest", keep_recent=2)
    texts = [message.text for message in result.messages if message.role != "tool"]
    assert texts[:4] == ["Question 0?", "Answer 0.", "Question 1?", "Answer 1."]
    assert problems(result.messages) == []
    calls = [call.id for message in result.messages for call in message.tool_calls]
    assert calls == ["c4_0", "c5_0"]


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
    assert result.messages[2].text == "Question 4?"
    assert result.messages[3:] == tuple(talk[-len(result.messages[3:]) :])
    assert result.removed == len(talk) - len(result.messages) + 1


def test_a_little_too_much_needs_no_model():
    talk = talk_of(8)
    assert small(talk, round(count(talk) * 0.9), "hybrid", fails).steps == ("truncate-tools",)


def test_much_too_much_is_summarised():
    talk = talk_of(8, chars=600)
    assert small(talk, count(talk) // 2, "hybrid").steps == ("summarize",)


def test_where_there_is_no_room_for_a_summary_nobody_is_asked_for_one():
    talk = talk_of(8, chars=600)
    result = small(talk, count(talk) // 4, "summarize", never)
    assert result.steps == ("truncate-tools", "truncate-oldest")
    assert reasons(result) == ("there was no room for a summary",)


def test_the_current_question_stays_when_its_calls_grow_old():
    talk = [*talk_of(3), *exchange(3, calls=20)[:-1]]
    question = talk[12]
    summed_up = small(talk, count(talk) // 2, "summarize")
    assert [message.text[:12] for message in summed_up.messages[:3]] == [
        "Question 0?",
        SUMMARY_MARK[:12],
        "Question 3?",
    ]
    dropped = small(talk, count(talk) // 2, "truncate-oldest")
    assert [message.text for message in dropped.messages if message.is_question] == [
        f"Question {number}?" for number in range(4)
    ]
    assert any(message is question for message in dropped.messages)
    assert problems(dropped.messages) == problems(summed_up.messages) == []


def test_an_earlier_summary_is_cut_before_it_is_dropped_and_never_counts_as_the_question():
    told = Message("user", f"{SUMMARY_MARK}\n" + "Acme sold for 42.10 in May. " * 30)
    talk = [Message("user", "Why?"), told, *exchange(1, calls=6)[1:-1]]
    cut = small(talk, count(talk) - 100, "truncate-oldest")
    assert cut.steps == ("truncate-oldest",)
    assert cut.messages[1].text.startswith(f"{SUMMARY_MARK}\nAcme sold")
    assert cut.messages[1].text.endswith("in May. …")
    assert (cut.messages[0], *cut.messages[2:]) == (talk[0], *talk[2:])
    dropped = small(talk, count(talk) - count([told]), "truncate-oldest")
    assert dropped.messages == (talk[0], *talk[2:])


@pytest.mark.parametrize(
    ("summarize", "why"),
    [
        (fails, "overloaded"),
        (hangs, "took longer than 0.01 s"),
        (empty, "was empty"),
        (nothing, "was empty"),
        (longer, "longer than what it sums up"),
        (cancels_itself, "it cancelled itself"),
    ],
)
def test_a_summariser_that_is_no_help_is_done_without(summarize: object, why: str):
    talk = talk_of(8)
    result = small(talk, count(talk) // 2, "summarize", summarize)
    assert result.summary == ""
    assert result.after <= count(talk) // 2
    assert len(reasons(result)) == 2
    assert all(why in said for said in reasons(result))
    assert result.steps == ("truncate-tools",)


def test_a_second_compaction_sums_up_the_first_summary():
    talk = talk_of(8)
    first = small(talk, count(talk) // 2, "summarize")
    second = small([*first.messages, *talk_of(8)[1:]], count(talk) // 2, "summarize")
    assert sum(message.text.startswith(SUMMARY_MARK) for message in second.messages) == 1


def test_an_earlier_summary_goes_without_what_was_said_after_it():
    told = Message("user", f"{SUMMARY_MARK}\nNothing much.")
    talk = [Message("user", "Why?"), told, *exchange(1)[1:], *talk_of(3)[4:]]
    assert small(talk, count(talk) - 5, "truncate-oldest").messages == (talk[0], *talk[2:])


LONG = "Acme earned 4.2 billion dollars in the third quarter of 2025, which is 3.5 % more than the year before, it said"


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        (f"{LONG}. {LONG}.", len(LONG) + 20, f"{LONG}. …"),
        (f"{LONG}\n\n1. {LONG}", len(LONG) + 20, f"{LONG} …"),  # not behind the number of the list's item
        (f"- {LONG}\n- {LONG}\n", len(LONG) + 20, f"- {LONG} …"),
        (
            "애플의 매출은 4.2조 원으로 지난해보다 3.5 % 늘었다고 회사는 밝혔다. 다음 분기는 모른다.",
            45,
            "애플의 매출은 4.2조 원으로 지난해보다 3.5 % 늘었다고 회사는 밝혔다. …",
        ),
        (LONG, len(LONG) - 5, None),  # no half sentences: half a figure is a wrong one
        (f"Summary: none. {LONG}.", 60, None),  # what would be left says nothing
        ("", 5, None),
    ],
)
def test_a_text_is_cut_where_a_line_or_a_sentence_ends_or_not_at_all(text: str, most: int, kept: str | None):
    assert shortened(text, lambda cut: len(cut) <= most) == kept


@pytest.mark.parametrize("strategy", ["summarize", "hybrid"])
def test_whoever_cancels_a_compaction_is_obeyed_whatever_the_summariser_makes_of_it(strategy: Strategy):
    async def stubborn(messages: Sequence[Message], room: int) -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise RuntimeError("never mind") from None
        return ""

    async def cancelled(summarize: object) -> None:
        talk = talk_of(8)
        work = compact(talk, target=1_000, strategy=strategy, summarize=summarize, count=count, summary_s=2)
        task = asyncio.create_task(work)
        for _ in range(3):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled(hangs))
    asyncio.run(cancelled(stubborn))


@given(st.integers(0, 400_000), st.integers(1_000, 2_000_000))
def test_a_target_is_never_negative_and_never_more_than_is_wanted(wanted: int, window: int):
    assert 0 <= target_tokens(wanted, window) <= wanted


@pytest.mark.parametrize(
    ("wanted", "window", "target"), [(180_000, 200_000, 145_904), (28_000, 32_000, 28_000), (20_000, 24_000, 16_384)]
)
def test_a_target_leaves_room_for_the_summary_but_keeps_the_floor(wanted: int, window: int, target: int):
    assert target_tokens(wanted, window) == target
