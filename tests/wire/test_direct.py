"""What the direct transport does by itself: it connects before it is asked, and leaves odd addresses to httpx2."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.http.h11_client import is_plain
from finclaw_cli.providers.anthropic.adapter import AnthropicProfile, create
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.wire import WireProvider
from tests.e2e.certificates import HAS_OPENSSL, make_certificates
from tests.e2e.listeners import listening
from tests.wire.anthropic_events import begin, end, text
from tests.wire.openai_turns import QUESTION, ask, read
from tests.wire.server import Reply, VectorServer, anthropic_sse
from tests.wire.transports import Configure

ANSWER = anthropic_sse([begin(), *text(0, "Hi"), *end()])
PLAIN = (
    "https://api.anthropic.com/v1/messages",
    "http://127.0.0.1:11434/v1/chat/completions",
    "http://[::1]:9/v1",
    "https://a_b.example.test:8443",
    "https://example.test/deployments/gpt~4;x=1/chat?api-version=2026-01-01&a=%20",
)
NOT_PLAIN = (
    "https://user:word@example.test/v1",
    "https://bücher.example/v1",
    "https://example.test/a b",
    "https://example.test/a/../b",
    "https://example.test/./b",
    "https://example.test/ü",
    "https://example.test/a#part",
    "http://[fe80::1%25eth0]/v1",
    "https://example.test/\r\nHost: elsewhere",
    "https://example.test/v1\n",
    "ftp://example.test/v1",
    "https://.example.test/v1",
)


def provider_of(server: VectorServer, config: Configure = ProviderConfig) -> WireProvider[AnthropicProfile]:
    return create(config(base_url=server.url))


async def test_the_connection_stands_before_the_first_request() -> None:
    async with VectorServer(Reply(body=ANSWER)) as server:
        provider = create(ProviderConfig(base_url=server.url))
        provider.prepare()
        await asyncio.wait_for(server.connected.wait(), 5)
        assert server.requests == []
        assert read(await ask(provider)).text == "Hi"
        await provider.aclose()
        assert (server.connections, len(server.requests)) == (1, 1)


async def test_a_connection_that_nobody_used_is_closed() -> None:
    async with VectorServer(Reply(body=ANSWER)) as server:
        provider = create(ProviderConfig(base_url=server.url))
        provider.prepare()
        await provider.aclose()
        await asyncio.wait_for(server.connected.wait(), 5)
        await asyncio.wait_for(server.closed(), 5)
        assert server.requests == []


async def test_the_first_request_tells_why_there_is_no_connection() -> None:
    provider = create(ProviderConfig(base_url="http://127.0.0.1:9"))
    provider.prepare()
    for _ in range(2):
        with pytest.raises(ProviderError, match="Connection refused") as caught:
            await anext(provider.stream(QUESTION))
        assert caught.value.code == "connect_failed"
    await provider.aclose()


async def test_an_attempt_that_was_given_up_leaves_its_connection_to_nobody() -> None:
    over, calls = threading.Event(), iter((True, False))

    def serve(client: socket.socket) -> None:
        if next(calls, False):
            over.wait(60)  # a handshake that never comes
        else:
            client.sendall(b"no handshake")
        client.close()

    with listening(serve) as port:
        provider = create(ProviderConfig(base_url=f"https://127.0.0.1:{port}"))
        provider.prepare()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await ask(provider)
        with pytest.raises(ProviderError, match="SSL"):
            await ask(provider)
        await provider.aclose()
        over.set()


@pytest.mark.parametrize("host", ["a..b", "a" * 64, "nowhere.invalid"])
async def test_a_name_that_nobody_can_have_is_a_connection_that_failed(host: str) -> None:
    provider = create(ProviderConfig(base_url=f"http://{host}"))
    with pytest.raises(ProviderError) as caught:
        await anext(provider.stream(QUESTION))
    await provider.aclose()
    assert caught.value.code == "connect_failed"


async def test_requests_at_the_same_time_have_connections_of_their_own(config: Configure) -> None:
    async with VectorServer(Reply(body=ANSWER, keep_alive=True, wait_s=0.05)) as server:
        provider = provider_of(server, config)
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(ask(provider)) for _ in range(3)]
        assert [read(turn.result()).text for turn in asked] == ["Hi"] * 3
        await ask(provider)
        await provider.aclose()
        assert server.connections == 3


async def test_a_name_with_several_addresses_is_reached_by_the_one_that_answers(config: Configure) -> None:
    async with VectorServer(Reply(body=ANSWER)) as server:
        provider = create(config(base_url=f"http://localhost:{server.port}"))
        assert read(await ask(provider)).text == "Hi"
        await provider.aclose()


class Talkative(VectorServer):
    """Gives another answer with each, which nobody has asked for."""

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Reply:
        reply = await super()._exchange(reader, writer)
        evil = replace(reply, body=reply.body.replace(b"Hi", b"Evil"))
        writer.write(evil.head() + evil.frame(evil.body) + b"0\r\n\r\n")
        await writer.drain()
        return reply


async def test_an_answer_that_nobody_asked_for_is_not_the_next_ones(config: Configure) -> None:
    async with Talkative(Reply(body=ANSWER, keep_alive=True)) as server:
        provider = provider_of(server, config)
        for _ in range(3):
            assert read(await ask(provider)).text == "Hi"
        await provider.aclose()
        assert server.connections == 3


class Hasty(VectorServer):
    """Closes its first connection as soon as it stands."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.connections == 0:
            self.connections += 1
            self.connected.set()
        else:
            await super()._serve(reader, writer)


