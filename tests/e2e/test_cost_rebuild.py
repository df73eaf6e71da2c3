"""`finclaw cost rebuild` and `finclaw cost estimate`."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, wait_until
from tests.e2e.spending import WIRE, ask, asking, price, rows
from tests.wire.server import Reply, threaded

pytestmark = pytest.mark.by_agent

ENV = {WIRE.key: "sk-test-0123456789abcdef"}


@pytest.fixture
def priced(own: Finclaw) -> Finclaw:
    price(own.home, "claude-test")
    return own


def report(finclaw: Finclaw, by: str) -> bytes:
    ran = finclaw("cost", "--by", by, "--json")
    assert ran.code == 0, ran.stderr
    return ran.stdout


def forget(home: Path) -> None:
    for path in home.glob("ledger.db*"):
        path.unlink()


def spend(finclaw: Finclaw) -> None:
    """Runs of every kind: answered, refused and repeated, broken off, killed, scripted, out of money."""
    answer = WIRE.text("word " * 200)
    with threaded(WIRE.calls(("c1", "price", {"symbol": "A"})), WIRE.text("fine")) as server:
        ask(finclaw, server.url, "--session", "talk")
    broken = replace(answer, cut_at=len(answer.body) // 2, ending="cut")
    with threaded(WIRE.error(529, "overloaded_error", "Overloaded"), broken, answer) as server:
        ask(finclaw, server.url, "--session", "talk")
        ask(finclaw, server.url, "--max-cost", "0.001")
    finclaw("run", "-m", finclaw.script({"text": "hi"}), "Hi?")
    known = len(rows(finclaw.home))
    with threaded(Reply(stall=True)) as server:
        process = finclaw.start(*asking(server.url), env=ENV)
        wait_until(lambda: len(rows(finclaw.home)) > known)
        process.kill()
        process.wait()


def test_a_rebuild_after_the_ledger_was_removed_gives_the_same_reports(priced: Finclaw):
    spend(priced)
    dimensions = ("model,day", "session", "run", "purpose", "tool,session")
    before, kept = [report(priced, by) for by in dimensions], rows(priced.home)
    assert {row["status"] for row in kept} == {"complete", "failed", "interrupted"}
    forget(priced.home)
    rebuilt = json.loads(priced("cost", "rebuild", "--json").stdout)
    assert (rebuilt["requests"], rebuilt["tool_calls"], rebuilt["unreadable"]) == (len(kept), 1, [])
    assert [report(priced, by) for by in dimensions] == before


def test_a_rebuild_adds_nothing_to_a_ledger_that_is_whole(priced: Finclaw):
    spend(priced)
    before = report(priced, "run")
    assert priced("cost", "rebuild").code == priced("cost", "rebuild").code == 0
    assert report(priced, "run") == before


def test_a_rebuild_keeps_what_no_transcript_tells_of(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ask(priced, server.url, "--no-save")
    before = report(priced, "run")
    assert priced("cost", "rebuild").text.startswith("0 sessions, 0 requests, 0 tool calls: ")
    assert report(priced, "run") == before


def test_a_rebuild_reads_a_damaged_transcript_as_far_as_it_can_and_says_so(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        for name in ("one", "two"):
            ask(priced, server.url, "--session", name)
    path = priced.home / "sessions" / "one.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"scribble\n", *lines[4:]]))
    forget(priced.home)
    ran = priced("cost", "rebuild")
    assert (ran.code, ran.text.startswith("2 sessions, 2 requests")) == (0, True)
    assert "one.jsonl: damaged at byte" in ran.stderr
    assert "(and 1 more place)" in ran.stderr


def test_a_rebuild_counts_the_places_of_a_transcript_that_are_damaged(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ask(priced, server.url, "--session", "one")
    path = priced.home / "sessions" / "one.jsonl"
    first, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first, *(b"scribble\n" + line for line in lines[:3]), *lines[3:]]))
    forget(priced.home)
    assert "(and 2 more places)" in priced("cost", "rebuild").stderr


def test_a_damaged_ledger_is_moved_away_and_made_again_as_its_error_says(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ask(priced, server.url)
    before = report(priced, "model")
    ledger = priced.home / "ledger.db"
    for path in priced.home.glob("ledger.db-*"):
        path.unlink()
    ledger.write_bytes(b"scribble" * 1_000)
    failed = priced("cost")
    assert (failed.code, "finclaw cost rebuild" in failed.stderr) == (1, True)
    ledger.rename(priced.home / "ledger.broken")
    assert priced("cost", "rebuild").code == 0
    assert report(priced, "model") == before


def test_an_estimate_says_what_a_first_request_costs_and_sends_nothing(priced: Finclaw):
    ran = priced("cost", "estimate", "How is ACME?", "-m", WIRE.model, "--max-output-tokens", "1000", "--json")
    estimate = json.loads(ran.stdout)
    tokens = estimate["input_tokens"]
    assert tokens == estimate["system_tokens"] + estimate["tool_tokens"] + estimate["prompt_tokens"] > 100
    assert Decimal(estimate["input_usd"]) == tokens * Decimal(3) / 10**6
    assert Decimal(estimate["input_usd"]) + Decimal("0.015") < Decimal(estimate["at_most_usd"]) < Decimal("0.05")
    assert (estimate["output_usd_per_1000_tokens"], estimate["price_source"]) == ("0.015", "settings")


def test_an_estimate_is_what_the_run_then_expects(priced: Finclaw):
    estimate = json.loads(priced("cost", "estimate", "How is ACME?", "-m", WIRE.model, "--json").stdout)
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url, "--events", "all")
    assert ran.of("budget.reserved")[0]["usage"]["input"] == estimate["input_tokens"]


def test_an_estimate_for_people_names_the_parts_and_the_price(priced: Finclaw):
    ran = priced("cost", "estimate", "How is ACME?", "-m", WIRE.model)
    for words in ("system prompt", "tool definitions", "together", "At most 0.", " USD", "(settings)"):
        assert words in ran.text


def test_an_estimate_of_an_unknown_model_has_tokens_and_no_price(own: Finclaw):
    estimate = json.loads(own("cost", "estimate", "Hi?", "-m", "openai:llama9", "--json").stdout)
    assert estimate["input_tokens"] > 0
    assert (estimate["input_usd"], estimate["at_most_usd"], estimate["price_source"]) == (None, None, None)
    assert "finclaw models set openai:llama9" in own("cost", "estimate", "Hi?", "-m", "openai:llama9").text


def test_an_estimate_takes_what_is_piped_in(priced: Finclaw):
    short = json.loads(priced("cost", "estimate", "-m", WIRE.model, "--json", stdin=b"Hi?").stdout)
    long = json.loads(priced("cost", "estimate", "-m", WIRE.model, "--json", stdin=b"word " * 2_000).stdout)
    assert long["prompt_tokens"] - short["prompt_tokens"] > 1_500


def test_a_report_without_a_ledger_says_where_one_can_come_from(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ask(priced, server.url)
    assert "rebuild" not in priced("cost").stderr
    forget(priced.home)
    assert "`finclaw cost rebuild` makes it" in priced("cost").stderr
