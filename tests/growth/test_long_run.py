"""A run whose conversation is many times as large as the window."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from tests.e2e.asking import in_own_home
from tests.e2e.by_agent import by_agent
from tests.e2e.harness import Finclaw, Ran, wait_until
from tests.e2e.windowed import PLUGIN, WIRES, Windowed, Wire, playing, set_window, with_tables

WINDOW = 32_000
KEEP_RECENT = 6
LONG = os.environ.get("FINCLAW_FAULTS") == "long"
QUESTION = "Read all the tables, and say when that is done. Bitte alle lesen, 전부."
each_wire = pytest.mark.parametrize("wire", WIRES, ids=["anthropic", "chat", "responses"])


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
    return with_tables(tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("home"))


@pytest.fixture
def reading(tables: Finclaw, tmp_path: Path) -> Finclaw:
    return by_agent(in_own_home(tables, tmp_path))


def window(own: Finclaw, model: str, tokens: int = WINDOW) -> None:
    set_window(own, model, tokens)


def ask(
    own: Finclaw, model: Windowed, where: tuple[str, ...], *options: str, env: Mapping[str, str] | None = None
) -> Ran:
    limits = ("--max-turns", "600", "--max-tool-calls", "600", "--max-result-chars", "40000", "--timeout", "600")
    env = {model.wire.key: "sk-test", **PLUGIN, **(env or {})}
    command = ("run", "-o", "ndjson", "--events", "all", "--session", "talk", *where, *limits, *options)
    return own(*command, env=env, timeout=600)


def inside(part: list[object], whole: list[object]) -> bool:
    return any(whole[place : place + len(part)] == part for place in range(len(whole) - len(part) + 1))


@each_wire
def test_a_run_of_hundreds_of_large_results_stays_in_a_small_window(reading: Finclaw, wire: Wire):
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=500 if LONG else 40, rows=30)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION)
    assert (ran.code, ran.result["text"]) == (0, "I have read them all."), ran.stderr[-2000:]
    assert model.refused == []
    assert [model.problems(body) for body in model.asked + model.summed] == [[]] * len(model.asked + model.summed)
    pairs = list(pairwise(model.asked))
    assert len({json.dumps(model.instructions(body)) for body in model.asked}) == 1
    assert len({json.dumps(model.question(body)) for body in model.asked}) == 1
    grown = [model.messages(after)[: len(model.messages(before))] == model.messages(before) for before, after in pairs]
    assert grown.count(False) == ran.result["compaction"]["count"]
    for before, after in pairs:
        # Two messages came since; the other recent ones are what they were, to the byte.
        assert inside(model.messages(before)[-KEEP_RECENT + 2 :], model.messages(after))
    compaction = ran.result["compaction"]
    assert compaction["count"] == len(ran.of("context.compact")) > 1
    assert compaction["summaries"] == len(model.summed)
    told = [event for event in ran.lines if event["type"] in {"context.threshold", "context.compact"}]
    passed = set[float]()
    for event in told:
        if event["type"] == "context.threshold":
            rises = event["direction"] == "up"
            assert rises == (event["threshold"] not in passed)
            passed ^= {event["threshold"]}
    assert sum(event["type"] == "context.threshold" for event in told) >= compaction["count"]
    booked = ran.result["usage"]
    assert booked["input"] + booked["output"] + booked["cache_read"] == model.counted


@each_wire
def test_a_run_that_was_made_smaller_is_verified_and_goes_on(reading: Finclaw, wire: Wire):
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=24, rows=30)
    with playing(model) as where:
        first_run = ask(reading, model, where, QUESTION)
        assert first_run.result["compaction"]["count"] >= 1
        verified = reading("replay", "--verify", "talk", env=PLUGIN)
        assert verified.code == 0, verified.text + verified.stderr
        model.begin_again()
        model.tables = 12
        again = ask(reading, model, where, "And now twelve more.")
    assert (again.code, model.refused) == (0, []), again.stderr[-2000:]
    first = model.messages(model.asked[model.before])
    assert "[Summary of what was said before" in json.dumps(first, ensure_ascii=False)
    assert len({json.dumps(model.question(body)) for body in model.asked}) == 1
    assert "And now twelve more." in json.dumps(model.messages(model.asked[-1]))
    verified = reading("replay", "--verify", "talk", env=PLUGIN)
    assert verified.code == 0, verified.text + verified.stderr
    replayed = reading("replay", "-o", "ndjson", "--events", "all", "talk")
    assert replayed.stdout.startswith(first_run.stdout)
    shown = json.loads(reading("sessions", "show", "--json", "talk").stdout)
    assert sum(message["role"] == "tool" for message in shown) == 36


@pytest.mark.parametrize(
    ("wire", "names_window"),
    [(WIRES[0], True), (WIRES[1], False), (WIRES[2], True)],
    ids=["anthropic, which names it", "chat, which does not", "responses, which names it"],
)
def test_a_window_that_is_smaller_than_was_believed_is_learned_from_the_refusal(
    reading: Finclaw, wire: Wire, names_window: bool
):
    window(reading, wire.model, 200_000)
    model = Windowed(wire, WINDOW, tables=40, rows=30, names_window=names_window)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION)
        assert (ran.code, ran.result["text"]) == (0, "I have read them all."), ran.stderr[-2000:]
        assert len(model.refused) <= 2
        retries = [event for event in ran.of("agent.retry") if event["reason"] == "context_exceeded"]
        assert len(retries) == len(model.refused)
        verified = reading("replay", "--verify", "talk", env=PLUGIN)
    assert verified.code == 0, verified.text + verified.stderr


@pytest.mark.parametrize("summary", ["", "long " * 60_000], ids=["nothing", "too long"])
def test_a_summary_that_is_no_help_costs_no_run(reading: Finclaw, summary: str):
    wire = WIRES[1]
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=30, rows=30, summary=summary)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION)
        verified = reading("replay", "--verify", "talk", env=PLUGIN)
    assert (ran.code, ran.result["text"]) == (0, "I have read them all."), ran.stderr[-2000:]
    assert model.refused == []
    assert len(ran.of("context.compact_fallback")) >= 1
    assert verified.code == 0, verified.text + verified.stderr


@pytest.mark.parametrize(
    ("wire", "limit", "why"),
    [
        (WIRES[0], "--first-chunk-timeout", "{model} sent nothing for too long"),
        (WIRES[1], "--summary-timeout", "it took longer than 0.5 s"),
    ],
)
def test_a_summariser_that_hangs_is_given_up_and_the_run_goes_on(reading: Finclaw, wire: Wire, limit: str, why: str):
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=26, rows=30, hangs=True)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION, limit, "0.5")
        verified = reading("replay", "--verify", "talk", env=PLUGIN)
    assert (ran.code, ran.result["text"]) == (0, "I have read them all."), ran.stderr[-2000:]
    assert len(model.summed) == 1
    reasons = [event["reason"] for event in ran.of("context.compact_fallback")]
    assert reasons[:1] == [f"the summary failed: {why.format(model=wire.model)}"]
    assert {step for event in ran.of("context.compact") for step in event["steps"]} <= {
        "truncate-tools",
        "truncate-oldest",
    }
    assert verified.code == 0, verified.text + verified.stderr


def test_another_model_writes_the_summaries_and_what_they_cost_is_booked(reading: Finclaw):
    wire = WIRES[0]
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=26, rows=30)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION, "--summary-model", "claude-haiku-4-5")
    assert {body["model"] for body in model.summed} == {"claude-haiku-4-5"}
    spent = ran.result["compaction"]
    used = spent["usage"]
    dollars = (Decimal(used["input"]) * 1 + Decimal(used["output"]) * 5) / 1_000_000
    assert Decimal(spent["cost_usd"]) == dollars
    assert (ran.result["cost_usd"], ran.of("context.compact")[0]["summary_model"]) == (
        None,
        "anthropic:claude-haiku-4-5",
    )


def test_a_summary_model_that_nobody_knows_is_refused_before_anything_is_asked(reading: Finclaw):
    ran = reading("run", "-o", "ndjson", "-m", "demo", "--summary-model", "no-such-thing", "Hello?")
    assert (ran.code, ran.result["error"]["code"]) == (2, "unknown_model")


def test_of_one_question_that_is_larger_than_the_window_the_provider_is_believed(reading: Finclaw):
    wire = WIRES[0]
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=1, rows=1)
    with playing(model) as where:
        ran = ask(reading, model, where, "1 2 3 4 " * 20_000)
    assert (ran.code, ran.result["error"]["code"], len(model.refused)) == (5, "context_exceeded", 1)


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill -9"])
def test_a_run_that_is_ended_during_a_summary_is_verified_and_taken_up(reading: Finclaw, by: int):
    wire = WIRES[0]
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=26, rows=30, hangs=True)
    env = {wire.key: "sk-test", **PLUGIN}
    with playing(model) as where:
        process = reading.start("run", *where, "--session", "talk", "--max-turns", "99", QUESTION, env=env)
        wait_until(lambda: bool(model.summed))
        process.send_signal(by)
        process.communicate()
        model.hangs = False
        resumed = ask(reading, model, where, "--resume")
    assert (resumed.code, resumed.result["text"], model.refused) == (0, "I have read them all.", [])
    assert resumed.result["compaction"]["count"] >= 1
    verified = reading("replay", "--verify", "talk", env=env)
    assert (verified.code, verified.text[:21]) == (0, "as recorded: 2 runs, "), verified.text


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("anthropic:claude-test", ["200,000"]),
        ("openai-chat:local-test", ["128,000"]),
        ("anthropic:claude-haiku-4-5", []),
        ("anthropic:claude-mine", []),
    ],
)
def test_a_window_that_nobody_knows_is_said_once(reading: Finclaw, name: str, told: list[str]):
    window(reading, "claude-mine")
    wire = replace(next(wire for wire in WIRES if name.startswith(wire.model.partition(":")[0])), model=name)
    model = Windowed(wire, WINDOW, tables=2, rows=3)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION)
    warnings = [event["message"] for event in ran.of("agent.warning") if event["code"] == "unknown_window"]
    assert (ran.code, len(warnings)) == (0, len(told))
    assert all(tokens in message for tokens, message in zip(told, warnings, strict=True))


@pytest.mark.parametrize("refusal", [(413, "request_too_large"), (400, "invalid_request_error")])
def test_whatever_words_a_refusal_has_less_is_sent(reading: Finclaw, refusal: tuple[int, str]):
    wire = WIRES[0]
    window(reading, wire.model, 200_000)
    model = Windowed(wire, WINDOW, tables=30, rows=30, refusal=refusal)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION)
    assert (ran.code, ran.result["text"], len(model.refused)) == (0, "I have read them all.", 1), ran.stderr[-2000:]


def test_a_server_that_reports_nonsense_is_asked_again_with_less_for_the_answer(reading: Finclaw):
    wire = WIRES[0]
    window(reading, wire.model, 16_000)
    model = Windowed(wire, 16_000, tables=3, rows=10, reports=False)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION)
    assert (ran.code, ran.result["text"]) == (0, "I have read them all."), ran.stderr[-2000:]
    assert len(model.refused) <= 1


def test_in_a_tiny_window_the_answer_has_what_is_left(reading: Finclaw):
    wire = WIRES[0]
    window(reading, wire.model, 3_500)
    model = Windowed(wire, 3_500, tables=0, rows=1)
    with playing(model) as where:
        ran = ask(reading, model, where, "hi")
    assert (ran.code, model.refused) == (0, []), ran.stderr[-2000:]


def test_a_summary_that_was_cut_off_is_none(reading: Finclaw):
    wire = WIRES[1]
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=26, rows=30, cuts_summaries=True)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION)
    reasons = [event["reason"] for event in ran.of("context.compact_fallback")]
    assert reasons[:1] == [f"the summary failed: {wire.model} stopped with 'max_tokens'"]
    assert "half an ans" not in json.dumps(model.asked[-1])


def test_a_summary_is_cleaned_before_it_goes_into_the_conversation(reading: Finclaw):
    wire = WIRES[1]
    window(reading, wire.model)
    model = Windowed(wire, WINDOW, tables=26, rows=30, summary="All well. sk-test-0123456789\u202e\x1b[31m Done.")
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION, env={wire.key: "sk-test-0123456789"})
    assert ran.result["compaction"]["count"] >= 1
    sent = json.dumps(model.asked[-1])
    assert "All well. " in sent
    assert not any(bad in sent for bad in ("sk-test-0123456789", "\\u202e", "\\u001b"))


def test_recent_messages_that_alone_fill_the_window_are_fewer(reading: Finclaw):
    window(reading, WIRES[2].model, 14_000)
    model = Windowed(WIRES[2], 14_000, tables=20, rows=30)
    with playing(model) as where:
        ran = ask(reading, model, where, QUESTION, "--keep-recent", "30")
    assert (ran.code, model.refused) == (0, []), ran.stderr[-2000:]
    reasons = [event["reason"] for event in ran.of("context.compact_fallback")]
    assert any("the recent messages alone fill the window" in reason for reason in reasons)