@pytest.mark.skipif(not HAS_OPENSSL, reason="openssl makes the certificates")
@pytest.mark.parametrize("is_encrypted", [True, False], ids=["encrypted", "plain"])
async def test_an_early_connection_that_the_server_has_closed_is_no_failed_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_encrypted: bool
) -> None:
    certificates = make_certificates(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.authority))
    async with Hasty(Reply(body=ANSWER), tls=certificates.server if is_encrypted else None) as server:
        provider = create(ProviderConfig(base_url=server.url))
        provider.prepare()
        await asyncio.wait_for(server.connected.wait(), 5)
        await server.closed()
        assert read(await ask(provider)).text == "Hi"
        await provider.aclose()
        assert server.connections == 2


@pytest.mark.parametrize("url", PLAIN)
def test_an_address_that_is_sent_as_it_is_written_is_plain(url: str) -> None:
    assert is_plain(url)


@pytest.mark.parametrize("url", NOT_PLAIN)
def test_an_address_that_has_to_be_rewritten_is_not(url: str) -> None:
    assert not is_plain(url)


@given(st.text(st.characters(codec="utf-8"), max_size=20), st.text(st.characters(codec="utf-8"), max_size=20))
def test_no_plain_address_leads_to_another_host_or_ends_a_line(host: str, path: str) -> None:
    url = f"https://{host}/{path}"
    if is_plain(url):
        authority = re.split("[/?]", url.removeprefix("https://"))[0]
        assert urlsplit(url).netloc == authority
        assert "@" not in authority
        assert url.isascii()
        assert url.isprintable()
        assert " " not in url


@pytest.mark.parametrize(
    "path", ["/a b", "/x/../y", "/ü", "/%7Etilde", "/a;b=1", "//double", "//v1", "/v1//", "/q?x=1", "/" + "long" * 1000]
)
async def test_any_path_arrives_as_by_the_sdk(path: str) -> None:
    async with VectorServer(Reply(body=ANSWER)) as server:
        for transport in ("direct", "sdk"):
            provider = create(ProviderConfig(api_key="sk-x", base_url=f"{server.url}{path}", transport=transport))  # type: ignore[arg-type]
            await ask(provider)
            await provider.aclose()
        direct, sdk = server.requests
        assert direct.path == sdk.path
        assert direct.headers["host"] == sdk.headers["host"]


async def test_an_address_without_end_is_refused_as_by_the_sdk(config: Configure) -> None:
    provider = create(config(api_key="k", base_url="http://127.0.0.1:9/" + "x" * 70_000))
    with pytest.raises(ProviderError) as caught:
        await ask(provider)
    await provider.aclose()
    assert caught.value.code == "bad_base_url"
