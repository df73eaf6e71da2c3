"""Every failure is an `agent.error` before the result; results of tools and usage are reported whole."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tests.e2e.harness import Finclaw, Ran, call
from tests.e2e.spending import WIRE, ask, price
from tests.wire.server import threaded

pytestmark = pytest.mark.by_agent

ENV = {WIRE.key: "sk-test-0123456789abcdef"}
PRICES: list[dict[str, Any]] = [{"tool_calls": [call("price", symbol=symbol)]} for symbol in "ABC"]
LIMITS: dict[str, tuple[list[dict[str, Any]], tuple[str, ...], int, str]] = {
    "turns": (PRICES, ("--max-turns", "2"), 5, "max_turns"),
    "tool calls": ([{"tool_calls": [call("price", symbol="A"), call("price", symbol="B")]}], ("--max-tool-calls", "1"), 5, "error"),
    "time": ([{"text": "Slowly now.", "delay_s": 9, "delta_chars": 6}], ("--timeout", "0.3"), 124, "timeout"),
}  # fmt: skip


def assert_reported(ran: Ran, status: str) -> None:
    """The error stands before the result, and both say the same."""
    error, result = ran.lines[-2:]
    assert (error["type"], result["status"]) == ("agent.error", status)
    assert {name: error[name] for name in result["error"]} == result["error"]


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_an_error_before_the_result(own: Finclaw, name: str) -> None:
    turns, options, code, status = LIMITS[name]
    ran = own("run", "-o", "ndjson", "--session", "talk", *options, "-m", own.script(*turns), "x")
    assert ran.code == code
    assert_reported(ran, status)
    assert own("replay", "--verify", "talk").code == 0


def test_a_limit_of_money_is_an_error_before_the_result(own: Finclaw) -> None:
    price(own.home, "claude-test")
    with threaded(WIRE.text("fine")) as server:
        ran = ask(own, server.url, "--max-cost", "0.001")
    assert ran.code == 7
    assert_reported(ran, "budget")


def test_usage_has_its_total(own: Finclaw) -> None:
    with threaded(WIRE.text("fine")) as server:
        ran = ask(own, server.url)
    (turn,) = ran.of("agent.turn_complete")
    for usage in (turn["usage"], ran.result["usage"]):
        assert usage["total"] == usage["input"] + usage["output"] + usage["cache_read"] + usage["cache_write"] > 0


@pytest.mark.parametrize("shown", ["1000", "200000"])
def test_a_result_that_the_guard_cut_has_the_size_and_the_hash_of_the_whole(own: Finclaw, shown: str) -> None:
    model = own.script({"tool_calls": [call("big", chars=150_000)]}, {"text": "ok"})
    ran = own("run", "-o", "ndjson", "--session", "talk", "--max-result-chars", shown, "-m", model, "x")
    end = ran.of("agent.tool_call")[-1]
    assert (end["truncated"], end["bytes"]) == (True, 150_000)
    assert end["sha256"] == hashlib.sha256(b"x" * 150_000).hexdigest()
    assert own("replay", "--verify", "talk").code == 0


def test_a_tool_is_registered_with_its_group(own: Finclaw) -> None:
    model = own.script({"tool_calls": [call("price", symbol="A")]}, {"text": "ok"})
    ran = own("run", "-o", "ndjson", "--events", "all", "-m", model, "x")
    (registered,) = ran.of("tool.register")
    assert (registered["name"], registered["group"], registered["trusted"]) == ("price", "finance", True)
