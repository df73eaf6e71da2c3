"""How full a window is, and what is told of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.engine.context.window import (
    RESERVED_TOKENS,
    THRESHOLDS,
    Fill,
    Thresholds,
    blames_the_answer,
    said_window,
)


@pytest.mark.parametrize(
    ("occupied", "state"),
    [
        (0, "safe"),
        (69_999, "safe"),
        (70_000, "warning"),
        (85_000, "critical"),
        (99_999, "critical"),
        (100_000, "exceeded"),
    ],
)
def test_a_state_is_a_share_of_the_window_without_what_the_answer_needs(occupied: int, state: str):
    assert Fill(occupied, 100_000 + RESERVED_TOKENS).state == state


def test_a_tiny_window_still_has_half_of_itself_for_requests():
    assert Fill(0, 4_000).usable == 2_000


def test_each_threshold_is_passed_once():
    thresholds = Thresholds()
    told = [thresholds.risen(ratio) for ratio in (0.5, 0.81, 0.9, 0.79, 0.81, 0.96, 0.97)]
    assert told == [[], [(0.8, "up")], [], [], [], [(0.95, "up")], []]


def test_going_straight_past_both_tells_both():
    assert Thresholds().risen(0.99) == [(0.8, "up"), (0.95, "up")]


def test_what_was_made_smaller_can_pass_them_again():
    thresholds = Thresholds()
    thresholds.risen(0.99)
    assert thresholds.made_smaller(0.9) == [(0.95, "down")]
    assert thresholds.made_smaller(0.4) == [(0.8, "down")]
    assert thresholds.risen(0.96) == [(0.8, "up"), (0.95, "up")]


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 2))))
def test_the_two_directions_of_a_threshold_take_turns(steps: list[tuple[bool, float]]):
    thresholds = Thresholds()
    told = [
        each for smaller, ratio in steps for each in (thresholds.made_smaller if smaller else thresholds.risen)(ratio)
    ]
    for threshold in THRESHOLDS:
        directions = [direction for each, direction in told if each == threshold]
        assert directions == ["up", "down"] * (len(directions) // 2) + ["up"] * (len(directions) % 2)


@pytest.mark.parametrize(
    ("message", "window"),
    [
        ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
        ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length", 200_000),
        ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8_192),
        ("the request exceeds the available context size, try increasing it", None),
        ("> 12", None),
    ],
)
def test_the_window_that_a_refusal_names_is_read(message: str, window: int | None):
    assert said_window(message) == window


@pytest.mark.parametrize(
    ("message", "does"),
    [
        ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", True),
        ("you requested 9000 tokens (5000 in the messages, 4000 in the completion)", True),
        ("prompt is too long: 210000 tokens > 200000 maximum", False),
    ],
)
def test_a_refusal_of_what_the_answer_may_have_is_told_from_one_of_the_request(message: str, does: bool):
    assert blames_the_answer(message) == does
