"""A model that repeats itself is stopped; one that asks for five tickers at once is not."""

from __future__ import annotations

from finclaw_cli.core.messages import ToolCall
from finclaw_cli.tools.loops import LoopDetector
from tests.unit.clocks import FakeClock
from tests.unit.test_pipeline import bench


def quote(symbol: str) -> ToolCall:
    return ToolCall("c", "get_quote", {"symbol": symbol})


def test_the_sixth_same_call_within_ten_seconds_is_one_too_many():
    loops = LoopDetector(FakeClock().monotonic)
    assert [loops.repeated(quote("ACME")) is not None for _ in range(6)] == [False] * 5 + [True]


def test_the_order_of_the_arguments_makes_no_difference():
    loops = LoopDetector(FakeClock().monotonic)
    for _ in range(3):
        loops.repeated(ToolCall("c", "t", {"a": 1, "b": 2}))
        loops.repeated(ToolCall("c", "t", {"b": 2, "a": 1}))
    assert loops.repeated(ToolCall("c", "t", {"a": 1, "b": 2})) is not None


def test_calls_that_lie_further_apart_are_none():
    clock = FakeClock()
    loops = LoopDetector(clock.monotonic)
    for _ in range(20):
        assert loops.repeated(quote("ACME")) is None
        clock.seconds += 2.6


def test_five_different_tickers_in_one_turn_are_none():
    loops = LoopDetector(FakeClock().monotonic)
    calls = [quote(symbol) for symbol in ("A", "B", "C", "D", "E")]
    for _ in range(2):
        loops.begin_turn(calls)
        assert [loops.repeated(call) for call in calls] == [None] * 5


def turns(loops: LoopDetector, *symbols: str) -> list[bool]:
    found = []
    for symbol in symbols:
        loops.begin_turn([quote(symbol)])
        found.append(loops.repeated(quote(symbol)) is not None)
    return found


def test_after_three_turns_of_the_same_calls_the_next_is_one_too_many():
    assert turns(LoopDetector(FakeClock().monotonic), "A", "A", "A", "A") == [False, False, False, True]


def test_a_different_call_in_between_starts_the_count_again():
    assert turns(LoopDetector(FakeClock().monotonic), "A", "A", "B", "A", "A") == [False] * 5


def test_after_three_equal_turns_something_new_may_be_asked():
    assert turns(LoopDetector(FakeClock().monotonic), "A", "A", "A", "B") == [False] * 4


async def test_where_nobody_can_be_asked_the_model_is_told_that_it_loops() -> None:
    it = bench()
    answers = await it.answer(*({"n": 1} for _ in range(7)))
    assert [answer.is_error for answer in answers] == [False] * 5 + [True] * 2
    assert "you are repeating yourself" in answers[-1].content
