"""A conversation at a terminal, typed as a person would."""

from __future__ import annotations

import stat

import pytest

from tests.e2e.asking import payments
from tests.e2e.harness import Finclaw
from tests.e2e.talking import CTRL_C, CTRL_D, GOES_ON, PAY, PROMPT, SLOW, STUCK, UP, kept, said, script, talking


def test_each_question_is_a_run_of_its_own_in_one_session(own: Finclaw):
    with talking(own, "--session", "talk", "-m", script(own, two=[{"text": "Second."}])) as it:
        assert b"finclaw: talk" in it.see(b"Ctrl-D leaves")
        it.ask(b"One?", b"Fine.")
        it.ask(b"And two?", b"Second.")
        assert it.leave() == 0
    assert said(own) == [("user", "One?"), ("assistant", "Fine."), ("user", "And two?"), ("assistant", "Second.")]
    starts, results = kept(own, "agent.start"), kept(own, "agent.result")
    assert [record["run"] for record in starts] == [record["run"] for record in results]
    assert len({record["run"] for record in starts}) == 2
    assert own("replay", "-o", "json", "talk").stdout.count(b"\n") == 2


def test_the_prompt_of_the_command_line_is_the_first_question_and_the_last_session_goes_on(own: Finclaw):
    model = script(own)
    own("run", "--session", "talk", "-m", model, "Zero?")
    with talking(own, "-c", "-m", model, "One?") as it:
        assert b"talk, 2 messages so far" in it.see(b"Fine.")
        it.see(PROMPT)
        it.type(b"/exit\r")
        assert it.end() == 0
    assert [text for role, text in said(own) if role == "user"] == ["Zero?", "One?"]


def test_an_open_question_is_taken_up_before_anything_is_asked(own: Finclaw):
    model = script(own, stuck=STUCK)
    with talking(own, "--session", "talk", "-m", model, "stuck") as it:
        it.see(b"I look.")
        it.type(CTRL_C)
        it.leave()
    with talking(own, "--session", "talk", "--resume", "-m", model, KIT_AWAKE="1") as it:
        it.see(b"never")
        it.ask(b"Well?", b"Fine.")
        it.leave()
    assert [text for _, text in said(own)] == ["stuck", "I look.", "", "never", "Well?", "Fine."]


def test_a_question_that_fails_is_told_and_the_next_one_is_answered(own: Finclaw):
    broken = {"text": "x", "fault": {"reason": "auth", "times": 1}}
    model = script(own, broken=[broken], slow=[SLOW])
    with talking(own, "-m", model, "--timeout", "1.5") as it:
        it.ask(b"broken", b"finclaw: ")
        it.ask(b"One?", b"Fine.")
        it.ask(b"slow", b"the run took longer than 1.5 s")
        it.ask(b"One?", b"Fine.")
        it.ask(b"broken no more", b"x")
        assert it.leave() == 0


def test_commands_are_obeyed_and_never_sent(own: Finclaw):
    own.script({"text": "The other."}, name="other.json")
    with talking(own, "--session", "talk", "-m", script(own)) as it:
        it.ask(b"/help", b"/model NAME")
        it.ask(b"/session", f"talk: {own.home}/sessions/talk.jsonl".encode())
        it.ask(b"/modle x", b"there is no /modle")
        it.ask(b"/model nope", b"no provider recognises the model 'nope'")
        it.ask(b"One?", b"Fine.")
        it.ask(f"/model scripted:{own.cwd}/other.json".encode(), b"model: scripted:")
        it.ask(b"//two", b"The other.")
        it.leave()
    assert [text for role, text in said(own) if role == "user"] == ["One?", "/two"]
    assert [record["data"]["models"][0][-10:] for record in kept(own, "agent.start")] == ["cript.json", "other.json"]


def test_several_lines_are_one_question(own: Finclaw):
    with talking(own, "--session", "talk", "-m", script(own)) as it:
        it.ask(b"one\\", GOES_ON)
        it.type(b"two\r")
        it.see(b"Fine.")
        it.ask(b'"""', GOES_ON)
        it.type(b"three\r\r/exit\r")
        it.type(b'"""\r')
        it.see(b"Fine.")
        it.see(PROMPT)
        it.type(b"\x1b[200~four\rfive\r\x1b[201~")
        it.see(b"five")
        it.type(b"\r")
        it.see(b"Fine.")
        it.leave()
    assert [text for role, text in said(own) if role == "user"] == ["one\ntwo", "three\n\n/exit", "four\nfive"]


def test_lines_that_a_dumb_terminal_gives_at_once_are_one_question(own: Finclaw):
    with talking(own, "--session", "talk", "-m", script(own), TERM="dumb") as it:
        it.see(b"> ")
        it.type(b"one\rtwo\r")
        it.see(b"Fine.")
        it.see(b"> ")
        it.type(CTRL_D)
        it.end()
    assert [text for role, text in said(own) if role == "user"] == ["one\ntwo"]


def test_somebody_can_be_asked_for_approval_in_between(own: Finclaw):
    with talking(own, "-m", script(own, pay=PAY)) as it:
        it.ask(b"pay", b"say why")
        it.type(b"y")
        it.see(b"Said: paid")
        it.ask(b"pay more", b"say why")
        it.type(CTRL_C)
        it.see(b"interrupted")
        it.ask(b"One?", b"Fine.")
        it.leave()
    assert payments(own) == ["Kim 5"]


def test_earlier_questions_are_found_again_the_next_time(own: Finclaw):
    with talking(own, "-m", script(own)) as it:
        it.ask(b"A question?", b"Fine.")
        it.leave()
    assert stat.S_IMODE((own.home / "history").stat().st_mode) == 0o600
    with talking(own, "--no-save", "-m", script(own)) as it:
        it.see(PROMPT)
        it.type(UP + b"\r")
        it.see(b"Fine.")
        it.ask(b"Another?", b"Fine.")
        it.leave()
    assert (own.home / "history").read_text() == "A question?\n"


def test_what_was_noticed_before_is_told_once(own: Finclaw):
    with talking(own, "--approve", "nothing_like_it", "-m", script(own)) as it:
        assert b"nothing_like_it" in it.ask(b"One?", b"Fine.")
        assert b"nothing_like_it" not in it.ask(b"Two?", b"Fine.")
        it.leave()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "--interactive needs a terminal"),
        (("-o", "ndjson"), "--interactive needs a terminal"),
    ],
)
def test_without_a_terminal_there_is_no_conversation(own: Finclaw, options: tuple[str, ...], says: str):
    ran = own("run", "-i", "-m", script(own), *options)
    assert ran.code == 2
    assert says in (ran.stderr + ran.text)
    assert "--input-format ndjson" in (ran.stderr + ran.text)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("-o", "json"), b"takes and shows text alone"),
        (("--input-format", "ndjson"), b"takes and shows text alone"),
        (("-",), b"stdin is the conversation"),
        (("-f", "x"), b"a file goes with the first question"),
        (("-m", "nope"), b"no provider recognises"),
    ],
)
def test_what_contradicts_a_conversation_is_a_usage_error(own: Finclaw, options: tuple[str, ...], says: bytes):
    with talking(own, *options) as it:
        it.see(says)
        assert it.end() == 2
