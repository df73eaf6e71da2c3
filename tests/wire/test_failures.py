"""What a failure means, whichever way the provider says it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import h11
import httpx2
import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.http.connect import ConnectError
from finclaw_cli.http.connection_failures import from_exception
from finclaw_cli.providers.failures import MAX_MESSAGE, classify
from finclaw_cli.providers.retry_after import retry_after_s

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


def said(**fields: Any) -> dict[str, Any]:
    return {"error": fields}


TABLE = [
    # by the provider's own word, whatever the status
    (200, said(type="overloaded_error"), "overloaded"),
    (None, said(type="overloaded_error"), "overloaded"),
    (None, said(type="api_error"), "server_error"),
    (None, said(type="invalid_request_error", message="no"), "bad_request"),
    (None, {"type": "error", "code": "rate_limit_exceeded", "message": "slow"}, "rate_limit"),
    (None, {"type": "error", "code": "server_error"}, "server_error"),
    (429, said(type="insufficient_quota", code="insufficient_quota"), "quota"),
    (429, said(code="credit_balance_exhausted"), "quota"),
    (429, said(type="rate_limit_error", details={"error_code": "linked_organization_spend"}), "quota"),
    (400, said(type="invalid_request_error", message="Your credit balance is too low to access"), "quota"),
    (402, said(message="Insufficient Balance"), "quota"),
    (429, said(type="throttling_error", message="litellm.RateLimitError: {'type':'insufficient_quota'}"), "quota"),
    (402, {}, "quota"),
    (429, said(type="requests", code="rate_limit_exceeded"), "rate_limit"),
    (429, {}, "rate_limit"),
    (401, said(type="invalid_request_error", code="invalid_api_key"), "auth"),
    (401, said(type="invalid_request_error"), "auth"),
    (403, {}, "auth"),
    (400, said(type="invalid_request_error", code="content_policy_violation"), "refused"),
    (400, said(code="content_filter"), "refused"),
    # the context's length, in everybody's words
    (400, said(code="context_length_exceeded", message="x"), "context_exceeded"),
    (400, said(message="prompt is too long: 210000 tokens > 200000 maximum"), "context_exceeded"),
    (400, said(message="input length and `max_tokens` exceed context limit: 190000 + 16000"), "context_exceeded"),
    (400, {"message": "This model's maximum context length is 8192 tokens."}, "context_exceeded"),
    (400, said(type="exceed_context_size_error", message="x"), "context_exceeded"),
    (500, said(message="the request exceeds the available context size"), "context_exceeded"),
    (400, [{"error": {"message": "The input token count (9) exceeds the maximum", "code": 400}}], "context_exceeded"),
    (413, said(message="prompt is too long"), "context_exceeded"),
    # by status
    (413, {}, "context_exceeded"),
    (400, said(message="tools: must be unique"), "bad_request"),
    (422, {"detail": "extra fields"}, "bad_request"),
    (404, said(type="api_error", message="model 'x' not found, try pulling it first"), "bad_request"),
    (418, None, "bad_request"),
    (302, None, "bad_request"),
    (408, None, "timeout"),
    (500, "Internal Server Error", "server_error"),
    (502, "<html>Bad Gateway</html>", "server_error"),
    (504, None, "server_error"),
    (599, None, "server_error"),
    (503, None, "overloaded"),
    (529, None, "overloaded"),
    (429, [{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "quota per minute"}}], "rate_limit"),
    (None, None, "server_error"),
    (None, [], "server_error"),
    (None, {"error": "out of memory"}, "server_error"),
]


@pytest.mark.parametrize(("status", "body", "reason"), TABLE)
def test_a_failure_has_this_reason(status: int | None, body: object, reason: str) -> None:
    assert classify("openai", body, status=status).reason == reason


def test_the_message_is_the_providers_own_one_line_and_bounded() -> None:
    assert (
        classify("ollama", {"error": "model\n'x' \x1b[31mnot found"}, status=404).message
        == "ollama: model 'x' not found"
    )
    long = classify("openai", said(message="x" * 10_000), status=400).message
    assert len(long) <= MAX_MESSAGE + len("openai: ")
    assert classify("openai", "<html>...", status=502).message == "openai: failed with HTTP status 502"


def test_a_key_that_the_server_quotes_is_hidden() -> None:
    error = classify("openai", said(message="Incorrect API key provided: sk-proj-abc***xyz. See"), status=401)
    assert "sk-" not in error.message
    assert "[key]" in error.message


def test_a_none_in_words_is_no_code() -> None:
    assert classify("openai", said(type="None", code="500", message="x"), status=500).code == "server_error"


def test_the_finest_code_and_the_request_id_are_kept() -> None:
    body = {**said(type="rate_limit_error", details={"error_code": "Enforced_Spend_Limit_Reached"}), "request_id": "b"}
    error = classify("anthropic", body, status=429, headers={"request-id": "h"})
    assert (error.provider_code, error.request_id) == ("enforced_spend_limit_reached", "h")
    assert classify("anthropic", body).request_id == "b"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "1.5", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Fri, 20 Nov 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Fri, 20 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        # litellm keeps these for itself, and says nothing of its own
        (
            {
                "llm_provider-retry-after": "1",
                "llm_provider-x-ratelimit-reset-tokens": "6m0s",
                "llm_provider-x-ratelimit-remaining-tokens": "0",
            },
            1,
        ),
        ({"llm_provider-retry-after-ms": "250", "retry-after": "2"}, 2),
        ({"x-ratelimit-reset-tokens": "6m0.5s", "x-ratelimit-remaining-tokens": "0"}, 360.5),
        ({"x-ratelimit-reset-requests": "20ms", "x-ratelimit-remaining-requests": "0"}, 0.02),
        ({"x-ratelimit-reset-requests": "20s", "x-ratelimit-remaining-requests": "3"}, None),
        (
            {
                "anthropic-ratelimit-input-tokens-reset": "2026-11-20T12:00:09Z",
                "anthropic-ratelimit-input-tokens-remaining": "0",
            },
            9,
        ),
        ({"anthropic-ratelimit-requests-reset": "then", "anthropic-ratelimit-requests-remaining": "0"}, None),
        ({"anthropic-ratelimit-requests-reset": "2026-11-20", "anthropic-ratelimit-requests-remaining": "0"}, None),
    ],
)
def test_the_wait_a_server_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=NOW) == (None if seconds is None else pytest.approx(seconds))


class APIConnectionError(Exception):
    """As both SDKs call it."""


def wrapped(cause: Exception) -> Exception:
    error = APIConnectionError("Connection error.")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "reason", "code"),
    [
        (httpx2.ReadTimeout("x"), "timeout", "timeout"),
        (wrapped(httpx2.ConnectTimeout("x")), "timeout", "connect_timeout"),
        (TimeoutError(), "timeout", "timeout"),
        (httpx2.RemoteProtocolError("peer closed"), "connection", "disconnected"),
        (httpx2.ReadError(""), "connection", "disconnected"),
        (wrapped(httpx2.ConnectError("refused")), "connection", "connect_failed"),
        (ConnectionResetError(), "connection", "disconnected"),
        (h11.RemoteProtocolError("illegal status line"), "connection", "disconnected"),
        (ConnectError("refused"), "connection", "connect_failed"),
        (APIConnectionError("alone"), "connection", "disconnected"),
        (wrapped(httpx2.LocalProtocolError("Illegal header value b'Bearer sk-secret'")), "auth", "bad_key"),
        (wrapped(httpx2.UnsupportedProtocol("x")), "bad_request", "bad_base_url"),
        (httpx2.InvalidURL("x"), "bad_request", "bad_base_url"),
        (httpx2.DecodingError("x"), "connection", "stream_malformed"),
        (KeyError("sk-secret"), "server_error", "unexpected"),
    ],
)
def test_an_exception_has_this_reason(error: Exception, reason: str, code: str) -> None:
    named = from_exception(error, "anthropic")
    assert (named.reason, named.code) == (reason, code)
    assert "secret" not in f"{named} {named.hint}"


def test_a_provider_error_stays_what_it_is() -> None:
    error = ProviderError("x", reason="quota")
    assert from_exception(error, "anthropic") is error
