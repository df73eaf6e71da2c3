"""`--verify-numbers`: every figure of an answer is traced to what a tool has said, in every place where it is told."""

from __future__ import annotations

import json

import pytest

from tests.e2e.harness import Finclaw, call

LOOK = {"tool_calls": [call("price", symbol="ACME")]}
TRUE = {"text": "ACME closed at {{price.close}} USD."}
FALSE = {"text": "ACME closed at {{price.close}} USD, and 12 analysts see it at $55.50."}


def test_each_figure_is_told_with_its_source(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-o", "ndjson", "--verify-numbers", "warn", "-m", finclaw.script(LOOK, FALSE), "How is it?")
    told = [
        (line["text"], line["value"], line["status"], line["tool"], line["paths"])
        for line in ran.of("agent.number_check")
    ]
    assert told == [
        ("42.10 USD", "42.10", "found", "price", ["close"]),
        ("12", "12", "ungrounded", None, []),
        ("$55.50", "55.50", "ungrounded", None, []),
    ]
    assert ran.result["numbers"] == {"found": 1, "derived": 0, "given": 0, "ungrounded": 2}
    (warning,) = ran.of("agent.warning")
    assert warning["code"] == "ungrounded_numbers"
    assert (ran.result["status"], ran.code) == ("completed", 0)


def test_a_number_without_a_source_fails_the_run_where_it_must_not_be(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-o", "ndjson", "--verify-numbers", "fail", "-m", finclaw.script(LOOK, FALSE), "How is it?")
    assert (ran.result["status"], ran.result["error"]["code"], ran.code) == ("error", "ungrounded_numbers", 12)
    assert "12; $55.50" in ran.result["error"]["message"]
    assert ran.result["text"] == ""  # nobody takes it for an answer
    assert "42.10" in ran.of("agent.turn_complete")[-1]["message"]["content"][0]["text"]  # nor is it lost


def test_an_answer_whose_numbers_have_sources_passes(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-q", "--verify-numbers", "fail", "-m", finclaw.script(LOOK, TRUE), "How is it?")
    assert (ran.code, ran.text, ran.stderr) == (0, "ACME closed at 42.10 USD.\n", "")


def test_in_text_a_warning_names_them(finclaw: Finclaw) -> None:
    ran = finclaw("run", "--verify-numbers", "warn", "-m", finclaw.script(LOOK, FALSE), "How is it?")
    assert ran.stderr.splitlines()[-1] == "finclaw: warning: no tool has given these numbers of the answer: 12; $55.50"


def test_without_it_nothing_is_looked_at(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script(LOOK, FALSE), "How is it?")
    assert (ran.of("agent.number_check"), ran.result["numbers"]) == ([], None)


def test_numbers_of_an_earlier_answer_of_the_session_have_their_source_still(own: Finclaw) -> None:
    first = own("run", "--session", "s", "-m", own.script(LOOK, TRUE), "How is it?")
    again = own(
        "run", "--session", "s", "--verify-numbers", "fail", "-m", own.script({"text": "Still 42.10 USD."}), "And now?"
    )
    assert (first.code, again.code) == (0, 0)


def test_what_a_failed_tool_says_is_no_source(finclaw: Finclaw) -> None:
    model = finclaw.script({"tool_calls": [call("quits")]}, {"text": "It is 3."})
    assert finclaw("run", "--verify-numbers", "fail", "-m", model, "x").code == 12


@pytest.mark.parametrize("mode", ["warn", "fail"])
def test_a_run_that_was_verified_is_replayed_and_verified_again(own: Finclaw, mode: str) -> None:
    ran = own(
        "run", "-o", "ndjson", "--session", "s", "--verify-numbers", mode, "-m", own.script(LOOK, FALSE), "How is it?"
    )
    replayed = own("replay", "s", "-o", "ndjson")
    assert replayed.stdout == ran.stdout
    assert own("replay", "s", "--verify").code == 0


def test_with_a_schema_the_value_that_has_no_source_is_not_given_either(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": '{"close": 288.88}'})
    ran = finclaw("run", "-o", "json", "--schema", "close:number", "--verify-numbers", "fail", "-m", model, "x")
    told = json.loads(ran.text)
    assert (told["text"], told["output"], ran.code) == ("", None, 12)
