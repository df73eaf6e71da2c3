"""`--max-cost` and `[budget]`: a run ends before the request that would break them."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Sequence
from contextlib import closing
from decimal import Decimal

import pytest

from finclaw_cli.usage.store import Ledger
from tests.e2e.dialects import Anthropic, Chat, Responses
from tests.e2e.harness import Finclaw, Ran
from tests.e2e.spending import EACH_USD, WIRE, ask, asking, costs, price
from tests.wire.server import Reply, threaded

pytestmark = pytest.mark.by_agent

ENV = {WIRE.key: "sk-test-0123456789abcdef"}


@pytest.fixture
def priced(own: Finclaw) -> Finclaw:
    price(own.home, "claude-test", "local-test", "gpt-test")
    return own


def calls(count: int) -> Sequence[Reply]:
    return [WIRE.calls((f"c{number}", "price", {"symbol": "A"})) for number in range(count)]


def test_a_run_ends_before_the_request_that_could_break_its_limit(priced: Finclaw):
    with threaded(*calls(20)) as server:
        ran = ask(priced, server.url, "--max-cost", "0.1", "--max-turns", "20")
        asked = len(server.requests)
    assert (ran.code, ran.result["status"], ran.result["error"]["code"]) == (7, "budget", "budget")
    assert 1 < asked < 20
    assert Decimal(ran.result["cost_usd"]) == asked * EACH_USD <= Decimal("0.1")
    assert "--max-cost" in ran.result["error"]["hint"]


def test_a_run_whose_first_request_could_break_its_limit_asks_nobody(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url, "--max-cost", "0.001")
        assert server.requests == []
    assert (ran.code, ran.result["status"], ran.result["usage"]) == (7, "budget", None)
    assert not (priced.home / "ledger.db").exists()


def test_the_transcript_of_a_run_that_ran_out_of_money_is_whole_and_goes_on(priced: Finclaw):
    with threaded(*calls(20)) as server:
        ran = ask(priced, server.url, "--max-cost", "0.05", "--max-turns", "20", "--session", "dear")
    assert ran.code == 7
    verified = priced("replay", "dear", "--verify")
    assert (verified.code, verified.stderr) == (0, ""), verified.stdout
    with threaded(WIRE.text("fine")) as server:
        resumed = ask(priced, server.url, "--session", "dear")
        body = server.bodies[0]
    assert resumed.result["text"] == "fine"
    assert [message["role"] for message in body["messages"]][-2:] == ["assistant", "user"]


@pytest.mark.parametrize("wire", [Anthropic(), Chat(), Responses()], ids=["anthropic", "chat", "responses"])
def test_an_answer_may_be_no_longer_than_there_is_money_for(priced: Finclaw, wire: Anthropic | Chat | Responses):
    with threaded(wire.text("fine")) as server:
        assert ask(priced, server.url, "--max-cost", "0.08", wire=wire).code == 0
        (body,) = server.bodies
    limit = next(body[name] for name in ("max_tokens", "max_completion_tokens", "max_output_tokens") if name in body)
    assert 1_024 <= limit < 0.08 / 15 * 10**6


def test_enough_money_leaves_the_request_as_it_would_be(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ask(priced, server.url)
        ask(priced, server.url, "--max-cost", "100")
        without, limited = server.bodies
    assert without["max_tokens"] == limited["max_tokens"]


def test_an_answer_that_was_cut_off_where_the_money_ended_says_so(priced: Finclaw):
    with threaded(WIRE.cut_short()) as server:
        ran = ask(priced, server.url, "--max-cost", "0.08", "--session", "cut")
    assert (ran.code, ran.result["status"], ran.result["text"]) == (7, "budget", "half an ans")
    assert priced("replay", "cut", "--verify").code == 0


def test_an_answer_that_is_cut_off_for_another_reason_keeps_its_exit_code(priced: Finclaw):
    with threaded(WIRE.cut_short()) as server:
        ran = ask(priced, server.url, "--max-cost", "100")
    assert (ran.code, ran.result["status"]) == (9, "completed")


def test_a_model_without_a_price_is_not_asked_where_money_is_limited(own: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ran = ask(own, server.url, "--max-cost", "5")
        assert server.requests == []
    assert (ran.code, ran.result["error"]["code"]) == (2, "unknown_price")
    assert "finclaw models set anthropic:claude-test" in ran.result["error"]["hint"]


def test_a_model_that_could_take_over_needs_a_price_as_well(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url, "--max-cost", "5", "--fallback", "anthropic:claude-nobody-knows")
        assert server.requests == []
    assert (ran.code, ran.result["error"]["code"]) == (2, "unknown_price")


def test_a_script_is_played_with_no_money_at_all(own: Finclaw):
    assert own("run", "-m", own.script({"text": "hi"}), "--max-cost", "0", "Hi?").code == 0


@pytest.mark.parametrize("wrong", ["-1", "NaN", "inf", "1e9999", "lots"])
def test_what_is_no_amount_is_refused(own: Finclaw, wrong: str):
    ran = own("run", "-m", "demo", f"--max-cost={wrong}", "Hi?")
    assert ran.code == 2
    assert "--max-cost" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(("scope", "table"), [("daily", "daily = 0.06"), ("monthly", 'monthly = "0.06"')])
def test_a_budget_counts_what_other_runs_have_spent(priced: Finclaw, scope: str, table: str):
    price(priced.home, "claude-test", more=f"[budget]\n{table}")
    with threaded(WIRE.text("fine")) as server:
        codes = [ask(priced, server.url).code for _ in range(6)]
        asked = len(server.requests)
    assert codes == [0] * asked + [7] * (6 - asked)
    assert 1 < asked < 6
    assert sum(filter(None, costs(priced.home))) == asked * EACH_USD <= Decimal("0.06")
    refused = ask(priced, server.url)
    assert f"the {scope} budget" in refused.result["error"]["message"]


def test_it_is_told_once_when_four_fifths_of_a_budget_are_spent(priced: Finclaw):
    with threaded(*calls(20)) as server:
        ran = ask(priced, server.url, "--max-cost", "0.2", "--max-turns", "20", "--events", "all")
    (told,) = ran.of("budget.threshold")
    assert (told["scope"], told["limit_usd"], told["spent_usd"]) == ("run", "0.2", "0.168")


def test_a_request_that_is_not_made_is_told(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url, "--max-cost", "0.001", "--events", "all")
    (told,) = ran.of("budget.exceeded")
    assert (told["scope"], told["limit_usd"], told["spent_usd"]) == ("run", "0.001", "0")
    assert Decimal(told["needed_usd"]) > Decimal("0.001")


def test_a_damaged_ledger_lets_nobody_spend_what_a_budget_holds(priced: Finclaw):
    price(priced.home, "claude-test", more="[budget]\ndaily = 1")
    (priced.home / "ledger.db").write_text("this is no database, and was never one" * 100)
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url)
        assert server.requests == []
    assert (ran.code, ran.result["status"]) == (1, "error")
    assert "cost rebuild" in ran.result["error"]["hint"]


def test_a_checkout_cannot_lift_a_budget(priced: Finclaw):
    price(priced.home, "claude-test", more='max_cost = "0.001"')
    (priced.cwd / ".finclaw.toml").write_text('max_cost = "5"\n[budget]\ndaily = 100\n')
    with threaded(WIRE.text("fine")) as server:
        assert ask(priced, server.url).code == 7
        assert server.requests == []


def test_runs_at_once_wait_for_each_other_and_spend_what_a_budget_leaves_and_no_more(priced: Finclaw):
    price(priced.home, "claude-test", more='[budget]\ndaily = "0.25"')
    with threaded(*calls(1), repeat=True) as server:
        more = ("--max-turns", "20", "--agent")
        running = [priced.start(*asking(server.url, *more, f"agent-{number}"), env=ENV) for number in range(6)]
        results = [json.loads(process.communicate()[0].splitlines()[-1]) for process in running]
    assert {result["status"] for result in results} == {"budget"}
    spent = sum(filter(None, costs(priced.home)))
    assert spent == sum(Decimal(result["cost_usd"] or 0) for result in results)
    assert Decimal("0.2") < spent <= Decimal("0.25")


def test_the_first_line_says_the_limit(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ran: Ran = ask(priced, server.url, "--max-cost", "0.50")
    assert ran.lines[0]["limits"]["max_cost_usd"] == "0.5"


@pytest.mark.parametrize("letters", ["!@#$%^&*()_+-=[]{}|;:<>?/", string.ascii_letters], ids=["signs", "letters"])
def test_a_question_that_no_tokenizer_has_words_for_is_not_taken_to_be_short(priced: Finclaw, letters: str):
    jumble = "".join(random.Random(1).choices(letters, k=100_000))
    with threaded(WIRE.text("fine")) as server:
        (priced.cwd / "jumble.txt").write_text(jumble)
        ran = ask(priced, server.url, "--max-cost", "0.1", "-f", "jumble.txt")
        assert server.requests == []
    assert ran.code == 7


def test_an_answer_that_is_made_shorter_for_want_of_money_is_told(priced: Finclaw):
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url, "--max-cost", "0.1")
        (body,) = server.bodies
    (warning,) = [each for each in ran.of("agent.warning") if each["code"] == "short_answer"]
    assert f"limited to {body['max_tokens']:,} tokens" in warning["message"]


def test_a_server_that_ignores_the_limit_of_its_answer_is_told(priced: Finclaw):
    with threaded(Anthropic(used=(1_000, 50_000)).text("long")) as server:
        ran = ask(priced, server.url, "--max-cost", "0.3")
    assert "limit_ignored" in [each["code"] for each in ran.of("agent.warning")]


@pytest.mark.parametrize("left", ["no ledger", "an empty ledger"])
def test_a_budget_counts_what_transcripts_tell_of_where_the_ledger_is_gone(priced: Finclaw, left: str):
    with threaded(*calls(9)) as server:
        ask(priced, server.url, "--max-turns", "8")
    for path in priced.home.glob("ledger.db*"):
        path.unlink()
    if left == "an empty ledger":  # as a process leaves it that is killed while it copies the transcripts
        with closing(Ledger(priced.home / "ledger.db")) as ledger:
            ledger.checkpoint()
    price(priced.home, "claude-test", more='[budget]\ndaily = "0.1"')
    with threaded(WIRE.text("fine")) as server:
        ran = ask(priced, server.url)
        assert server.requests == []
    assert (ran.code, "0.084 USD are spent" in ran.result["error"]["message"]) == (7, True)
