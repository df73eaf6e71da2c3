"""A call is cancelled by a line on stdin, and its run goes on; another line interrupts the run."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.e2e.asking import OverStdio, payments
from tests.e2e.harness import Finclaw, call, checked_lines, ended

PAY = {"tool_calls": [call("pay", to="ACME", amount="12.50")]}
TWO = {"tool_calls": [call("sleepy", seconds=60), call("pay", to="ACME", amount="12.50")]}
DONE = {"text": "Done."}


def asked_for(run: OverStdio, name: str) -> str:
    """The id of the next call of that tool."""
    while (line := run.next("agent.tool_call"))["name"] != name:
        pass
    return str(line["call_id"])


def test_a_running_call_is_cancelled_and_its_sibling_and_its_run_go_on(own: Finclaw):
    run = OverStdio(own, "--session", "s", "-m", own.script(TWO, DONE), "Pay.")
    sleeping = asked_for(run, "sleepy")
    request = run.next("agent.approval_request")
    run.say({"type": "cancel", "call_id": sleeping})
    run.answer(request, "allow")
    result = run.end()
    assert (result["exit_code"], result["text"], payments(own)) == (0, "Done.", ["ACME 12.50"])
    assert result["tool_calls"] == {"cancelled": 1, "completed": 1}
    verified = own("replay", "--verify", "s")
    assert verified.code == 0, verified.text


def test_a_call_that_waits_for_an_approval_is_cancelled(own: Finclaw):
    run = OverStdio(own, "--session", "s", "-m", own.script(PAY, DONE), "Pay.")
    request = run.next("agent.approval_request")
    run.say({"type": "cancel", "call_id": request["call_id"]})
    result = run.end()
    assert (result["exit_code"], result["text"], payments(own)) == (0, "Done.", [])
    assert result["tool_calls"] == {"cancelled": 1}
    verified = own("replay", "--verify", "s")
    assert verified.code == 0, verified.text


def test_an_interrupt_ends_the_run_as_ctrl_c_does(own: Finclaw):
    run = OverStdio(own, "-m", own.script(PAY, DONE), "Pay.")
    run.next("agent.approval_request")
    run.say({"type": "interrupt"})
    with pytest.raises(AssertionError):  # the process ends by the signal
        run.end()
    line = json.loads(run._raw.splitlines()[-1])
    assert (line["type"], line["status"], line["exit_code"]) == ("agent.result", "aborted", 130)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"type": "cancel", "call_id": "call_9"}, "no call under way has the id 'call_9'"),
        ({"type": "cancel"}, "it has no call_id"),
        ({"type": "cancel", "call_id": ["call_1_0"]}, "it has no call_id"),
    ],
)
def test_a_line_that_cancels_nothing_is_reported_and_the_question_stands(
    own: Finclaw, line: dict[str, object], why: str
):
    run = OverStdio(own, "-m", own.script(PAY, DONE), "Pay.")
    request = run.next("agent.approval_request")
    run.say(line)
    assert f"a line on stdin cancels nothing: {why}" in run.warnings(1)[0]
    run.answer(request, "allow")
    assert run.end()["exit_code"] == 0


def test_messages_on_stdin_may_be_followed_by_a_line_that_cancels_a_call(own: Finclaw):
    sleepy = {"tool_calls": [call("sleepy", seconds=60)]}
    process = own.start(
        "run", "-o", "ndjson", "--input-format", "ndjson", "-m", own.script(sleepy, DONE), stdin=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"type":"user","text":"Sleep."}\n')
    raw = b""
    while b'"status":"running"' not in raw:
        raw += process.stdout.readline()
    process.stdin.write(b'{"type":"cancel","call_id":"%s"}\n' % json.loads(raw.splitlines()[-1])["call_id"].encode())
    process.stdin.close()
    lines = checked_lines(raw + process.stdout.read())
    assert (lines[-1]["text"], process.wait(30)) == ("Done.", 0)
    assert list(ended(lines).values()) == ["cancelled"]
