"""The code of an error is finclaw's own, whatever word a server has for it; the server's stands beside it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.dialects import Anthropic, Chat
from tests.e2e.harness import Finclaw, Ran
from tests.wire.server import Reply, threaded

pytestmark = pytest.mark.by_agent


def refusal(status: int, body: Any) -> Reply:
    return Reply(status=status, body=json.dumps(body).encode(), content_type="application/json", framing="length")


def ask(finclaw: Finclaw, reply: Reply, *arguments: str) -> Ran:
    with threaded(reply) as server:
        base = ("-m", "openai-chat:x", "--base-url", f"{server.url}/v1", "--retry-attempts", "2")
        return finclaw("run", "-o", "ndjson", *base, *arguments, "Hello?")


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"error": {"message": "busy", "type": "service_unavailable_error"}}, "service_unavailable_error"),
        ([{"error": {"message": "busy", "code": 503, "status": "UNAVAILABLE"}}], "unavailable"),
        ({"error": {"message": "busy", "type": "server_error", "code": "engine_overloaded"}}, "engine_overloaded"),
        ({"error": {"message": "busy", "code": "stream_truncated"}}, "stream_truncated"),
        ("busy", None),
    ],
)
def test_a_server_that_is_busy_has_one_code_and_one_reason(finclaw: Finclaw, body: Any, word: str | None) -> None:
    ran = ask(finclaw, refusal(503, body))
    error = ran.result["error"]
    assert (error["code"], error["reason"], error["provider_code"]) == ("overloaded", "overloaded", word)
    (event,) = ran.of("agent.error")
    assert (event["code"], event["reason"], event["provider_code"]) == ("overloaded", "overloaded", word)
    (retry,) = ran.of("agent.retry")
    assert (retry["code"], retry["reason"], retry["provider_code"]) == ("overloaded", "overloaded", word)
    assert ran.code == 4


def test_what_is_no_failure_of_a_provider_has_neither(finclaw: Finclaw) -> None:
    error = finclaw("run", "-o", "ndjson", "-m", "nosuch:x", "Hello?").result["error"]
    assert (error["code"], error["reason"], error["provider_code"]) == ("unknown_model", None, None)


def test_a_recorded_failure_is_verified_with_both(own: Finclaw) -> None:
    body = {"error": {"message": "busy", "code": "engine_overloaded"}}
    assert ask(own, refusal(503, body), "--session", "s").code == 4
    ran = own("replay", "--verify", "s")
    assert ran.code == 0, ran.text + ran.stderr


GEMINI = {
    "code": 400,
    "message": "API key not valid. Please pass a valid API key.",
    "status": "INVALID_ARGUMENT",
    "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}],
}


@pytest.mark.parametrize(
    "error",
    [
        GEMINI,
        {**GEMINI, "details": []},
        {**GEMINI, "message": "Bad."},
        {**GEMINI, "message": "API key expired. Please renew the API key.", "details": None},
        {"message": "Incorrect API key provided: sk-1", "type": "invalid_request_error"},
    ],
)
def test_a_key_that_is_refused_with_status_400_is_one(finclaw: Finclaw, error: dict[str, Any]) -> None:
    ran = ask(finclaw, refusal(400, [{"error": error}]))
    told = ran.result["error"]
    assert (told["code"], told["reason"], told["retryable"], ran.code) == ("auth", "auth", False, 3)
    assert "OPENAI_API_KEY" in told["hint"]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (500, "tools param requires --jinja flag"),
        (404, "No endpoints found that support tool use. Try disabling 'price'."),
        (400, "`tool calling` is not supported with this model"),
        (400, "deepseek-reasoner does not support Function Calling"),
        (400, "Function calling is not enabled for models/gemma-3"),
        (400, "Unsupported parameter: 'tools' is not supported with this model."),
        (400, "This model doesn't support tool use in streaming mode."),
    ],
)
def test_a_model_without_tools_is_asked_once_and_the_hint_says_what_to_do(
    finclaw: Finclaw, status: int, message: str
) -> None:
    ran = ask(finclaw, refusal(status, {"error": {"message": message}}))
    error = ran.result["error"]
    assert (error["code"], error["reason"], "--tools none" in error["hint"]) == (
        "tools_unsupported",
        "bad_request",
        True,
    )
    assert ran.of("agent.retry") == []


@pytest.mark.parametrize("message", ["tools.0.name: not supported characters", "the tool said no", "tools: too many"])
def test_other_words_about_tools_are_not_taken_for_that(finclaw: Finclaw, message: str) -> None:
    assert ask(finclaw, refusal(400, {"error": {"message": message}})).result["error"]["code"] == "bad_request"


def test_tools_none_offers_none(finclaw: Finclaw) -> None:
    with threaded(Anthropic().text("fine")) as server:
        arguments = ("-m", "anthropic:x", "--base-url", server.url, "-t", "none")
        ran = finclaw("run", "-o", "ndjson", *arguments, "Hello?")
        assert "tools" not in server.bodies[0]
    assert (ran.lines[0]["tools"], ran.code) == ([], 0)


def test_none_beside_other_tools_is_refused(finclaw: Finclaw) -> None:
    with threaded(Chat().text("no")) as server:
        arguments = ("-m", "openai-chat:x", "--base-url", server.url, "-t", "none", "-t", "price")
        assert finclaw("run", "-o", "ndjson", *arguments, "Hello?").code == 2
        assert server.requests == []
