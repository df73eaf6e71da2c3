"""`finclaw context show`: what would fill the window if the session went on now."""

from __future__ import annotations

import json

import pytest

from tests.e2e.dialects import Chat
from tests.e2e.harness import Finclaw, call
from tests.wire.server import threaded

PARTS = ("system", "tools", "results", "conversation", "summary")


@pytest.fixture
def talked(own: Finclaw) -> Finclaw:
    turns = ({"tool_calls": [call("price", symbol="ACME")]}, {"text": "It is at 42.10 USD."})
    ran = own("run", "-m", own.script(*turns), "--session", "talk", "-t", "price", "How is ACME?")
    assert ran.code == 0, ran.stderr
    return own


def shown(own: Finclaw, *options: str) -> dict[str, object]:
    ran = own("context", "show", "--json", *options)
    assert ran.code == 0, ran.stderr
    return dict(json.loads(ran.stdout))


def test_the_parts_add_up_to_what_is_occupied(talked: Finclaw):
    facts = shown(talked, "--session", "talk")
    parts = facts["breakdown"]
    assert isinstance(parts, dict)
    assert sum(parts[name] for name in PARTS) == facts["occupied"]
    assert (facts["messages"], facts["state"], facts["counted"], facts["billed"]) == (4, "safe", False, None)
    assert min(parts["system"], parts["tools"], parts["results"], parts["conversation"]) > 0


def test_without_a_name_it_is_the_session_that_was_written_last(talked: Finclaw):
    assert shown(talked)["session"] == "talk"


def test_what_a_provider_has_counted_is_taken_as_it_is(own: Finclaw):
    wire = Chat(used=(9_000, 1_000))
    with threaded(wire.text("Fine.")) as server:
        where = ("-m", wire.model, "--base-url", f"{server.url}/v1")
        ran = own("run", *where, "--session", "talk", "How are you?", env={wire.key: "sk-test"})
        assert ran.code == 0, ran.stderr
    facts = shown(own, "--session", "talk")
    assert (facts["model"], facts["occupied"], facts["counted"]) == (wire.model, 10_000, True)
    assert facts["billed"] == {
        "input": 9_000, "output": 1_000, "cache_read": 0, "cache_write": 0, "reasoning": 0, "cache_write_1h": 0, "total": 10_000
    }  # fmt: skip


def test_the_window_is_that_of_the_model_one_asks_about(talked: Finclaw):
    facts = shown(talked, "-m", "claude-haiku-4-5")
    assert (facts["model"], facts["window"]) == ("anthropic:claude-haiku-4-5", 200_000)
    assert str(facts["window_source"]).startswith("genai-prices ")


def test_people_see_a_bar_as_wide_as_their_terminal_and_a_line_for_each_part(talked: Finclaw):
    ran = talked("context", "show", env={"COLUMNS": "60"})
    bar = next(line for line in ran.text.splitlines() if line.startswith("█"))
    assert len(bar) == 59
    assert bar.rstrip("·")[-1] in "░▒"
    for name in ("system prompt", "tool definitions", "tool results", "conversation", "summary", "free"):
        assert name in ran.text


def test_a_terminal_without_block_characters_gets_plain_ones(talked: Finclaw):
    ran = talked.cold("context", "show", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"})
    assert ran.code == 0
    assert "#" in ran.text
    assert "?" not in ran.text


def test_without_any_session_it_says_so(own: Finclaw):
    ran = own("context", "show")
    assert (ran.code, ran.stdout) == (2, b"")
    assert "session" in ran.stderr


def test_each_run_of_a_long_conversation_is_told_the_present(own: Finclaw):
    model = own.script({"text": "Fine."})
    lines = b'{"type":"user","text":"One?"}\n{"type":"user","text":"Two?"}\n'
    ran = own("run", "-o", "ndjson", "--input-format", "ndjson", "--session", "talk", "-m", model, stdin=lines)
    assert ran.code == 0, ran.stderr
    records = map(json.loads, (own.home / "sessions" / "talk.jsonl").read_text().splitlines())
    moments = [record["data"]["now"] for record in records if record["type"] == "run"]
    assert len({json.dumps(moment) for moment in moments}) == 2


def test_of_a_session_that_was_never_answered_it_shows_the_model_that_was_asked(own: Finclaw):
    wire = Chat()
    with threaded(wire.error(401, "invalid_api_key", "no")) as server:
        where = ("-m", wire.model, "--base-url", f"{server.url}/v1")
        assert own("run", *where, "--session", "talk", "How are you?", env={wire.key: "sk-test"}).code == 3
    assert shown(own, "--session", "talk")["model"] == wire.model


def test_a_damaged_session_is_shown_as_far_as_it_can_be_read_and_said_to_be_damaged(talked: Finclaw):
    path = talked.home / "sessions" / "talk.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"42.10 USD", b"43.10 USD", 1))
    ran = talked("context", "show", "--json")
    assert ran.code == 10
    assert "checksum" in ran.stderr
    assert json.loads(ran.stdout)["session"] == "talk"
