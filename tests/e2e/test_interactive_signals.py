"""A conversation at a terminal that is interrupted, stopped, or ended from outside."""

from __future__ import annotations

import signal
import time

import pytest

from finclaw_cli.core.json_text import canonical
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.requests import _sha256
from tests.e2e.asking import payments
from tests.e2e.harness import PATIENCE_S, Finclaw
from tests.e2e.talking import CTRL_C, CTRL_Z, PAY, PROMPT, SLOW, STUCK, history, kept, said, script, talking
from tests.e2e.test_job_control import SHELL


def test_a_ctrl_c_ends_the_answer_and_the_conversation_goes_on(own: Finclaw):
    with talking(own, "--session", "talk", "-m", script(own, slow=[SLOW])) as it:
        it.ask(b"slow", b"Let me see. ")
        it.type(CTRL_C)
        it.see(b"\r\nfinclaw: interrupted\r\n")
        it.ask(b"Well?", b"Fine.")
        assert it.leave() == 0
    assert [text for _, text in said(own)] == ["slow", "Well?", "Fine."]
    assert [record["data"]["exit_code"] for record in kept(own, "agent.result")] == [130, 0]


def test_calls_that_were_cut_off_are_kept_as_the_model_is_told_of_them(own: Finclaw):
    with talking(own, "--session", "talk", "-m", script(own, stuck=STUCK)) as it:
        it.ask(b"stuck", b"I look.")
        it.type(CTRL_C)
        it.see(b"finclaw: interrupted")
        it.ask(b"Well?", b"Fine.")
        it.leave()
    read = history(own)
    assert (read.mended, read.damage, read.due) == ((), (), ())
    assert [message.role for message in read.messages] == ["user", "assistant", "tool", "user", "assistant"]
    told = [message_data(message) for message in read.messages[:-1]]
    assert kept(own, "request")[-1]["data"]["messages_sha256"] == _sha256(told), canonical(told)


def test_what_became_of_a_payment_that_was_cut_off_is_said_at_once_and_in_the_next_result(own: Finclaw):
    with talking(own, "--session", "talk", "--approve", "pay", "-m", script(own, pay=PAY), KIT_PAY_HANGS="1") as it:
        it.ask(b"pay", b"I pay.")
        deadline = time.monotonic() + PATIENCE_S
        while not payments(own):
            assert time.monotonic() < deadline
        it.type(CTRL_C)
        it.see(b"what became of pay is unknown")
        it.ask(b"Well?", b"Fine.")
        it.ask(b"And?", b"Fine.")
        assert it.leave() == 0
    results = [record["data"] for record in kept(own, "agent.result")]
    assert [(result["exit_code"], result["unknown"]) for result in results] == [(130, ["pay"]), (8, ["pay"]), (0, [])]
    assert payments(own) == ["Kim 5"]


def test_a_ctrl_c_at_the_prompt_clears_the_line_and_never_leaves(own: Finclaw):
    with talking(own, "--session", "talk", "-m", script(own)) as it:
        it.see(PROMPT)
        it.type(b"never sent")
        it.see(b"never sent")
        it.type(CTRL_C)
        assert b"leaves" not in it.see(PROMPT)
        for _ in range(2):
            it.type(CTRL_C)
            assert b"Ctrl-D leaves" in it.see(PROMPT)
        it.type(b'"""\rnor this')
        it.see(b"nor this")
        it.type(CTRL_C)
        it.ask(b"One?", b"Fine.")
        assert it.leave() == 0
    assert said(own) == [("user", "One?"), ("assistant", "Fine.")]


def test_a_second_ctrl_c_ends_a_process_that_is_stuck(own: Finclaw):
    flood = {**SLOW, "text": "Let me see. " * 50_000, "delay_s": 0}
    with talking(own, "-m", script(own, flood=[flood])) as it:
        it.ask(b"flood", b"Let me see. ")
        it.wait_until_it_is_full()
        deadline = time.monotonic() + PATIENCE_S
        while it.process.poll() is None:  # at the prompt, where no Ctrl-C ends it, this would take for ever
            assert time.monotonic() < deadline
            it.process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        assert it.end() == -signal.SIGINT


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_end_the_conversation_with_the_result_recorded(own: Finclaw, number: signal.Signals):
    with talking(own, "--session", "talk", "-m", script(own, slow=[SLOW])) as it:
        it.ask(b"slow", b"Let me see. ")
        it.process.send_signal(number)
        assert it.end() == -number
    assert kept(own, "agent.result")[-1]["data"]["exit_code"] == 128 + number
    with talking(own, "--session", "talk", "-m", script(own)) as it:
        it.see(PROMPT)
        it.process.send_signal(number)
        assert it.end() == -number


@pytest.mark.parametrize("question", [b"", b"slow"])
def test_a_terminal_that_hangs_up_ends_the_conversation(own: Finclaw, question: bytes):
    with talking(own, "--session", "talk", "-m", script(own, slow=[SLOW])) as it:
        it.see(PROMPT)
        if question:
            it.type(question + b"\r")
            it.see(b"Let me see. ")
        it.hang_up()
        assert it.end() == -signal.SIGHUP
    assert not question or kept(own, "agent.result")[-1]["data"]["exit_code"] == 129


def test_what_was_typed_is_there_again_after_a_stop(own: Finclaw):
    with talking(own, "--session", "talk", "-m", script(own), shell=SHELL) as it:
        it.see(PROMPT)
        it.type(b"One")
        it.see(b"One")
        it.type(CTRL_Z)
        it.see(b"[stopped]")
        assert it.modes == it.modes_before
        it.type(b"fg\n")
        it.see(PROMPT)
        it.see(b"One")
        it.type(b"?\r")
        it.see(b"Fine.")
        it.leave()
    assert said(own)[0] == ("user", "One?")


def test_an_answer_goes_on_after_a_stop(own: Finclaw):
    with talking(own, "-m", script(own, slow=[{**SLOW, "text": "Let me see. " * 20 + "Done."}]), shell=SHELL) as it:
        it.ask(b"slow", b"Let me see. ")
        it.type(CTRL_Z)
        it.see(b"[stopped]")
        it.type(b"fg\n")
        it.see(b"Done.")
        it.leave()
