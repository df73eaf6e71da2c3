"""The table of the calls of a session: state, start, duration, attempts, bytes."""

from __future__ import annotations

import json

from tests.e2e.harness import Finclaw, call

TURN = {
    "tool_calls": [
        call("sleepy", seconds=0),
        call("pay", to="ACME", amount="12.50"),
        call("slepy", seconds=0),
        call("sleepy", seconds="long"),
    ]
}


def made(own: Finclaw) -> None:
    ran = own("run", "-o", "ndjson", "--session", "s", "-m", own.script(TURN, {"text": "Done."}), "x")
    assert ran.code == 8


def test_calls_are_shown_whether_their_tools_ran_or_not(own: Finclaw):
    made(own)
    calls = json.loads(own("sessions", "show", "s", "--calls", "--json").text)
    assert [(each["tool"], each["state"], each["attempts"]) for each in calls] == [
        ("sleepy", "completed", 1), ("pay", "denied", 0), ("slepy", "failed", 0), ("sleepy", "failed", 0),
    ]  # fmt: skip
    assert calls[0]["bytes"] == len("slept 0.0")
    assert all(each["duration_ms"] >= 0 and each["start"].endswith("Z") for each in calls)


def test_calls_are_shown_as_a_table(own: Finclaw):
    made(own)
    header, first, *_ = own("sessions", "show", "s", "--calls").text.splitlines()
    assert header.split() == ["CALL", "TOOL", "STATE", "START", "DURATION", "ATTEMPTS", "BYTES"]
    assert [first.split()[place] for place in (1, 2, -2, -1)] == ["sleepy", "completed", "1", "9"]


def test_a_session_without_calls_has_an_empty_list(own: Finclaw):
    own("run", "--session", "s", "-m", own.script({"text": "Done."}), "x")
    assert own("sessions", "show", "s", "--calls").text == "No tool was called.\n"
    assert json.loads(own("sessions", "show", "s", "--calls", "--json").text) == []


def test_an_unknown_session_is_one_error(own: Finclaw):
    ran = own("sessions", "show", "nope", "--calls")
    assert (ran.code, ran.text) == (2, "")
