"""The request for the sources of figures, as a server gets it: after the conversation, within the budget, without secrets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.e2e.harness import Finclaw
from tests.e2e.spending import EACH_USD, WIRE, ask, costs, price
from tests.wire.server import Reply, threaded

pytestmark = pytest.mark.by_agent

CALL = WIRE.calls(("c1", "price", {"symbol": "ACME"}))
ANSWER = "ACME closed at 42.10 USD, so that all of them are worth 421 USD for sk-test-0123456789abcdef."
SOURCES = json.dumps({"sources": [{"figure": 1, "expression": "r1.close * 10"}]})
REPLIES: Sequence[Reply] = (CALL, WIRE.text(ANSWER), WIRE.text(SOURCES))
WARN = ("--verify-numbers", "warn", "--session", "s")


def unmarked(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages without the marks of where a cache ends."""
    return json.loads(json.dumps(messages).replace(', "cache_control": {"type": "ephemeral"}', ""))  # type: ignore[no-any-return]


@pytest.fixture
def priced(own: Finclaw) -> Finclaw:
    price(own.home, "claude-test")
    return own


def test_the_question_comes_after_the_conversation_and_with_the_same_tools(priced: Finclaw) -> None:
    with threaded(*REPLIES) as server:
        ran = ask(priced, server.url, *WARN)
        before, last = server.bodies[1:]
    assert [line["status"] for line in ran.of("agent.number_check")] == ["found", "derived"]
    assert (last["tools"], last["system"]) == (before["tools"], before["system"])
    kept = len(before["messages"])
    assert unmarked(last["messages"][:kept]) == unmarked(before["messages"])
    assert [message["role"] for message in last["messages"][kept:]] == ["assistant", "user"]
    assert "sk-test" not in json.dumps(last["messages"][-1])
    assert last["max_tokens"] <= 8_192


def test_it_is_paid_for(priced: Finclaw) -> None:
    with threaded(*REPLIES) as server:
        ran = ask(priced, server.url, *WARN)
    assert float(ran.result["cost_usd"]) == pytest.approx(3 * float(EACH_USD))
    assert list(costs(priced.home)) == [EACH_USD] * 3


def test_where_there_is_no_money_for_it_the_figures_have_no_source_and_the_run_goes_on(priced: Finclaw) -> None:
    with threaded(*REPLIES) as server:
        ran = ask(priced, server.url, *WARN, "--max-cost", "0.045")
        assert len(server.requests) == len(REPLIES) - 1
    assert [line["status"] for line in ran.of("agent.number_check")] == ["found", "ungrounded"]
    assert (ran.result["status"], ran.code) == ("completed", 0)
    verified = priced("replay", "s", "--verify")
    assert (verified.code, verified.stderr) == (0, ""), verified.stdout


def test_where_the_server_refuses_it_the_run_goes_on(priced: Finclaw) -> None:
    with threaded(*REPLIES[:2], Reply(status=400, body=b'{"error":{"message":"no"}}')) as server:
        ran = ask(priced, server.url, *WARN)
    assert ([line["status"] for line in ran.of("agent.number_check")], ran.code) == (["found", "ungrounded"], 0)
    assert priced("replay", "s", "--verify").code == 0
