"""`--verify-numbers`: every figure of an answer is traced to what a tool has said, in every place where it is told."""

from __future__ import annotations

import json

import pytest

from tests.e2e.harness import Finclaw, call

pytestmark = pytest.mark.by_agent

LOOK = {"tool_calls": [call("price", symbol="ACME")]}
TRUE = {"text": "ACME closed at {{price.close}} USD."}
FALSE = {"text": "ACME closed at {{price.close}} USD, and 12 analysts see it at $55.50."}
DERIVED = {"text": "ACME closed at {{price.close}} USD, so that all of them are worth 421 USD."}
SOURCES = '{"sources": [{"figure": 1, "expression": "r1.close * 10"}]}'
REPLY = {"text": SOURCES, "usage": {"input": 200, "output": 30}}
VERIFIED = ("run", "-o", "ndjson", "--verify-numbers", "fail")


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


def test_a_figure_that_rules_do_not_find_is_derived_by_the_model_in_one_more_request(finclaw: Finclaw) -> None:
    ran = finclaw(*VERIFIED, "-m", finclaw.script(LOOK, DERIVED, REPLY), "How is it?")
    _, figure = ran.of("agent.number_check")
    assert (figure["status"], figure["paths"], figure["expression"]) == ("derived", ["close"], "r1.close * 10")
    assert (ran.code, ran.result["turns"], len(ran.of("agent.turn_complete"))) == (0, 2, 2)
    assert "sources" not in ran.result["text"]


def test_the_request_is_counted(own: Finclaw) -> None:
    ran = own(*VERIFIED, "-m", own.script(LOOK, DERIVED, REPLY), "How is it?")
    turns = [line["usage"] for line in ran.of("agent.turn_complete") if line["usage"]]
    assert ran.result["usage"]["output"] == 30 + sum(usage["output"] for usage in turns)
    spent = json.loads(own("cost", "--by", "purpose", "--json").text)
    assert "numbers" in json.dumps(spent)


@pytest.mark.parametrize(
    "reply",
    [
        {"text": "I cannot say."}, {"text": '{"sources": [{"figure": 1, "expression": "r1.close * 9"}]}'}, {"text": ""},
        {"text": SOURCES, "stop_reason": "max_tokens"}, {"text": SOURCES, "fault": {"reason": "server_error"}}, LOOK, None,
    ],
)  # fmt: skip
def test_without_a_derivation_of_its_value_it_has_no_source(finclaw: Finclaw, reply: dict[str, object] | None) -> None:
    turns = [LOOK, DERIVED, *([reply] if reply else [])]
    ran = finclaw(*VERIFIED, "-m", finclaw.script(*turns), "How is it?")
    assert (ran.result["error"]["code"], ran.result["tool_calls"], ran.code) == (
        "ungrounded_numbers",
        {"completed": 1},
        12,
    )


def test_calls_beside_a_derivation_are_not_run(finclaw: Finclaw) -> None:
    ran = finclaw(*VERIFIED, "-m", finclaw.script(LOOK, DERIVED, {**REPLY, **LOOK}), "How is it?")
    assert (ran.code, ran.result["tool_calls"]) == (0, {"completed": 1})


def test_by_rules_alone_no_request_is_made(finclaw: Finclaw) -> None:
    ran = finclaw(*VERIFIED, "--number-sources", "rules", "-m", finclaw.script(LOOK, DERIVED, REPLY), "How is it?")
    assert (ran.of("agent.number_check")[1]["status"], ran.code) == ("ungrounded", 12)


@pytest.mark.parametrize(
    "turns",
    [(LOOK, DERIVED, REPLY), (LOOK, DERIVED, {"text": SOURCES, "fault": {"reason": "server_error"}}), (LOOK, DERIVED)],
)
def test_the_request_is_replayed_and_verified(own: Finclaw, turns: tuple[dict[str, object], ...]) -> None:
    ran = own(
        "run", "-o", "ndjson", "--session", "s", "--verify-numbers", "warn", "-m", own.script(*turns), "How is it?"
    )
    assert own("replay", "s", "-o", "ndjson").stdout == ran.stdout
    verified = own("replay", "s", "--verify")
    assert verified.code == 0, verified.text + verified.stderr
    goes_on = own("run", "--session", "s", "-m", own.script({"text": "So."}), "And now?")
    assert goes_on.text == "So.\n"
