"""The door to Anthropic: how it is closed, what a status means, and that only the config decides where it leads."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing
from typing import Any

import pytest

from finclaw_cli.core.errors import CredentialsError, ProviderError
from finclaw_cli.providers.anthropic.adapter import create
from finclaw_cli.providers.config import ProviderConfig
from tests.wire.anthropic_events import Event, begin, text
from tests.wire.anthropic_play import QUESTION, WITH_CALL
from tests.wire.server import Reply, VectorServer, anthropic_sse, json_reply
from tests.wire.transports import Configure


async def test_closing_the_stream_closes_the_connection_at_once(config: Configure) -> None:
    async with VectorServer(Reply(body=anthropic_sse([begin(), *text(0, "Hi")]), stall=True)) as server:
        provider = create(config(api_key="k", base_url=server.url))
        async with aclosing(provider.stream(QUESTION)) as stream:
            await anext(stream)
        await asyncio.wait_for(server.requests[0].left.wait(), 1)
        await provider.aclose()


async def test_cancelling_a_read_closes_the_connection_at_once(config: Configure) -> None:
    async with VectorServer(Reply(body=anthropic_sse([begin()]), stall=True)) as server:
        provider = create(config(api_key="k", base_url=server.url))
        stream = provider.stream(QUESTION)
        await anext(stream)
        reading = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.05)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await asyncio.wait_for(server.requests[0].left.wait(), 1)
        await provider.aclose()


async def test_cancelling_before_the_answer_closes_the_connection_too(config: Configure) -> None:
    async with VectorServer(Reply(wait_s=60)) as server:
        provider = create(config(api_key="k", base_url=server.url))
        reading = asyncio.ensure_future(anext(provider.stream(QUESTION)))
        await asyncio.wait_for(server.arrived.wait(), 10)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await asyncio.wait_for(server.requests[0].left.wait(), 1)
        await provider.aclose()


# --- statuses ---


def refused(kind: str, message: str = "no", **fields: Any) -> Event:
    return {"type": "error", "error": {"type": kind, "message": message, **fields}, "request_id": "req_body"}


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (429, refused("rate_limit_error"), "rate_limit"),
        (529, refused("overloaded_error"), "overloaded"),
        (503, {}, "overloaded"),
        (500, refused("api_error"), "server_error"),
        (401, refused("authentication_error"), "auth"),
        (403, refused("permission_error"), "auth"),
        (402, refused("billing_error"), "quota"),
        (429, refused("rate_limit_error", details={"error_code": "enforced_spend_limit_reached"}), "quota"),
        (400, refused("invalid_request_error", "Your credit balance is too low to access the API"), "quota"),
        (400, refused("invalid_request_error", "prompt is too long: 210000 > 200000"), "context_exceeded"),
        (400, refused("invalid_request_error", "messages: at least one"), "bad_request"),
        (404, refused("not_found_error", "model: claude-9"), "bad_request"),
        (413, refused("request_too_large"), "context_exceeded"),
    ],
)
async def test_a_status_is_classified_after_one_attempt(
    status: int, body: Event, reason: str, config: Configure
) -> None:
    async with VectorServer(json_reply(body, status=status, headers={"retry-after": "7"})) as server:
        provider = create(config(api_key="sk-ant-secret", base_url=server.url))
        with pytest.raises(ProviderError) as caught:
            await anext(provider.stream(QUESTION))
        await provider.aclose()
    error = caught.value
    assert len(server.requests) == 1
    assert (error.reason, error.status, error.provider) == (reason, status, "anthropic")
    assert error.retry_after_s == 7
    assert "sk-ant" not in f"{error} {error.hint}"


async def test_an_unreachable_server_is_a_connection_error_with_a_hint(config: Configure) -> None:
    provider = create(config(api_key="k", base_url="http://127.0.0.1:9"))
    with pytest.raises(ProviderError) as caught:
        await anext(provider.stream(QUESTION))
    await provider.aclose()
    assert (caught.value.reason, caught.value.code) == ("connection", "connect_failed")
    assert "--base-url" in str(caught.value.hint)


@pytest.mark.parametrize("key", ["sk-ant-secret\nX", "sk-ant-sécret", "“sk-ant-secret”", "sk-ant\x00"])
async def test_a_key_that_cannot_be_sent_is_neither_sent_nor_quoted(config: Configure, key: str) -> None:
    async with VectorServer(Reply()) as server:
        provider = create(config(api_key=key, base_url=server.url))
        with pytest.raises(ProviderError) as caught:
            await anext(provider.stream(QUESTION))
        await provider.aclose()
        assert server.requests == []
    assert (caught.value.reason, caught.value.code) == ("auth", "bad_key")
    assert "sk-ant" not in f"{caught.value} {caught.value.hint}"


async def test_an_address_without_a_scheme_is_a_bad_request(config: Configure) -> None:
    provider = create(config(api_key="k", base_url="localhost:1234"))
    with pytest.raises(ProviderError) as caught:
        await anext(provider.stream(QUESTION))
    await provider.aclose()
    assert caught.value.reason == "bad_request"


# --- the door ---


def test_without_a_key_nothing_is_imported_or_sent() -> None:
    with pytest.raises(CredentialsError) as caught:
        create(ProviderConfig())
    assert "ANTHROPIC_API_KEY" in str(caught.value.hint)


def test_the_adapter_does_not_import_the_sdk_until_it_is_used() -> None:
    import subprocess

    code = "import sys, finclaw_cli.providers.anthropic.adapter; print({'anthropic', 'httpx2'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


async def test_the_environment_does_not_move_the_address_or_the_key(
    monkeypatch: pytest.MonkeyPatch, config: Configure
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "other")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another")
    async with VectorServer(Reply(body=WITH_CALL)) as server:
        for chosen in (
            config(api_key="mine", base_url=f"{server.url}/v1/"),
            config(base_url=server.url),
        ):
            provider = create(chosen)
            assert [chunk async for chunk in provider.stream(QUESTION)]
            await provider.aclose()
    assert [seen.path for seen in server.requests] == ["/v1/messages"] * 2
    assert [seen.headers["authorization"] for seen in server.requests] == ["Bearer mine", "Bearer no-key"]
