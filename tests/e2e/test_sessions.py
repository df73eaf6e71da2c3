"""A session goes on: with another process, with another model, after damage and after a kill."""

from __future__ import annotations

import json
import signal

import pytest

from tests.e2e.asking import payments
from tests.e2e.harness import Finclaw, Ran, call, wait_until
from tests.faults.test_pipes_and_signals import read_until

pytestmark = pytest.mark.by_agent


def asked(own: Finclaw, question: str, *options: str, answer: str = "Fine.", **more: object) -> Ran:
    return own("run", "-o", "ndjson", "-m", own.script({"text": answer}), *options, question, **more)  # type: ignore[arg-type]


def conversation(own: Finclaw, name: str) -> list[str]:
    shown = json.loads(own("sessions", "show", "--json", name).stdout)
    return [
        message["content"]
        if isinstance(message["content"], str)
        else message["content"][0].get("text", message["role"])
        for message in shown
    ]


def test_a_named_session_goes_on_in_another_process(own: Finclaw):
    first = asked(own, "One?", "--session", "talk", answer="First.")
    second = asked(own, "Two?", "--session", "talk", answer="Second.")
    assert conversation(own, "talk") == ["One?", "First.", "Two?", "Second."]
    assert (first.result["session_id"], second.result["session_id"]) == ("talk", "talk")
    assert first.result["run_id"] != second.result["run_id"]
    assert own("replay", "-o", "json", "talk").stdout.count(b"\n") == 2


def test_the_last_session_is_continued(own: Finclaw):
    ran = asked(own, "One?")
    asked(own, "Two?", "-c")
    assert conversation(own, ran.result["session_id"]) == ["One?", "Fine.", "Two?", "Fine."]


def test_what_was_said_before_is_kept_once(own: Finclaw):
    asked(own, "One?", "--session", "talk")
    asked(own, "Two?", "--session", "talk")
    lines = (own.home / "sessions" / "talk.jsonl").read_text().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(len(lines)))
    assert sum('"One?"' in line for line in lines) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--continue",), "there is no session yet"),
        (("--session", "a/b"), "no session can be called 'a/b'"),
        (("--session", "x", "--no-save"), "a session goes on where it was kept"),
        (("--session", "x", "-c"), "--continue goes on with the last session"),
    ],
)
def test_what_cannot_go_on_is_a_usage_error(own: Finclaw, options: tuple[str, ...], says: str):
    ran = asked(own, "x", *options)
    assert (ran.code, ran.result["error"]["code"] in {"usage", "bad_session", "unknown_session"}) == (2, True)
    assert says in ran.result["error"]["message"]


def test_a_session_that_is_being_written_is_busy(own: Finclaw):
    slow = own.script({"tool_calls": [call("sleepy", seconds=60)]}, name="slow.json")
    process = own.start("run", "-o", "ndjson", "--session", "talk", "-m", slow, "x")
    read_until(process, b'"requested"')
    ran = asked(own, "y", "--session", "talk")
    assert (ran.code, ran.result["error"]["code"]) == (11, "session_busy")
    assert f"by process {process.pid}" in ran.result["error"]["message"]
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert asked(own, "y", "--session", "talk").code == 0


def test_readers_work_while_a_session_is_written(own: Finclaw):
    slow = own.script({"text": "Wait.", "tool_calls": [call("sleepy", seconds=60)]}, name="slow.json")
    process = own.start("run", "-o", "ndjson", "--session", "talk", "-m", slow, "x")
    read_until(process, b'"requested"')
    assert "Wait." in own("sessions", "show", "talk").text
    assert b"Wait." in own("replay", "-o", "ndjson", "talk").stdout
    process.kill()
    process.communicate()


def test_a_torn_end_costs_only_itself(own: Finclaw):
    asked(own, "One?", "--session", "talk")
    path = own.home / "sessions" / "talk.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    ran = asked(own, "Two?", "--session", "talk")
    assert ran.code == 0
    (warning,) = ran.of("agent.warning")
    assert warning["code"] == "session_mended"
    assert "it is cut off" in warning["message"]
    assert conversation(own, "talk") == ["One?", "Fine.", "Two?", "Fine."]
    (kept,) = (own.home / "sessions").glob("talk.bak-*")
    assert kept.read_bytes() == whole[:-20]
    assert own("replay", "talk").code == 0


def test_a_call_that_was_cut_off_is_answered_before_the_conversation_goes_on(own: Finclaw):
    slow = own.script({"tool_calls": [call("sleepy", seconds=60)]}, name="slow.json")
    process = own.start("run", "-o", "ndjson", "--session", "talk", "-m", slow, "x")
    read_until(process, b'"running"')
    process.kill()
    process.communicate()
    ran = asked(own, "And?", "--session", "talk")
    assert ran.code == 0
    assert [warning["code"] for warning in ran.of("agent.warning")] == ["unfinished"]
    assert "--session talk --resume" in ran.of("agent.warning")[0]["message"]
    assert conversation(own, "talk") == ["x", "assistant", "tool", "And?", "Fine."]


def test_a_payment_that_nobody_saw_end_is_told_once_and_never_made_again(own: Finclaw):
    pay = own.script({"tool_calls": [call("pay", to="Kim", amount="5")]}, {"text": "Done."}, name="pay.json")
    process = own.start(
        "run", "-o", "ndjson", "--session", "talk", "--approve", "pay", "-m", pay, "x", env={"KIT_PAY_HANGS": "1"}
    )
    read_until(process, b'"running"')
    wait_until(lambda: payments(own) != [])
    process.kill()
    process.communicate()
    ran = asked(own, "And?", "--session", "talk")
    assert (ran.code, ran.result["unknown"]) == (8, ["pay"])
    assert [warning["code"] for warning in ran.of("agent.warning")].count("outcome_unknown") == 1
    assert payments(own) == ["Kim 5"]
    again = asked(own, "And now?", "--session", "talk")
    assert (again.code, again.result["unknown"]) == (0, [])
