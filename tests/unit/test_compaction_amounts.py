"""How much goes: as little as the target asks for, in the smallest pieces that there are; and what a summary may have."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from finclaw_cli.core.messages import Message
from finclaw_cli.engine.context.compact import CompactionResult
from finclaw_cli.engine.context.shorten import TRUNCATED
from finclaw_cli.engine.context.steps import Strategy
from finclaw_cli.engine.context.summaries import Compression
from tests.unit.test_compaction import count, empty, exchange, fails, never, reasons, short, small, talk_of

LONG = [*exchange(0, calls=6, chars=2900), *(each for number in range(1, 4) for each in exchange(number, calls=0))]
"""An exchange with six large results, and three short ones after it."""


def cleared(result: CompactionResult) -> int:
    return sum(TRUNCATED in str(message.content) for message in result.messages)


@pytest.mark.parametrize("strategy", ["hybrid", "truncate-tools"])
def test_a_tenth_too_much_costs_one_of_six_results_of_an_exchange(strategy: Strategy):
    """All six went before: 9,470 tokens became 280 for a target of 8,523."""
    result = small(LONG, count(LONG) * 9 // 10, strategy, never)
    assert (result.before, result.after, cleared(result)) == (9470, 7938, 1)
    assert TRUNCATED in str(result.messages[2].content)


def test_a_tenth_too_much_costs_one_of_thirteen_messages_of_an_exchange():
    """All thirteen went before: 9,470 tokens became 50 for a target of 8,523."""
    result = small(LONG, count(LONG) * 9 // 10, "truncate-oldest", never)
    assert (result.before, result.after, result.removed) == (9470, 7901, 2)
    assert result.messages == (LONG[0], *LONG[3:])


def test_small_results_come_back_where_a_large_one_had_to_go():
    talk = [*exchange(0, calls=2, chars=300), *exchange(1, calls=1, chars=6000), *exchange(2, calls=0)]
    result = small(talk, count(talk) - 400, "truncate-tools", never, keep_recent=2)
    assert cleared(result) == 1
    assert TRUNCATED in str(result.messages[8].content)


def test_a_call_does_not_come_back_without_its_question():
    talk = [*exchange(0, calls=0), *exchange(1, calls=1, chars=60), *exchange(2, calls=0)]
    talk[7:8] = [Message("assistant", "Answer 1. " * 400)]
    talk[5:6] = [Message("assistant", "Answer 1. " * 400)]
    result = small(talk, 60, "truncate-oldest", never, keep_recent=2)
    assert [message.text for message in result.messages if message.is_question][:1] == ["Question 0?"]
    assert not any(message.role == "tool" for message in result.messages)


def test_a_summary_too_long_for_its_room_is_cut_at_the_end_of_a_sentence():
    talk = talk_of(8)
    sentences = [f"In {year} Acme sold for 42.{year} dollars, up 3.5 %." for year in range(40)]

    async def rambles(messages: Sequence[Message], room: int) -> str:
        return " ".join(sentences)

    result = small(talk, count(talk) // 2, "summarize", rambles)
    assert result.steps == ("summarize",)
    assert reasons(result) == ("the summary was longer than its room, and was cut",)
    assert result.summary.endswith(" …")
    assert result.summary == " ".join([*sentences[: result.summary.count("Acme")], "…"])
    assert count(talk) // 2 - 30 < result.after <= count(talk) // 2


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


def test_pieces_are_given_up_as_soon_as_the_summary_of_one_fails():
    asked: list[int] = []

    async def of_the_first(messages: Sequence[Message], room: int) -> str:
        asked.append(len(messages))
        if len(asked) == 2:
            return "Some."
        raise RuntimeError("too long")

    result = small(talk_of(8), 900, "summarize", of_the_first)
    assert len(asked) == 3
    assert (result.summary, len(reasons(result))) == ("", 2)
    assert "the summary of part 2 of " in reasons(result)[1]


class Writer:
    """Writes summaries of this share of what they sum up, in chunks; notes how many chunks there were."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.asked = 0

    async def __call__(self, messages: Sequence[Message], room: int) -> str:
        self.asked += 1
        if self.asked == 1:
            raise RuntimeError("too long")
        return "word " * max(int(count(messages) * self.share), 1)


@pytest.mark.parametrize(("ratio", "chunks"), [(1.0, 8), (0.35, 4), (0.01, 2), (3.0, 8)])
def test_the_number_of_chunks_follows_from_the_last_compression(ratio: float, chunks: int):
    talk = talk_of(30)
    writer = Writer(0.02)
    compression = Compression(ratio)
    result = small(talk, 2_500, "summarize", writer, compression=compression)
    assert (result.steps, writer.asked - 1) == (("summarize-chunks",), chunks)
    assert compression.ratio < 0.1


@pytest.mark.parametrize(
    ("strategy", "target", "summarize", "ways"),
    [
        ("summarize", 900, fails, [("summarize", "summarize-chunks"), ("summarize-chunks", "truncate-tools")]),
        ("hybrid", 900, empty, [("summarize", "summarize-chunks"), ("summarize-chunks", "truncate-tools")]),
        ("summarize", 250, short, [("summarize", "truncate-tools")]),
    ],
)
def test_a_fallback_is_from_one_strategy_to_another(
    strategy: Strategy, target: int, summarize: object, ways: list[tuple[str, str]]
):
    result = small(talk_of(8), target, strategy, summarize)
    assert [(each.from_strategy, each.to_strategy) for each in result.fallbacks] == ways
    assert all(each.reason for each in result.fallbacks)
