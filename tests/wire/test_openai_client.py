"""What stands behind the adapters, by either transport: keys, addresses, the environment, statuses, and a connection that is closed at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from finclaw_cli.core.errors import CredentialsError, ProviderError, UsageError
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat import create_chat
from finclaw_cli.providers.openai.client import address
from finclaw_cli.providers.openai.responses import create_responses
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.openai_turns import QUESTION, ask, read
from tests.wire.server import Reply, VectorServer, json_reply
from tests.wire.transports import Configure

Create = Callable[[ProviderConfig], Provider]
BOTH = pytest.mark.parametrize(
    ("create", "endpoint", "answer"),
    [
        pytest.param(create_chat, "/chat/completions", chat.stream(chat.words("Hi"), chat.STOP), id="chat"),
        pytest.param(
            create_responses, "/responses", responses.stream(responses.text_of("Hi"), responses.over()), id="responses"
        ),
    ],
)


@BOTH
def test_without_key_and_server_nothing_is_made(create: Create, endpoint: str, answer: bytes) -> None:
    with pytest.raises(CredentialsError) as caught:
        create(ProviderConfig())
    assert "OPENAI_API_KEY" in (caught.value.hint or "")


@BOTH
async def test_our_key_and_nothing_of_the_environment_is_sent(
    create: Create, endpoint: str, answer: bytes, monkeypatch: pytest.MonkeyPatch, config: Configure
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_WEBHOOK_SECRET"):
        monkeypatch.setenv(name, "leaked")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/leaked")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer leaked")
    async with VectorServer(Reply(body=answer)) as server:
        for key, sent in (("sk-ours", "Bearer sk-ours"), (None, "Bearer no-key")):
            provider = create(config(api_key=key, base_url=f"{server.url}/v1/"))
            assert read(await ask(provider)).text == "Hi"
            await provider.aclose()
            seen = server.requests[-1]
            assert (seen.method, seen.path) == ("POST", f"/v1{endpoint}")
            assert seen.headers["authorization"] == sent
            assert "leaked" not in str(seen.headers)


@pytest.mark.parametrize(
    ("given", "used"),
    [
        (None, "https://api.openai.com/v1"),
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("http://localhost:11434/", "http://localhost:11434/v1"),
        ("https://api.groq.com/openai/v1/", "https://api.groq.com/openai/v1"),
        ("https://example.com/v1/chat/completions", "https://example.com/v1"),
        ("https://example.com/v1/responses", "https://example.com/v1"),
    ],
)
def test_an_address_is_brought_into_the_sdks_form(given: str | None, used: str) -> None:
    assert address(ProviderConfig(base_url=given)) == used


@pytest.mark.parametrize("given", ["localhost:11434", "ftp://example.com", "http://", ""])
def test_what_is_no_address_is_said_at_once(given: str) -> None:
    with pytest.raises(UsageError):
        create_chat(ProviderConfig(base_url=given))


STATUSES = [
    (429, {"code": "rate_limit_exceeded"}, "rate_limit"),
    (429, {"code": "slow_down"}, "rate_limit"),
    (429, {"code": "insufficient_quota"}, "quota"),
    (429, {"code": "credit_balance_exhausted"}, "quota"),
    (429, {"code": "organization_spend_limit_exceeded"}, "quota"),
    (429, {"code": "project_spend_limit_exceeded"}, "quota"),
    (400, {"code": "context_length_exceeded"}, "context_exceeded"),
    (400, {"code": "unsupported_value"}, "bad_request"),
    (400, {"code": "invalid_prompt"}, "refused"),
    (401, {"code": "invalid_api_key"}, "auth"),
    (403, {}, "auth"),
    (404, {"code": "model_not_found"}, "bad_request"),
    (413, {}, "context_exceeded"),
    (422, {}, "bad_request"),
    (500, {"type": "server_error"}, "server_error"),
    (503, {}, "overloaded"),
    (529, {}, "overloaded"),
]


@pytest.mark.parametrize(("status", "error", "reason"), STATUSES)
async def test_a_status_is_one_request_and_one_reason(
    status: int, error: dict[str, str], reason: str, config: Configure
) -> None:
    reply = json_reply(
        {"error": {"message": "no", **error}}, status=status, headers={"Retry-After": "7", "x-request-id": "req_1"}
    )
    async with VectorServer(reply) as server:
        provider = create_responses(config(api_key="sk-ours", base_url=server.url))
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        await provider.aclose()
    error_ = caught.value
    assert (error_.reason, error_.status, error_.provider, error_.request_id) == (reason, status, "openai", "req_1")
    assert error_.retry_after_s == 7
    assert len(server.requests) == 1


async def test_a_server_that_is_not_there_is_a_connection_error(config: Configure) -> None:
    provider = create_chat(config(base_url="http://127.0.0.1:9"))
    with pytest.raises(ProviderError) as caught:
        await ask(provider)
    assert (caught.value.reason, caught.value.code) == ("connection", "connect_failed")
    await provider.aclose()


async def test_words_that_are_no_unicode_can_be_sent(config: Configure) -> None:
    async with VectorServer(Reply(body=chat.stream(chat.words("Hi"), chat.STOP))) as server:
        provider = create_chat(config(base_url=server.url))
        await ask(provider, replace(QUESTION, messages=(Message("user", "\ud83d\ude00 \udc00"),)))
        await provider.aclose()
    assert server.bodies[0]["messages"][0]["content"] == "😀 �"


@BOTH
async def test_closing_the_generator_closes_the_connection(
    create: Create, endpoint: str, answer: bytes, capfd: pytest.CaptureFixture[str], config: Configure
) -> None:
    async with VectorServer(Reply(body=answer * 400, split="events", delay_s=0.01)) as server:
        provider = create(config(base_url=server.url))
        stream = provider.stream(QUESTION)
        await anext(stream)
        await stream.aclose()
        await asyncio.wait_for(server.requests[0].left.wait(), 1)
        await provider.aclose()
    assert capfd.readouterr().err == ""


@BOTH
async def test_cancelling_the_task_closes_the_connection(
    create: Create, endpoint: str, answer: bytes, config: Configure
) -> None:
    started = answer[: answer.index(b"\n\n", answer.index(b"Hi")) + 2]
    async with VectorServer(Reply(body=started, stall=True)) as server:
        provider = create(config(base_url=server.url))
        spoken = asyncio.Event()

        async def listen() -> None:
            async for _ in provider.stream(QUESTION):
                spoken.set()

        task = asyncio.create_task(listen())
        await spoken.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.requests[0].left.wait(), 1)
        await provider.aclose()


async def test_closing_a_provider_that_never_spoke_is_nothing() -> None:
    await create_chat(ProviderConfig(base_url="http://127.0.0.1:9")).aclose()


def test_the_sdk_is_not_imported_before_the_first_turn() -> None:
    code = (
        "import sys\n"
        "from finclaw_cli.providers.config import ProviderConfig as C\n"
        "from finclaw_cli.providers.openai.chat import create_chat\n"
        "from finclaw_cli.providers.openai.responses import create_responses\n"
        "create_chat(C(api_key='x')); create_responses(C(api_key='x'))\n"
        "assert not {'openai', 'httpx2', 'anthropic'} & set(sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
