"""A question that was cut off is taken up where it was left: nothing runs twice, and nothing is forgotten."""

from __future__ import annotations

import json
import signal

import pytest

from tests.e2e.asking import on_controlling_terminal, payments
from tests.e2e.harness import Finclaw, Ran, call, ended, wait_until
from tests.faults.test_pipes_and_signals import read_until

pytestmark = pytest.mark.by_agent

PAY = ({"text": "I pay.", "tool_calls": [call("pay", to="Kim", amount="5")]}, {"text": "Said: {{pay}}"})


def cut_off(own: Finclaw, model: str, *options: str, by: int = signal.SIGKILL, until: bytes = b'"running"') -> None:
    """A run of the session `talk` that ends while its first tool runs."""
    process = own.start(
        "run", "-o", "ndjson", "--session", "talk", *options, "-m", model, "x", env={"KIT_PAY_HANGS": "1"}
    )
    read_until(process, until)
    if "pay" in options:
        wait_until(lambda: payments(own) != [])
    process.send_signal(by)
    process.communicate()


def resumed(own: Finclaw, model: str, *options: str, **env: str) -> Ran:
    command = ("run", "-o", "ndjson", "--session", "talk", "--resume", "-m", model, *options)
    return own(*command, stdin=b"ignored", env=env)


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_a_call_that_can_be_repeated_runs_again_and_the_question_is_answered(own: Finclaw, by: int):
    calls = [call("sleepy", seconds=60), call("price", symbol="ACME")]
    model = own.script({"tool_calls": calls}, {"text": "{{sleepy}}, {{price.close}}"})
    cut_off(own, model, by=by)
    ran = resumed(own, model, KIT_AWAKE="1")
    assert (ran.code, ran.result["text"]) == (0, "slept 60.0, 42.10")
    assert ended(ran.lines)["sleepy"] == "completed"


def test_what_was_paid_and_not_seen_to_end_is_never_paid_again(own: Finclaw):
    model = own.script(*PAY)
    cut_off(own, model, "--approve", "pay")
    ran = resumed(own, model, "--approve", "pay")
    assert (ran.code, ran.result["unknown"], ended(ran.lines)) == (8, ["pay"], {"pay": "unknown"})
    assert "is unknown" in ran.result["text"]
    assert payments(own) == ["Kim 5"]
    assert [line["turn"] for line in ran.of("agent.tool_call")] == [0, 0]
    after = own("run", "-o", "ndjson", "--session", "talk", "-m", own.script({"text": "Fine."}), "y")
    assert (after.code, after.result["unknown"]) == (0, [])


def test_where_the_record_that_a_payment_began_is_damaged_it_is_not_made_again(own: Finclaw):
    model = own.script(*PAY)
    cut_off(own, model, "--approve", "pay")
    path = own.home / "sessions" / "talk.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line.replace(b"Kim", b"Kin") if b'"tool_intent"' in line else line for line in lines))
    ran = resumed(own, model, "--approve", "pay")
    assert (ran.code, ran.result["unknown"], payments(own)) == (8, ["pay"], ["Kim 5"])


def test_a_name_with_a_dot_is_a_name_like_any_other(own: Finclaw):
    model = own.script({"text": "Fine."})
    assert own("run", "--session", "acme.q3", "-m", model, "x").code == 0
    ran = own("run", "-o", "ndjson", "--session", "acme.q3", "-m", model, "y")
    assert (ran.code, ran.of("agent.warning")) == (0, [])
    assert own("replay", "acme.q3").code == 0
    assert own("sessions", "show", "acme.q3").text.count("Fine.") == 2


def test_a_payment_that_was_interrupted_is_unknown_in_its_own_run_too(own: Finclaw):
    model = own.script(*PAY)
    cut_off(own, model, "--approve", "pay", by=signal.SIGINT)
    (path,) = (own.home / "sessions").glob("*.jsonl")
    result = json.loads(path.read_bytes().splitlines()[-1])
    assert (result["type"], result["data"]["exit_code"], result["data"]["unknown"]) == ("agent.result", 130, ["pay"])
    assert resumed(own, model).code == 8
    assert payments(own) == ["Kim 5"]


def test_a_call_that_had_not_begun_is_judged_and_asked_about(own: Finclaw):
    turns = ({"tool_calls": [call("pay", to="Kim", amount="5")]}, {"text": "So."})
    model = own.script(*turns)
    process = own.start("run", "-o", "ndjson", "--session", "talk", "--approval", "stdio", "-m", model, "x", stdin=-1)
    read_until(process, b"agent.approval_request")
    process.kill()
    process.communicate()
    ran = resumed(own, model)
    assert (ran.code, ended(ran.lines), payments(own)) == (8, {"pay": "denied"}, [])


