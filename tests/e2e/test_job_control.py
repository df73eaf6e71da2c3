"""Stopping finclaw while its question is on the terminal, and going on, as a shell with job control does it."""

from __future__ import annotations

import os
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.e2e.asking import OnTerminal, on_controlling_terminal, payments
from tests.e2e.harness import Finclaw, call

SHELL = (sys.executable, str(Path(__file__).parent / "job_control.py"))
PAY = {"tool_calls": [call("pay", to="ACME", amount="12.50")]}
DONE = {"text": "Done."}
ASKED = b"say why: "


@contextmanager
def asked(own: Finclaw, *options: str) -> Iterator[OnTerminal]:
    arguments = ("run", *options, "-m", own.script(PAY, DONE), "Pay.")
    with on_controlling_terminal(own, *arguments, shell=SHELL, to_terminal=True, FINCLAW_PLAIN="1") as it:
        yield it


def stop(it: OnTerminal) -> None:
    it.type(b"\x1a")
    it.then(b"[stopped]")


def modes(it: OnTerminal) -> list[Any]:
    return termios.tcgetattr(it.leader)


def test_after_a_stop_the_question_is_asked_again_and_a_yes_answers_it(own: Finclaw):
    with asked(own) as it:
        it.until(ASKED)
        stop(it)
        it.type(b"fg\n")
        assert b'amount = "12.50"' in it.then(ASKED)
        it.type(b"y")
        assert (it.end(), payments(own)) == (0, ["ACME 12.50"])


def test_while_it_is_stopped_the_terminal_is_as_it_was_before_the_question(own: Finclaw):
    with asked(own) as it:
        before = modes(it)
        it.until(ASKED)
        during = modes(it)
        stop(it)
        assert modes(it) == before != during
        it.type(b"fg\n")
        it.then(ASKED)
        assert modes(it) == during


def test_a_stop_while_the_reason_is_typed_loses_nothing_of_it(own: Finclaw):
    with asked(own) as it:
        it.until(ASKED)
        it.type(b"r")
        it.until(b"why? ")
        it.type(b"too mucx\x7f")
        it.until(b"x\b \b")
        stop(it)
        it.type(b"fg\n")
        it.then(b"why? too mucx\b \b")
        it.type(b"h\r")
        assert (it.end(), payments(own)) == (8, [])
        assert b"the user said: too much" in it.seen


def test_what_was_stopped_from_outside_asks_again_too(own: Finclaw):
    with asked(own) as it:
        it.until(ASKED)
        os.killpg(os.tcgetpgrp(it.leader), signal.SIGSTOP)
        it.then(b"[stopped]")
        it.type(b"fg\n")
        it.then(ASKED)
        it.type(b"y")
        assert (it.end(), payments(own)) == (0, ["ACME 12.50"])


def test_in_the_background_it_leaves_the_terminal_alone_and_asks_when_it_is_back(own: Finclaw):
    with asked(own) as it:
        before = modes(it)
        it.until(ASKED)
        stop(it)
        it.type(b"bg\n")
        it.then(b"[in the background]")
        assert modes(it) == before
        it.type(b"fg\n")
        it.then(ASKED)
        it.type(b"y")
        assert (it.end(), payments(own)) == (0, ["ACME 12.50"])


def test_a_stopped_question_can_be_killed(own: Finclaw):
    with asked(own) as it:
        before = modes(it)
        it.until(ASKED)
        stop(it)
        it.type(b"kill\n")
        assert (it.end(), payments(own), modes(it)) == (-signal.SIGTERM % 256, [], before)


def test_where_nobody_could_continue_it_a_stop_only_asks_again(own: Finclaw):
    with on_controlling_terminal(own, "run", "-m", own.script(PAY, DONE), "Pay.") as it:
        it.until(ASKED)
        it.type(b"\x1a")
        it.then(ASKED)
        it.type(b"y")
        assert (it.end(), payments(own)) == (0, ["ACME 12.50"])
