"""What a run costs: told with each turn and at the end, and written down in the same step."""

from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw, wait_until
from tests.e2e.spending import EACH_USD, WIRE, ask, asking, costs, price, rows
from tests.wire.server import Reply, threaded

USED = (1_000, 500)
each_wire = pytest.mark.parametrize(
    "wire", [Anthropic(used=USED), Chat(used=USED), Responses(used=USED)], ids=["anthropic", "chat", "responses"]
)


@pytest.fixture
def priced(own: Finclaw) -> Finclaw:
    price(own.home, "claude-test", "local-test", "gpt-test")
    return own


@each_wire
def test_each_turn_and_the_result_say_what_they_cost(priced: Finclaw, wire: Dialect):
    with threaded(wire.calls(("c1", "price", {"symbol": "A"})), wire.text("fine")) as server:
        ran = ask(priced, server.url, wire=wire)
    assert [line["cost_usd"] for line in ran.of("agent.turn_complete")] == ["0.0105", "0.0105"]
    assert (ran.result["cost_usd"], ran.result["estimated"]) == ("0.021", False)


@each_wire
def test_a_row_is_written_for_each_request_and_each_call(priced: Finclaw, wire: Dialect):
    with threaded(wire.calls(("c1", "price", {"symbol": "A"})), wire.text("fine")) as server:
        ran = ask(priced, server.url, wire=wire)
    found = rows(priced.home)
    provider, _, model = wire.model.partition(":")
    assert [(row["number"], row["turn"], row["provider"], row["model"]) for row in found] == [
        (1, 1, provider, model),
        (2, 2, provider, model),
    ]
    assert {(row["input"], row["output"], row["status"], row["price_source"]) for row in found} == {
        (*USED, "complete", "settings")
    }
    assert sum(filter(None, costs(priced.home))) == 2 * EACH_USD
    (call,) = rows(priced.home, "tool_calls")
    assert (call["tool"], call["status"], call["session_id"]) == ("price", "completed", ran.result["session_id"])