def test_on_a_terminal_a_person_says_what_became_of_it(own: Finclaw):
    model = own.script(*PAY)
    cut_off(own, model, "--approve", "pay")
    with on_controlling_terminal(own, "run", "--session", "talk", "--resume", "-m", model) as terminal:
        shown = terminal.until(b"I do not know")
        assert b"pay was running when the last run ended" in shown
        assert b'to = "Kim"' in shown
        terminal.type(b"y")
        assert terminal.end() == 0
    assert payments(own) == ["Kim 5"]
    assert "[The user says that this ran" in own("sessions", "show", "talk").text


def test_a_person_may_have_it_run_again_and_is_asked_for_approval(own: Finclaw):
    model = own.script(*PAY)
    cut_off(own, model, "--approve", "pay")
    with on_controlling_terminal(own, "run", "--session", "talk", "--resume", "-m", model) as terminal:
        terminal.until(b"I do not know")
        terminal.type(b"a")
        terminal.until(b"Run pay?")
        terminal.type(b"y")
        assert terminal.end() == 0
    assert payments(own) == ["Kim 5", "Kim 5"]


def test_a_run_that_was_killed_before_anything_was_said_asks_the_model(own: Finclaw):
    slow = own.script({"text": "Slowly, slowly.", "delay_s": 5, "delta_chars": 3}, name="slow.json")
    process = own.start("run", "--session", "talk", "-m", slow, "x")
    transcript = own.home / "sessions" / "talk.jsonl"
    wait_until(lambda: transcript.exists() and b'"type":"request"' in transcript.read_bytes())
    process.kill()
    process.communicate()
    ran = resumed(own, own.script({"text": "Quickly."}))
    assert (ran.code, ran.result["text"]) == (0, "Quickly.")
    assert [line["turn"] for line in ran.of("agent.turn_start")] == [1]


def test_an_answer_that_was_kept_before_the_run_was_killed_is_given(own: Finclaw):
    own("run", "--session", "talk", "-m", own.script({"text": "Done."}), "x")
    path = own.home / "sessions" / "talk.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    last = next(number for number, line in enumerate(lines) if b'"role":"assistant"' in line)
    path.write_bytes(b"".join(lines[: last + 1]))
    ran = resumed(own, own.script(name="empty.json"))
    assert (ran.code, ran.result["text"], ran.result["turns"]) == (0, "Done.", 0)


def test_the_session_written_last_is_taken_up_where_none_is_named(own: Finclaw):
    failed = own("run", "-o", "ndjson", "-m", own.script({"fault": {"reason": "bad_request"}}), "What?")
    ran = own("run", "-o", "ndjson", "--resume", "-m", own.script({"text": "That."}))
    assert (ran.code, ran.result["session_id"]) == (0, failed.result["session_id"])


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("--session", "talk", "--resume"), "nothing_to_resume", "has ended with an answer"),
        (("--session", "other", "--resume"), "unknown_session", "no session other"),
        (("--session", "talk", "--resume", "More?"), "usage", "continues the last question"),
        (("--session", "talk", "--resume", "--no-save"), "usage", "where it was kept"),
    ],
)
def test_what_cannot_be_taken_up_is_a_usage_error(own: Finclaw, options: tuple[str, ...], code: str, says: str):
    model = own.script({"text": "Fine."})
    own("run", "--session", "talk", "-m", model, "x")
    ran = own("run", "-o", "ndjson", "-m", model, *options)
    assert (ran.code, ran.result["error"]["code"]) == (2, code)
    assert says in ran.result["error"]["message"]


def test_call_ids_that_a_server_uses_again_become_new_ones(own: Finclaw):
    turn = {"tool_calls": [{"name": "price", "input": {"symbol": "ACME"}, "id": "call_0"}]}
    model = own.script(turn, {"text": "First."})
    for question in ("One?", "Two?", "Three?"):
        ran = own("run", "-o", "ndjson", "--session", "talk", "-m", model, question)
        assert (ran.code, ran.of("agent.warning")) == (0, [])
    shown = json.loads(own("sessions", "show", "--json", "talk").stdout)
    ids = [
        block["id"] for message in shown for block in message["content"] if isinstance(block, dict) and "name" in block
    ]
    assert ids == ["call_0", "call_0_2", "call_0_3"]
