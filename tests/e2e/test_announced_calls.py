"""A call is announced when the model begins it, long before its arguments are whole."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw, Ran, ended
from tests.e2e.terminals import on_terminal
from tests.wire.server import Reply, threaded

pytestmark = pytest.mark.by_agent

each_dialect = pytest.mark.parametrize(
    "dialect", [Anthropic(), Chat(), Responses()], ids=["anthropic", "chat", "responses"]
)
CALL = ("c1", "price", {"symbol": "ACME"})


def cut(reply: Reply) -> Reply:
    """The same without its last half: the call has begun, and its arguments are not whole."""
    return replace(reply, cut_at=reply.body.index(b"symbol") + 4)


def options(dialect: Dialect, url: str) -> tuple[str, ...]:
    base = url if isinstance(dialect, Anthropic) else f"{url}/v1"
    return "run", "--session", "talk", "-m", dialect.model, "--base-url", base


def asked(own: Finclaw, dialect: Dialect, *replies: Reply) -> Ran:
    with threaded(*replies) as server:
        where = (*options(dialect, server.url), "-o", "ndjson", "--events", "all")
        return own(*where, "How much?", env={dialect.key: "sk-test-0123456789"})


def steps(ran: Ran) -> list[str]:
    """The calls, the states and the retries, in their order."""
    found = []
    for line in ran.lines:
        match line["type"]:
            case "agent.tool_call":
                found.append(f"{line['call_id']} {line['status']}")
            case "execution.state":
                found.append(f"{line['state_from']} -> {line['state_to']} {line['cause'] or ''}".strip())
            case "agent.retry":
                found.append("retry")
    return found


@each_dialect
def test_a_failed_attempt_makes_the_announced_call_void(own: Finclaw, dialect: Dialect) -> None:
    whole = dialect.calls(CALL)
    ran = asked(own, dialect, cut(whole), whole, dialect.text("42."))
    assert (ran.code, ran.result["text"], ended(ran.lines)) == (0, "42.", {"price": "completed"})
    assert steps(ran) == [
        *("idle -> streaming", "c1 announced", "streaming -> tool_use", "tool_use -> idle retry", "retry"),
        *("idle -> streaming", "c1 announced", "streaming -> tool_use", "tool_use -> executing"),
        *("c1 requested", "c1 running", "c1 completed", "executing -> streaming", "streaming -> done", "done -> idle"),
    ]


@each_dialect
def test_announced_calls_of_failed_attempts_are_verified(own: Finclaw, dialect: Dialect) -> None:
    whole = dialect.calls(CALL)
    assert asked(own, dialect, cut(whole), whole, dialect.text("42.")).code == 0
    again = own("replay", "--verify", "talk")
    assert again.code == 0, again.text


@each_dialect
def test_an_announced_call_of_an_attempt_that_fails_for_good_is_verified(own: Finclaw, dialect: Dialect) -> None:
    refused = dialect.error(401, "authentication_error", "no")
    ran = asked(own, dialect, cut(dialect.calls(CALL)), refused)
    assert (ran.code, [step for step in steps(ran) if step.startswith("c1")]) == (3, ["c1 announced"])
    assert own("replay", "--verify", "talk").code == 0


@each_dialect
def test_an_id_that_was_used_before_is_announced_as_the_call_will_have_it(own: Finclaw, dialect: Dialect) -> None:
    ran = asked(own, dialect, dialect.calls(CALL), dialect.calls(CALL), dialect.text("42."))
    statuses = [step for step in steps(ran) if step.startswith("c1_2 ")]
    assert statuses == ["c1_2 announced", "c1_2 requested", "c1_2 running", "c1_2 completed"]
    assert own("replay", "--verify", "talk").code == 0


def test_a_call_that_is_cut_off_by_the_length_stays_void(own: Finclaw) -> None:
    dialect = Anthropic()
    reply = dialect.calls(CALL)
    cut_off = replace(reply, body=reply.body.replace(b'"tool_use"},', b'"max_tokens"},'))
    assert cut_off.body != reply.body
    ran = asked(own, dialect, cut_off)
    assert [step for step in steps(ran) if step.startswith("c1")] == ["c1 announced"]
    assert (ran.code, "tool_use -> done" in steps(ran)) == (9, True)
    assert own("replay", "--verify", "talk").code == 0


def test_a_run_that_ends_while_it_waits_for_a_retry_has_no_void_text_and_is_verified(own: Finclaw) -> None:
    fault = {"reason": "overloaded", "after_chars": 5, "times": 5}
    model = own.script({"text": "Hello there.", "delta_chars": 5, "fault": fault})
    asked = ("run", "-o", "ndjson", "--events", "all", "--session", "talk", "--timeout", "0.5", "-m", model, "x")
    ran = own(*asked, env={"FINCLAW_RETRY_BASE": "9", "FINCLAW_RETRY_CAP": "9"})
    assert (ran.code, ran.result["text"], steps(ran)[-2:]) == (124, "", ["streaming -> idle retry", "retry"])
    again = own("replay", "--verify", "talk")
    assert again.code == 0, again.text


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
@pytest.mark.parametrize("plain", [(), ("--plain",)], ids=["live", "plain"])
def test_a_terminal_shows_the_name_while_the_arguments_stream(own: Finclaw, plain: tuple[str, ...]) -> None:
    dialect = Anthropic()
    stalled = replace(cut(dialect.calls(CALL)), stall=True)
    with threaded(stalled) as server:
        where = (*options(dialect, server.url), *plain, "--idle-timeout", "0.5", "--retry-attempts", "1", "x")
        env = {"TERM": "xterm-256color", "COLUMNS": "80", dialect.key: "sk-test-0123456789"}
        code, seen = on_terminal(own, *where, **env)
    assert code == 4
    assert ("… price" if plain else "price …").encode() in seen
