"""Budgets against a server whose answers are as long, and whose counts as high, as each request allows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest

from tests.e2e.harness import Finclaw
from tests.e2e.spending import OUTPUT, WIRE, asking, costs, price
from tests.wire.server import Reply, Seen, VectorServer, anthropic_sse, threaded

pytestmark = pytest.mark.by_agent

CACHE_WRITE = Decimal("3.75")
ENV = {WIRE.key: "sk-test-0123456789abcdef"}
LIMIT = Decimal(1)
RUNS = 6
MILLION = 1_000_000
CALL = {"type": "tool_use", "id": "c1", "name": "price", "input": {}}
ARGUMENTS = {"type": "input_json_delta", "partial_json": '{"symbol": "A"}'}


def texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for item in value.items() for part in item for text in texts(part))
    elif isinstance(value, list):
        yield from (text for item in value for text in texts(item))


def tokens_sent(body: Any) -> int:
    """A token for each byte of text: no tokenizer makes more of it."""
    content = [body["messages"], body.get("system"), body.get("tools")]
    return sum(len(text.encode()) for text in texts(content))


def billed(body: Any) -> Decimal:
    return (tokens_sent(body) * CACHE_WRITE + body["max_tokens"] * OUTPUT) / MILLION


def at_length(seen: Seen) -> Reply:
    """An answer of as many tokens as the request allows, that asks for a tool."""
    usage = {"input_tokens": 0, "cache_creation_input_tokens": tokens_sent(seen.body), "output_tokens": 1}
    events = [
        {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": [], "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": CALL},
        {"type": "content_block_delta", "index": 0, "delta": ARGUMENTS},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": seen.body["max_tokens"]},
        },
        {"type": "message_stop"},
    ]
    return Reply(body=anthropic_sse(events), wait_s=0.5)


@contextmanager
def generous() -> Iterator[VectorServer]:
    """A server that gives each request all that it allows."""
    with threaded() as server:
        server._reply_for = lambda index: at_length(server.requests[index])  # type: ignore[method-assign]
        yield server


def total_billed(server: VectorServer) -> Decimal:
    return sum(map(billed, server.bodies), Decimal(0))


@pytest.fixture
def priced(own: Finclaw) -> Finclaw:
    price(own.home, "claude-test", more=f'[budget]\ndaily = "{LIMIT}"')
    return own


@pytest.mark.parametrize("tokens", [(), ("--max-output-tokens", "64000")], ids=["as usual", "64,000 tokens asked for"])
def test_runs_at_once_are_billed_no_more_than_the_daily_budget(priced: Finclaw, tokens: tuple[str, ...]):
    with generous() as server:
        more = ("--max-turns", "20", *tokens, "--agent")
        running = [priced.start(*asking(server.url, *more, f"agent-{number}"), env=ENV) for number in range(RUNS)]
        results = [json.loads(process.communicate()[0].splitlines()[-1]) for process in running]
        spent = total_billed(server)
    assert {result["status"] for result in results} == {"budget"}
    assert LIMIT * 3 / 4 < spent <= LIMIT
    assert sum(filter(None, costs(priced.home))) == spent


@pytest.mark.parametrize("limit", ["0.3", "0.9"])
def test_one_run_is_billed_no_more_than_its_limit(own: Finclaw, limit: str):
    price(own.home, "claude-test")
    with generous() as server:
        ran = own(*asking(server.url, "--max-cost", limit, "--max-turns", "20"), env=ENV)
        spent = total_billed(server)
    assert (ran.code, ran.result["status"]) == (7, "budget")
    assert Decimal(limit) / 2 < Decimal(ran.result["cost_usd"]) == spent <= Decimal(limit)
