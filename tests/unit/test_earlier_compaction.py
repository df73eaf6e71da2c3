"""The division by whole exchanges, by which recordings of earlier versions are verified."""

from __future__ import annotations

import pytest

from finclaw_cli.core.events.context import ContextWindowStatus
from finclaw_cli.core.messages import SUMMARY_MARK, Message
from finclaw_cli.engine.context.compact import CompactionResult
from finclaw_cli.engine.context.earlier import BY_EXCHANGE
from finclaw_cli.engine.context.steps import Strategy
from finclaw_cli.engine.request import ContextPolicy
from tests.unit.test_compaction import count, exchange, never, small, talk_of
from tests.unit.test_compaction_amounts import LONG, Writer, cleared
from tests.unit.test_repair_conversation import problems
from tests.unit.windowed_runs import Windowed, talk


def compacted(talk: list[Message], target: int, strategy: Strategy, **more: int) -> CompactionResult:
    return small(talk, target, strategy, more.pop("summarize", never), method=BY_EXCHANGE, **more)


def test_a_tenth_too_much_costs_all_results_of_an_exchange():
    result = compacted(LONG, count(LONG) * 9 // 10, "hybrid")
    assert (result.before, result.after, cleared(result)) == (9470, 280, 6)


def test_a_tenth_too_much_costs_all_thirteen_messages_of_an_exchange():
    result = compacted(LONG, count(LONG) * 9 // 10, "truncate-oldest")
    assert (result.before, result.after, result.removed) == (9470, 50, 13)


def test_a_call_of_the_current_exchange_goes_with_its_result():
    talk = exchange(0, calls=20)
    result = compacted(talk, count(talk) // 2, "truncate-oldest")
    assert result.messages[0] == talk[0]
    assert problems(result.messages) == []


@pytest.mark.parametrize("sentences", [30, 1])
def test_an_earlier_summary_is_cut_where_that_is_enough(sentences: int):
    summary = Message("user", f"{SUMMARY_MARK}\n" + "Acme sold for 42.10 in May. " * sentences)
    talk = [Message("user", "Why?"), summary, *exchange(1, calls=6)[1:-1]]
    result = compacted(talk, count(talk) - (100 if sentences > 1 else 5), "truncate-oldest")
    assert any(message.is_summary for message in result.messages) == (sentences > 1)
    assert result.messages[-12:] == tuple(talk[-12:])


def test_a_summary_takes_the_place_of_all_that_is_old_and_chunks_are_not_learned():
    talk, writer = talk_of(30), Writer(0.02)
    result = compacted(talk, 2_500, "summarize", summarize=writer)  # type: ignore[arg-type]
    assert (result.steps, result.messages[0], result.messages[1].is_summary) == (("summarize-chunks",), talk[0], True)
    assert result.messages[2:] == tuple(talk[-8:])


async def test_an_exchange_that_is_over_is_recent_as_a_whole():
    windowed = Windowed(context=ContextPolicy(method=BY_EXCHANGE))
    result = await windowed.result(talk(1, 3_900))
    assert [event.state for event in windowed.of(ContextWindowStatus)][:1] == ["critical"]
    assert (result.text, windowed.compactions) == ("Well.", [])
