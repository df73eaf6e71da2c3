"""A model that makes the same call that cannot be made, again and again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.harness import Finclaw, Ran, call

pytestmark = pytest.mark.by_agent

DONE = {"text": "ok"}
WRONG = [call("no_such_tool", n=1), call("price", symbol=7)]


def answers(ran: Ran) -> list[str]:
    return [line["result"] for line in ran.of("agent.tool_call") if line["status"] == "failed"]


@pytest.mark.parametrize("wrong", WRONG, ids=["unknown tool", "invalid input"])
def test_the_fourth_turn_of_it_is_told_that_it_repeats_itself(finclaw: Finclaw, wrong: dict[str, Any]):
    turns = [{"tool_calls": [wrong]}] * 4
    *before, last = answers(finclaw("run", "-o", "ndjson", "-m", finclaw.script(*turns, DONE), "x"))
    assert len(before) == 3
    assert not any("repeating" in answer for answer in before)
    assert last.startswith(before[0])
    assert "you are repeating yourself: the last 3 turns asked for the same calls; change the call" in last


@pytest.mark.parametrize("wrong", WRONG, ids=["unknown tool", "invalid input"])
def test_the_sixth_of_one_turn_is_told_that_it_repeats_itself(finclaw: Finclaw, wrong: dict[str, Any]):
    model = finclaw.script({"tool_calls": [wrong] * 6}, DONE)
    told = ["repeating yourself" in answer for answer in answers(finclaw("run", "-o", "ndjson", "-m", model, "x"))]
    assert sorted(told) == [False] * 5 + [True]


def test_different_mistakes_are_no_repetition(finclaw: Finclaw):
    turns = [{"tool_calls": [call("price", symbol=n)]} for n in range(6)]
    told = answers(finclaw("run", "-o", "ndjson", "-m", finclaw.script(*turns, DONE), "x"))
    assert len(told) == 6
    assert not any("repeating" in answer for answer in told)
