"""`finclaw mcp serve` as a process: stdout has messages alone, and the end of stdin or a signal ends it."""

from __future__ import annotations

import json
import signal

import pytest
from conftest import Servers
from raw_client import served
from served import ARGUMENTS, ORDER, Desk


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


def test_the_end_of_stdin_while_the_user_is_asked_ends_it_without_an_order(desk: Desk):
    with served(desk) as raw:
        raw.send("tools/call", {"name": ORDER, "arguments": ARGUMENTS}, 2)
        assert raw.read()["method"] == "elicitation/create"
        assert raw.left()[0] == 0
    assert desk.orders == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_user_is_asked_ends_it_without_an_order(desk: Desk, number: signal.Signals):
    with served(desk) as raw:
        raw.send("tools/call", {"name": ORDER, "arguments": ARGUMENTS}, 2)
        asked = raw.read()
        raw.process.send_signal(number)
        assert raw.process.wait(30) == 0
        assert asked["method"] == "elicitation/create"
    assert desk.orders == []


def test_an_answer_under_another_id_is_no_consent(desk: Desk):
    with served(desk) as raw:
        raw.send("tools/call", {"name": ORDER, "arguments": ARGUMENTS}, 2)
        asked = raw.read()
        yes = {"jsonrpc": "2.0", "result": {"action": "accept", "content": {"approve": True}}}
        raw.write(json.dumps({**yes, "id": asked["id"] + 1}))
        assert raw.ask("ping", {}, 3) == {}
        assert desk.orders == []
        raw.write(json.dumps({**yes, "id": asked["id"]}))
        assert raw.read()["result"]["isError"] is False
    assert desk.orders == [ARGUMENTS]