def test_only_the_owner_can_read_the_ledger(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ask(priced, server.url)
    files = list(priced.home.glob("ledger.db*"))
    assert files
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_what_an_unknown_model_costs_is_null_and_never_0(own: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ran = ask(own, server.url)
    assert (ran.result["cost_usd"], ran.of("agent.turn_complete")[0]["cost_usd"]) == (None, None)
    assert ran.result["usage"]["input"] == 1_000
    (row,) = rows(own.home)
    assert (row["input"], row["output"], row["cost"], row["cost_text"], row["price_source"]) == (*USED, None, None, "")


def test_scripted_words_cost_nothing(own: Finclaw):
    ran = own("run", "-o", "ndjson", "-m", own.script({"text": "hi"}), "Hi?")
    assert (ran.result["cost_usd"], ran.result["usage"]) == ("0", None)
    assert [(row["cost"], row["price_source"]) for row in rows(own.home)] == [(0, "scripted")]


def test_a_request_that_was_refused_is_there_and_took_nothing(priced: Finclaw):
    with threaded(WIRE.error(529, "overloaded_error", "Overloaded"), WIRE.text("fine")) as server:
        ran = ask(priced, server.url)
    first, second = rows(priced.home)
    assert (first["status"], first["attempt"], first["input"], first["cost"]) == ("failed", 1, 0, 0)
    assert (second["status"], second["attempt"]) == ("complete", 2)
    assert (ran.result["cost_usd"], ran.result["estimated"]) == (str(EACH_USD), False)


@each_wire
def test_an_attempt_that_broke_off_is_counted_and_marked(priced: Finclaw, wire: Dialect):
    whole = wire.text("word " * 400)
    cut = replace(whole, cut_at=len(whole.body) * 2 // 3, ending="cut")
    with threaded(cut, wire.text("fine")) as server:
        ran = ask(priced, server.url, wire=wire)
    broken, good = rows(priced.home)
    assert (broken["status"], broken["estimated"], good["status"], good["estimated"]) == ("failed", 1, "complete", 0)
    assert broken["input"] > 0
    assert broken["cost"] > 0
    assert ran.result["estimated"] is True
    assert Decimal(ran.result["cost_usd"]) == sum(filter(None, costs(priced.home))) > EACH_USD


def test_what_was_reported_before_a_stream_broke_off_is_taken_as_it_is(priced: Finclaw):
    whole = WIRE.text("word " * 400)
    cut = replace(whole, cut_at=whole.body.index(b"event: content_block_stop"), ending="cut")
    with threaded(cut, WIRE.text("fine")) as server:
        ask(priced, server.url)
    broken = rows(priced.home)[0]
    assert broken["input"] == 1_000
    assert 300 < broken["output"] < 700


def test_a_run_that_was_interrupted_says_what_it_took(priced: Finclaw):
    answer = WIRE.text("word " * 400)
    stalled = replace(answer, cut_at=answer.body.index(b"event: content_block_stop"), stall=True)
    with threaded(stalled) as server:
        process = priced.start(*asking(server.url, output="ndjson"), env={WIRE.key: "sk-test-0123456789abcdef"})
        assert process.stdout is not None
        while b"agent.delta" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        result = json.loads(process.stdout.read().splitlines()[-1])
    (row,) = rows(priced.home)
    assert (row["status"], row["estimated"], row["input"]) == ("interrupted", 1, 1_000)
    assert (result["status"], result["estimated"], result["usage"]["input"]) == ("aborted", True, 1_000)
    assert Decimal(result["cost_usd"]) == next(costs(priced.home))


def test_a_run_that_was_killed_has_its_request_in_the_ledger(priced: Finclaw):
    with threaded(Reply(stall=True)) as server:
        process = priced.start(*asking(server.url), env={WIRE.key: "sk-test-0123456789abcdef"})
        wait_until(lambda: (priced.home / "ledger.db").exists() and bool(rows(priced.home)))
        process.kill()
        process.wait()
    (row,) = rows(priced.home)
    assert (row["status"], row["estimated"], row["output"]) == ("interrupted", 1, 0)
    assert row["input"] > 0
    assert row["cost"] == row["input"] * 3 * 10**6


def test_what_nobody_reports_is_counted_here_and_the_turn_says_that_nobody_did(priced: Finclaw):
    silent = Chat(used=USED)
    reply = silent.text("fine")
    body = reply.body.replace(b'"usage"', b'"other"')
    with threaded(replace(reply, body=body)) as server:
        ran = ask(priced, server.url, wire=silent)
    (row,) = rows(priced.home)
    assert (row["status"], row["estimated"]) == ("complete", 1)
    assert row["cost"] > 0
    turn = ran.of("agent.turn_complete")[0]
    assert (turn["usage"], turn["cost_usd"], ran.result["estimated"]) == (None, None, True)


def test_without_a_transcript_what_was_spent_is_written_down_all_the_same(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ask(priced, server.url, "--no-save")
    assert list(costs(priced.home)) == [EACH_USD]
    assert not (priced.home / "sessions").exists()


def test_a_run_goes_on_where_the_ledger_cannot_be_written_and_says_so_once(priced: Finclaw):
    (priced.home / "ledger.db").write_text("this is no database, and was never one" * 100)
    with threaded(WIRE.calls(("c1", "price", {"symbol": "A"})), WIRE.text("fine")) as server:
        ran = ask(priced, server.url)
    assert (ran.code, ran.result["cost_usd"]) == (0, "0.021")
    assert ran.stderr.count("finclaw: warning: the ledger") == 1
    assert "finclaw cost rebuild" in ran.stderr


def test_asking_another_model_the_same_is_paid_for_and_written_down(priced: Finclaw):
    with threaded(WIRE.calls(("c1", "price", {"symbol": "A"})), WIRE.text("fine")) as server:
        session = ask(priced, server.url).result["session_id"]
    chat = Chat(used=USED)
    with threaded(chat.text("fine, too")) as server:
        price(priced.home, "local-test", more=f'[providers.openai-chat]\nbase_url = "{server.url}/v1"')
        ran = priced("replay", session, "-m", chat.model, env={chat.key: "sk-test-0123456789abcdef"})
    assert ran.code == 0
    assert [row["provider"] for row in rows(priced.home)].count("openai-chat") == 1
    assert len(rows(priced.home, "tool_calls")) == 1


def test_the_status_line_says_the_cost_with_its_currency(priced: Finclaw, tmp_path: Path):
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url, "-v", output="text")
    assert " · 0.0105 USD · " in ran.stderr


def test_a_run_that_failed_and_was_repeated_verifies_as_recorded(priced: Finclaw):
    whole = WIRE.text("word " * 50)
    cut = replace(whole, cut_at=len(whole.body) * 2 // 3, ending="cut")
    busy = WIRE.error(529, "overloaded_error", "Overloaded")
    with threaded(busy, cut, WIRE.text("fine")) as server:
        session = ask(priced, server.url).result["session_id"]
    verified = priced("replay", session, "--verify")
    assert (verified.code, verified.stderr) == (0, ""), verified.stdout


def test_a_run_of_which_every_request_was_refused_has_cost_nothing(priced: Finclaw):
    with threaded(WIRE.error(529, "overloaded_error", "Overloaded")) as server:
        ran = ask(priced, server.url)
    assert (ran.code, ran.result["cost_usd"], ran.result["usage"]) == (4, "0", None)
    assert list(costs(priced.home)) == [0, 0, 0]


@pytest.mark.parametrize(
    "counts",
    [
        {"prompt_tokens": 1_000},
        {"completion_tokens": 500},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": 10**18, "completion_tokens": 500},
        {"prompt_tokens": -5, "completion_tokens": "many"},
    ],
    ids=["no answer", "no question", "nothing", "beyond belief", "no counts"],
)
def test_what_a_server_leaves_out_or_makes_up_is_counted_here(priced: Finclaw, counts: dict[str, object]):
    whole = Chat(used=USED).text("word " * 2_000).body
    body = whole.replace(b'{"prompt_tokens":1000,"completion_tokens":500}', json.dumps(counts).encode())
    body = body.replace(b'{"prompt_tokens": 1000, "completion_tokens": 500}', json.dumps(counts).encode())
    assert body != whole
    with threaded(Reply(body=body)) as server:
        ran = ask(priced, server.url, wire=Chat())
    (row,) = rows(priced.home)
    assert (row["status"], row["estimated"], ran.result["estimated"]) == ("complete", 1, True)
    assert row["input"] > 900
    assert row["output"] == 500 or row["output"] > 1_500
    assert ran.of("agent.turn_complete")[0]["usage"] is None
    assert Decimal(ran.result["cost_usd"]) == next(costs(priced.home))


def test_what_a_message_says_of_its_answer_when_it_begins_is_not_what_was_answered(priced: Finclaw):
    body = WIRE.text("word " * 2_000).body.replace(b'"usage":{"output_tokens":500}', b'"usage":{}')
    body = body.replace(b'"usage": {"output_tokens": 500}', b'"usage": {}')
    with threaded(Reply(body=body)) as server:
        ask(priced, server.url)
    (row,) = rows(priced.home)
    assert (row["input"], row["estimated"]) == (1_000, 1)
    assert row["output"] > 1_500


def test_what_a_transcript_tells_of_is_in_the_ledger_when_the_run_is_killed(priced: Finclaw):
    late = replace(WIRE.calls(("c1", "sleepy", {"seconds": 60})), wait_s=1.0)
    with threaded(late) as server:
        process = priced.start(*asking(server.url, "--session", "dead"), env={WIRE.key: "sk-test-0123456789abcdef"})
        transcript = priced.home / "sessions" / "dead.jsonl"
        wait_until(lambda: transcript.exists() and b'"tool_intent"' in transcript.read_bytes())
        process.kill()
        process.wait()
    (row,) = rows(priced.home)
    assert (row["status"], row["input"], row["output"]) == ("complete", *USED)


def test_a_name_that_no_model_can_have_is_refused(own: Finclaw):
    ran = own("run", "-m", "anthropic:x\ny", "Hi?", env={"ANTHROPIC_API_KEY": "sk-test-0123456789abcdef"})
    assert (ran.code, "is no name of a model" in ran.stderr) == (2, True)


def test_a_usage_store_that_another_program_locks_is_not_waited_for_longer_than_the_run(own: Finclaw) -> None:
    assert own("run", "-m", own.script({"text": "Hi."}), "x").code == 0
    with closing(sqlite3.connect(own.home / "ledger.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        model = own.script({"text": "Hi."})
        ran = own("run", "-o", "ndjson", "--timeout", "2", "-m", model, "x", timeout=25)  # a lock is waited for 30 s
    assert ran.result["text"] == "Hi."
    assert "cost rebuild" in ran.stderr
