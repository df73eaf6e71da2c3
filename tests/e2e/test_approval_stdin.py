"""Lines on stdin that answer nothing, where answers are waited for: they are said on stderr."""

from __future__ import annotations

import pytest

from tests.e2e.asking import OverStdio, payments
from tests.e2e.harness import Finclaw, call

PAY = {"tool_calls": [call("pay", to="ACME", amount="12.50")]}
DONE = {"text": "Done."}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("y", "it is not JSON"),
        ('"allow"', 'it is no object of type "approval"'),
        ('{"type":"approve","id":"ID","decision":"allow"}', 'it is no object of type "approval"'),
        ('{"type":"approval","id":"apr_0","decision":"allow"}', "no pending request has the id 'apr_0'"),
        ('{"type":"approval","id":["ID"],"decision":"allow"}', "no pending request has the id ''"),
        ('{"type":"approval","decision":"allow"}', "no pending request has the id ''"),
    ],
)
def test_a_line_that_answers_nothing_is_said_and_the_question_stands(own: Finclaw, line: str, why: str):
    run = OverStdio(own, "-m", own.script(PAY, DONE), "Pay.")
    request = run.next("agent.approval_request")
    run.say(line.replace("ID", request["id"]))
    assert f"finclaw: warning: a line on stdin answers nothing: {why}; an answer is" in run.warnings(1)[0]
    run.answer(request, "allow")
    assert (run.end()["exit_code"], payments(own)) == (0, ["ACME 12.50"])


def test_many_of_them_are_said_few_times_and_hold_no_answer_up(own: Finclaw):
    run = OverStdio(own, "-m", own.script(PAY, DONE), "Pay.")
    request = run.next("agent.approval_request")
    run.say("\n".join(["y"] * 1_000))
    run.answer(request, "allow")
    assert (run.end()["exit_code"], payments(own)) == (0, ["ACME 12.50"])
    told = [line for line in run.warnings() if "stdin" in line]
    assert [line.partition(" on stdin")[0].split()[2:] for line in told] == [
        *[["a", "line"]] * 3, ["10", "lines"], ["100", "lines"], ["1,000", "lines"],
    ]  # fmt: skip


def test_an_answer_that_was_taken_is_not_said(own: Finclaw):
    run = OverStdio(own, "-m", own.script(PAY, {"tool_calls": [call("sleepy", seconds=1.5)]}, DONE), "Pay.")
    run.answer(run.next("agent.approval_request"), "allow")
    assert run.end()["exit_code"] == 0
    assert not [line for line in run.warnings() if "stdin" in line]
