"""Asking on the controlling terminal, while stdin and stdout are something else."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.e2e.asking import on_controlling_terminal, payments
from tests.e2e.harness import Finclaw, call

PAY = {"tool_calls": [call("pay", to="ACME", amount="12.50")]}
DONE = {"text": "Done."}


def answered(own: Finclaw, keys: bytes, *turns: dict[str, object], **more: str) -> tuple[int, bytes]:
    with on_controlling_terminal(own, "run", "-m", own.script(*(turns or (PAY, DONE))), "Pay.", **more) as it:
        it.until(b"Run ")
        it.type(keys)
        return it.end(), bytes(it.seen)


def test_a_yes_lets_it_run_once(own: Finclaw):
    code, seen = answered(own, b"y")
    assert (code, payments(own)) == (0, ["ACME 12.50"])
    for shown in (b"pay wants to run", b"plugin:finclaw-kit", b"it moves money", b'amount = "12.50"'):
        assert shown in seen


@pytest.mark.parametrize("keys", [b"n", b"\r", b"\x04"], ids=repr)
def test_whatever_is_no_yes_is_a_no(own: Finclaw, keys: bytes):
    assert (answered(own, keys)[0], payments(own)) == (8, [])


def test_what_is_pasted_decides_nothing(own: Finclaw):
    with on_controlling_terminal(own, "run", "--approval-timeout", "1", "-m", own.script(PAY, DONE), "Pay.") as it:
        it.until(b"Run pay?")
        it.type(b"yes yes y y\x1b[200~yyy")
        assert (it.end(), payments(own)) == (8, [])


def test_a_yes_with_enter_is_no_answer_and_the_person_is_told_once(own: Finclaw):
    with on_controlling_terminal(own, "run", "--approval-timeout", "1", "-m", own.script(PAY, DONE), "Pay.") as it:
        it.until(b"say why: ")
        it.type(b"y\r")
        it.until(b"press one key, and nothing with it\r\n")
        it.type(b"y\r")
        assert (it.end(), payments(own)) == (8, [])
        assert it.seen.count(b"press one key") == 1
        assert it.seen.count(b"Run pay?") == 2


def test_what_was_typed_before_the_question_is_no_answer(own: Finclaw):
    slow = {"tool_calls": [call("sleepy", seconds=1)]}
    with on_controlling_terminal(
        own, "run", "--approval-timeout", "1", "-m", own.script(slow, PAY, DONE), "Pay."
    ) as it:
        it.type(b"y")
        it.until(b"Run pay?")
        assert (it.end(), payments(own)) == (8, [])


def test_silence_is_a_no_in_time(own: Finclaw):
    with on_controlling_terminal(own, "run", "--approval-timeout", "0.3", "-m", own.script(PAY, DONE), "Pay.") as it:
        it.until(b"no answer within 0.3 s: no")
        assert (it.end(), payments(own)) == (8, [])


def test_a_reason_is_told_to_the_model(own: Finclaw):
    with on_controlling_terminal(
        own, "run", "-m", own.script(PAY, {"text": "ok"}), "Pay.", to_terminal=True, FINCLAW_PLAIN="1"
    ) as it:
        it.until(b"Run pay?")
        it.type(b"r")
        it.until(b"why? ")
        it.type("너무 비싸x\x7f\r".encode())
        assert (it.end(), payments(own)) == (8, [])
        assert "the user said: 너무 비싸".encode() in it.seen


def test_yes_on_a_pipe_does_not_answer_for_the_terminal(own: Finclaw):
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as yes:
        assert yes.stdout is not None
        arguments = ("run", "-o", "ndjson", "--approval-timeout", "1", "-m", own.script(PAY, DONE), "Pay.")
        with on_controlling_terminal(own, *arguments, stdin=yes.stdout.fileno()) as it:
            yes.stdout.close()
            assert (it.end(), payments(own)) == (2, [])  # endless input is refused as a prompt
        yes.kill()


def test_in_ci_a_terminal_is_not_asked(own: Finclaw):
    with on_controlling_terminal(own, "run", "-m", own.script(PAY, DONE), "Pay.", CI="true") as it:
        assert (it.end(), payments(own)) == (8, [])
        assert b"Run pay?" not in it.seen


def test_always_is_not_offered_for_money_and_means_the_run_for_others(own: Finclaw):
    (own.home / "policy.toml").write_text('[[rule]]\nscope = "tool"\npattern = "where"\nverdict = "require-approval"\n')
    where = {"tool_calls": [call("where")]}
    arguments = ("run", "-t", "where", "-t", "pay", "-m", own.script(where, where, PAY, DONE), "Pay.")
    with on_controlling_terminal(own, *arguments) as it:
        assert b"always" in it.until(b"in this run: ")
        it.type(b"a")
        question = it.until(b"Run pay?")
        assert question.count(b"where wants to run") == 1
        it.until(b"and say why: ")
        it.type(b"y")
        assert (it.end(), payments(own)) == (0, ["ACME 12.50"])


def test_ctrl_c_at_the_question_ends_the_run_and_leaves_the_terminal_as_it_was(own: Finclaw):
    with on_controlling_terminal(own, "run", "-m", own.script(PAY, DONE), "Pay.") as it:
        it.until(b"Run pay?")
        it.type(b"\x03")
        assert (it.end(), payments(own)) == (-signal.SIGINT, [])


def test_two_questions_come_one_after_the_other(own: Finclaw):
    both = {"tool_calls": [call("pay", to="A", amount="1"), call("pay", to="B", amount="2")]}
    with on_controlling_terminal(own, "run", "-m", own.script(both, DONE), "Pay.") as it:
        it.until(b'to = "A"')
        it.until(b"say why: ")
        it.type(b"y")
        it.until(b'to = "B"')
        it.type(b"n")
        assert (it.end(), payments(own)) == (8, ["A 1"])


def test_the_question_is_not_written_to_stdout(own: Finclaw, tmp_path: Path):
    out = tmp_path / "out"
    with (
        out.open("wb") as file,
        on_controlling_terminal(own, "run", "-m", own.script(PAY, DONE), "Pay.", output=file.fileno()) as it,
    ):
        it.until(b"Run pay?")
        it.type(b"y")
        assert it.end() == 0
    assert out.read_text().splitlines()[-1] == "Done."
    assert "Run pay?" not in out.read_text()


def test_nothing_is_written_between_a_question_and_its_answer(own: Finclaw):
    both = {"tool_calls": [call("pay", to="A", amount="1"), call("sleepy", seconds=0.3)]}
    arguments = ("run", "-m", own.script(both, DONE), "--approval-timeout", "1", "Pay.")
    with on_controlling_terminal(own, *arguments, to_terminal=True) as it:
        it.until(b"no answer within 1 s: no")
        it.end()
    question, _, after = bytes(it.seen).partition(b"say why: ")
    assert b"sleepy(" not in question
    assert after.index(b"no answer") < after.index(b"sleepy(")
