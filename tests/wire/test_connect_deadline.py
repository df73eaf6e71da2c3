"""Connecting has one deadline, from the look-up of the name to the end of the handshake; what was never sent is free."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.providers.anthropic.adapter import create
from finclaw_cli.providers.config import ProviderConfig
from tests.e2e.listeners import listening
from tests.wire.openai_turns import ask
from tests.wire.transports import Configure

LIMIT_S = 0.5
FAR_S = 30.0
"""So long would it take if each read had the time for itself."""


@pytest.fixture
def dripping() -> Iterator[int]:
    """The port of a server that sends a handshake byte by byte, each in time."""
    over = threading.Event()

    def serve(client: socket.socket) -> None:
        record = b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03" + b"\x00" * 16_000
        with client:
            for byte in record:
                if over.wait(LIMIT_S / 5):
                    return
                try:
                    client.sendall(bytes([byte]))
                except OSError:
                    return

    with listening(serve) as port:
        yield port
        over.set()


async def refused(config: ProviderConfig) -> ProviderError:
    """The error of a request, which comes long before `FAR_S`."""
    provider = create(config)
    provider.prepare()
    with pytest.raises(ProviderError) as caught:
        async with asyncio.timeout(FAR_S):
            await ask(provider)
    await provider.aclose()
    return caught.value


async def test_a_handshake_that_drips_ends_with_the_deadline(dripping: int, config: Configure) -> None:
    error = await refused(config(base_url=f"https://127.0.0.1:{dripping}", connect_timeout_s=LIMIT_S))
    assert (error.code, error.reason) == ("connect_timeout", "timeout")


async def test_the_look_up_of_a_name_counts(monkeypatch: pytest.MonkeyPatch, config: Configure) -> None:
    asked, over = threading.Event(), threading.Event()

    def look_up(*_: object, **__: object) -> list[object]:
        asked.set()
        over.wait(FAR_S)
        raise socket.gaierror("too late")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    error = await refused(config(base_url="http://slow.example.test", connect_timeout_s=LIMIT_S))
    over.set()
    assert asked.is_set()
    assert error.code == "connect_timeout"


async def test_after_the_deadline_nothing_is_connected_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    over, connections = threading.Event(), list[socket.socket]()
    resolve = socket.getaddrinfo
    serve = connections.append

    def look_up(*arguments: object, **options: object) -> object:
        over.wait(FAR_S)
        return resolve(*arguments, **options)  # type: ignore[arg-type]

    with listening(serve) as port:
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        error = await refused(ProviderConfig(base_url=f"http://127.0.0.1:{port}", connect_timeout_s=LIMIT_S))
        late = [thread for thread in threading.enumerate() if thread.name == "finclaw-connecting"]
        over.set()
        for thread in late:
            thread.join()
    assert (error.code, connections, len(late) > 0) == ("connect_timeout", [], True)


@pytest.mark.parametrize("host", ["user:word@127.0.0.1", "user@127.0.0.1", ":word@127.0.0.1"])
async def test_an_address_with_credentials_is_refused_before_anything_is_sent(host: str, config: Configure) -> None:
    received: list[bytes] = []

    def serve(client: socket.socket) -> None:
        with client:
            received.append(client.recv(65_536))

    with listening(serve) as port:
        error = await refused(config(base_url=f"http://{host}:{port}"))
    assert (error.code, error.retryable, received) == ("bad_base_url", False, [])
    assert "word" not in str(error).replace("password", "")
