"""Servers that answer before the question is whole, or will not have it: by either transport."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.messages import Message
from finclaw_cli.providers.anthropic.adapter import create
from tests.e2e.certificates import HAS_OPENSSL, Certificates, make_certificates
from tests.e2e.listeners import listening
from tests.wire.anthropic_events import begin, end, text
from tests.wire.openai_turns import QUESTION, ask, read
from tests.wire.server import anthropic_sse
from tests.wire.transports import Configure

# More than any system keeps for a reader that does not read.
LARGE = replace(QUESTION, messages=(Message("user", "x" * 20_000_000),))
SAID = b'{"error":{"type":"request_too_large","message":"at most 1 MB"}}'
REFUSAL = b"HTTP/1.1 413 Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(SAID),
    SAID,
)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
EVENTS = anthropic_sse([begin(), *text(0, "Hi"), *end()])
LONGEST_S = 30  # for whoever waits for what never comes
Serve = Callable[[socket.socket], None]


def to_the_blank_line(client: socket.socket) -> None:
    while b"\r\n\r\n" not in client.recv(65536):
        pass


def refuse_and_reset(client: socket.socket) -> None:
    with client:
        to_the_blank_line(client)
        client.sendall(REFUSAL)


def refuse_and_wait(over: threading.Event, client: socket.socket) -> None:
    with client:
        to_the_blank_line(client)
        client.sendall(REFUSAL)
        over.wait()


def reset(client: socket.socket) -> None:
    to_the_blank_line(client)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def begin_then_read(client: socket.socket) -> None:
    with client, contextlib.suppress(OSError):
        to_the_blank_line(client)
        client.sendall(HEAD + EVENTS[:50])
        while not client.recv(1 << 20).endswith(b"}"):
            pass
        client.sendall(EVENTS[50:])


def answer_then_wait(over: threading.Event, client: socket.socket) -> None:
    with client:
        to_the_blank_line(client)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(EVENTS), EVENTS))
        over.wait()


def never_read(client: socket.socket) -> None:
    with client, contextlib.suppress(OSError):
        to_the_blank_line(client)
        client.sendall(HEAD)
        while True:
            client.sendall(b": hello\n\n" * 10_000)


@pytest.fixture(params=["http", pytest.param("https", marks=pytest.mark.skipif(not HAS_OPENSSL, reason="openssl"))])
def certificates(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Certificates | None:
    if request.param == "http":
        return None
    made = make_certificates(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
    return made


@contextlib.contextmanager
def served(serve: Serve, certificates: Certificates | None) -> Iterator[str]:
    def encrypted(client: socket.socket) -> None:
        assert certificates is not None
        serve(certificates.server.wrap_socket(client, server_side=True))

    with listening(encrypted if certificates else serve) as port:
        yield f"http{'s' if certificates else ''}://127.0.0.1:{port}"


async def answered(url: str, config: Configure) -> str:
    provider = create(config(base_url=url))
    try:
        async with asyncio.timeout(LONGEST_S):
            return read(await ask(provider, LARGE)).text
    finally:
        await provider.aclose()


@pytest.mark.parametrize("stays", [True, False], ids=["stays", "leaves"])
async def test_a_refusal_before_the_question_was_read_is_told_as_what_it_is(
    config: Configure, certificates: Certificates | None, *, stays: bool
) -> None:
    over = threading.Event()
    serve = partial(refuse_and_wait, over) if stays else refuse_and_reset
    with served(serve, certificates) as url, pytest.raises(ProviderError, match="at most 1 MB") as caught:
        await answered(url, config)
    over.set()
    assert (caught.value.status, caught.value.provider_code) == (413, "request_too_large")
    assert not caught.value.retryable


async def test_a_reset_before_the_question_was_read_is_told_as_one(
    config: Configure, certificates: Certificates | None
) -> None:
    with served(reset, certificates) as url, pytest.raises(ProviderError, match="Connection reset by peer") as caught:
        await answered(url, config)
    assert caught.value.code == "disconnected"


async def test_an_answer_may_begin_before_the_question_was_read(
    config: Configure, certificates: Certificates | None
) -> None:
    with served(begin_then_read, certificates) as url:
        assert await answered(url, config) == "Hi"


async def test_a_whole_answer_is_taken_although_the_question_was_never_read(
    config: Configure, certificates: Certificates | None
) -> None:
    over = threading.Event()
    with served(partial(answer_then_wait, over), certificates) as url:
        assert await answered(url, config) == "Hi"
    over.set()


async def test_a_server_that_talks_and_does_not_read_is_given_up(
    config: Configure, certificates: Certificates | None
) -> None:
    with served(never_read, certificates) as url, pytest.raises(ProviderError) as caught:
        await answered(url, config)
    assert caught.value.code == "disconnected"
