"""Calls under odd names, of tools that are gone, and results without their call: reported, and sent in a form that is
taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from tests.e2e.harness import Finclaw
from tests.e2e.test_session_commands import append, written
from tests.e2e.windowed import WIRES, Windowed, Wire, playing

ODD = "get price!"
LONG = "p" * 70
INTENT = {"key": "k", "turn": 1, "call_id": "d", "name": "pay", "input": '{"amount":"7"}', "read_only": False}

OUTCOME = {"key": "k", "call_id": "d", "content": "paid", "is_error": False}


def answered(name: str, call_id: str) -> tuple[Message, Message]:
    return (
        Message("assistant", (ToolUseBlock(call_id, name, {}),)),
        Message("tool", (ToolResultBlock(call_id, "7"),)),
    )


def session(own: Finclaw) -> Path:
    """Calls in the records 2, 4, 6 and 8, and a result without its call in record 10; its intent is in record 12."""
    calls = [*answered("price", "p"), *answered("gone_tool", "a"), *answered(ODD, "b"), *answered(LONG, "c")]
    orphan = Message("tool", (ToolResultBlock("d", "paid"),))
    path = written(own, Message("user", "One?"), *calls, orphan, Message("assistant", (TextBlock("So."),)))
    append(path, ("tool_intent", INTENT), ("tool_outcome", OUTCOME))
    return path


def report(own: Finclaw, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(own("sessions", "repair", "--dry-run", "--json", *options, "talk").text)
    return found


def test_names_that_are_refused_and_tools_that_are_gone_are_reported_with_their_records(own: Finclaw) -> None:
    session(own)
    stays = "stays in the conversation under its name"
    assert report(own)["names"] == [
        {"what": "uninstalled_tool", "detail": f"gone_tool (a): {stays}", "record": 4},
        {"what": "refused_name", "detail": f"{ODD} (b): sent as get_price_ where it is refused", "record": 6},
        {"what": "refused_name", "detail": f"{LONG} (c): sent as {LONG[:64]} where it is refused", "record": 8},
    ]


def test_each_repair_is_named_with_its_record_and_nothing_changes(own: Finclaw) -> None:
    path = session(own)
    before = path.read_bytes()
    ran = own("sessions", "repair", "--dry-run", "talk")
    assert (ran.code, path.read_bytes()) == (0, before)
    assert "\n  record 10: orphan result: pay (d)\n" in ran.text
    assert "\n  record 6: refused name: get price! (b): sent as get_price_ where it is refused\n" in ran.text
    assert report(own)["mended"] == [{"what": "orphan_result", "detail": "pay (d)", "record": 10}]


def test_a_session_without_calls_has_no_names_to_report(own: Finclaw) -> None:
    written(own, Message("user", "One?"), Message("assistant", (TextBlock("Two."),)))
    assert report(own)["names"] == []


def test_an_unanswered_call_has_the_record_of_the_call(own: Finclaw) -> None:
    written(own, Message("user", "One?"), answered("price", "p")[0], Message("user", "Two?"))
    assert report(own)["mended"] == [{"what": "unanswered_call", "detail": "price (p)", "record": 2}]


@pytest.mark.parametrize("wire", WIRES, ids=["anthropic", "chat", "responses"])
def test_the_conversation_goes_on_in_a_form_that_is_taken(own: Finclaw, wire: Wire) -> None:
    session(own)
    model = Windowed(wire, 200_000, tables=0, rows=1)
    with playing(model) as where:
        ran = own("run", "-o", "ndjson", "--session", "talk", *where, "And now?", env={wire.key: "sk-test"})
        verified = own("replay", "--verify", "talk")
    assert (ran.code, ran.result["text"]) == (0, "I have read them all."), ran.stderr
    (body,) = model.asked
    assert model.problems(body) == []
    sent = json.dumps(model.messages(body))
    assert all(f'"{name}' in sent for name in ("price", "gone_tool", "get_price_", LONG[:64], "pay"))
    assert "amount" in sent
    assert ODD not in sent
    assert verified.code == 0, verified.text
