"""A temperature that the model does not take is left out, and that is said once."""

from __future__ import annotations

import pytest

from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw, Ran
from tests.wire.server import threaded

CALL = ("c1", "price", {"symbol": "ACME"})


def ask(finclaw: Finclaw, dialect: Dialect, url: str, *arguments: str) -> Ran:
    return finclaw("run", "-o", "ndjson", "-m", dialect.model, "--base-url", url, *arguments, "Hello?")


def warned(ran: Ran) -> list[str]:
    return [line["message"] for line in ran.of("agent.warning") if line["code"] == "temperature_ignored"]


def test_anthropic_takes_none_which_is_said_once_for_all_turns(finclaw: Finclaw) -> None:
    dialect = Anthropic()
    with threaded(dialect.calls(CALL), dialect.text("42")) as server:
        ran = ask(finclaw, dialect, server.url, "--temperature", "0.2")
        assert [body.get("temperature") for body in server.bodies] == [None, None]
    assert (len(warned(ran)), dialect.model in warned(ran)[0], ran.code) == (1, True, 0)


@pytest.mark.parametrize("dialect", [Chat(), Responses()], ids=["chat", "responses"])
def test_a_server_that_refuses_it_is_asked_without(finclaw: Finclaw, dialect: Dialect) -> None:
    refusal = dialect.error(400, "unsupported_parameter", "Unsupported parameter: 'temperature' is not supported")
    with threaded(refusal, dialect.calls(CALL), dialect.text("42")) as server:
        ran = ask(finclaw, dialect, server.url, "--temperature", "0.2")
        assert [body.get("temperature") for body in server.bodies] == [0.2, None, None]
    assert (len(warned(ran)), ran.code) == (1, 0)


@pytest.mark.parametrize("arguments", [(), ("--temperature", "0.2")])
def test_nothing_is_said_where_none_is_wanted_or_it_is_taken(finclaw: Finclaw, arguments: tuple[str, ...]) -> None:
    with threaded(Chat().text("42")) as server:
        ran = ask(finclaw, Chat(), server.url, *arguments)
    assert (warned(ran), ran.code) == ([], 0)


def test_a_model_that_takes_over_is_told_of_too(finclaw: Finclaw) -> None:
    with threaded(Chat().error(500, "api_error", "down")) as sick, threaded(Anthropic().text("42")) as well:
        arguments = ("--temperature", "0.2", "--retry-attempts", "1", "--fallback", "anthropic:claude-x")
        base = ("run", "-o", "ndjson", "-m", "openai-chat:x", "--base-url", sick.url)
        ran = finclaw(*base, *arguments, "Hello?", env={"ANTHROPIC_BASE_URL": well.url})
    assert (len(warned(ran)), ran.code) == (1, 0)


def test_the_run_can_be_verified(own: Finclaw) -> None:
    with threaded(Anthropic().text("42")) as server:
        assert warned(ask(own, Anthropic(), server.url, "--temperature", "0.2", "--session", "s"))
    ran = own("replay", "--verify", "s")
    assert ran.code == 0, ran.text + ran.stderr
