"""The table of the calls of a session: state, start, duration, attempts, bytes."""

from __future__ import annotations

import json

import pytest

from tests.e2e.harness import Finclaw, call
from tests.e2e.test_resume import cut_off, resumed

pytestmark = pytest.mark.by_agent

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


def states(own: Finclaw) -> dict[str, tuple[str, int]]:
    calls = json.loads(own("sessions", "show", "talk", "--calls", "--json").text)
    return {each["tool"]: (each["state"], each["attempts"]) for each in calls}


def test_a_call_of_a_run_that_was_killed_is_cut_off_until_it_is_taken_up(own: Finclaw):
    model = own.script({"tool_calls": [call("sleepy", seconds=60)]}, {"text": "Done."})
    cut_off(own, model)
    assert states(own) == {"sleepy": ("cut off", 1)}
    assert resumed(own, model, KIT_AWAKE="1").code == 0
    assert states(own) == {"sleepy": ("completed", 2)}


def test_a_call_that_no_later_run_takes_up_stays_cut_off(own: Finclaw):
    cut_off(own, own.script({"tool_calls": [call("sleepy", seconds=60)]}, {"text": "Done."}))
    own("run", "--session", "talk", "-m", own.script({"text": "Fine."}), "And now?")
    assert states(own) == {"sleepy": ("cut off", 1)}


def test_a_session_without_calls_has_an_empty_list(own: Finclaw):
    own("run", "--session", "s", "-m", own.script({"text": "Done."}), "x")
    assert own("sessions", "show", "s", "--calls").text == "No tool was called.\n"
    assert json.loads(own("sessions", "show", "s", "--calls", "--json").text) == []


def test_an_unknown_session_is_one_error(own: Finclaw):
    ran = own("sessions", "show", "nope", "--calls")
    assert (ran.code, ran.text) == (2, "")
