"""When a run connects, and what ends it while it does: the same by either transport where both take part."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.e2e.certificates import Certificates
from tests.e2e.dialects import Anthropic
from tests.e2e.either_way import each_transport, with_tls
from tests.e2e.harness import Finclaw, wait_until
from tests.e2e.listeners import answering, listening
from tests.e2e.over import over
from tests.wire.server import threaded

pytestmark = pytest.mark.by_agent

DIALECT = Anthropic()
EVENTS = [event + b"\n\n" for event in DIALECT.text("word ").body.split(b"\n\n")]
BEGINNING, DELTA = b"".join(EVENTS[:2]), EVENTS[2]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


@pytest.fixture
def silence() -> Iterator[tuple[int, threading.Event]]:
    """A port whose server accepts connections and sends nothing; and whether one was accepted."""
    taken, over_now = threading.Event(), threading.Event()

    def keep(client: socket.socket) -> None:
        with client:
            taken.set()
            over_now.wait(60)

    with listening(keep) as port:
        yield port, taken
        over_now.set()


def flood(piece: bytes, head: bytes, client: socket.socket) -> None:
    """As much of it as the other side takes, and more."""
    with client, contextlib.suppress(OSError):
        client.recv(65536)
        client.sendall(head)
        while True:
            client.sendall(piece)


def asking(url: str) -> tuple[str, ...]:
    return ("run", "-o", "ndjson", "-m", DIALECT.model, "--base-url", url, "--retry-attempts", "1", "Hello?")


def test_a_run_that_cannot_begin_connects_to_nobody(finclaw: Finclaw) -> None:
    with threaded(DIALECT.text("hi")) as server:
        ran = finclaw(*asking(server.url), "--approval", "nobody")
        assert ran.code == 2
        assert server.connections == 0


@with_tls
@each_transport
def test_turns_share_an_encrypted_connection_whatever_their_length(
    finclaw: Finclaw, transport: Any, certificates: Certificates
) -> None:
    words = " ".join(str(number) for number in range(150_000))
    turns = (DIALECT.calls(("call_1", "price", {"symbol": "ACME"})), DIALECT.text(words))
    with threaded(*(replace(turn, keep_alive=True) for turn in turns), tls=certificates.server) as server:
        trusting = {"SSL_CERT_FILE": str(certificates.authority)}
        ran = over(transport, finclaw)(*asking(server.url), "-o", "text", env=trusting)
    assert ran.stdout.decode() == words + "\n"
    assert (len(server.requests), server.connections) == (2, 1)


@each_transport
def test_what_is_said_before_the_answer_is_none(finclaw: Finclaw, transport: Any) -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
    with answering(hints + HEAD + DIALECT.text("hi").body) as port:
        ran = over(transport, finclaw)(*asking(f"http://127.0.0.1:{port}"))
    assert (ran.code, ran.result["text"]) == (0, "hi")


@each_transport
@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.7\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=["nothing", "another protocol", "no HTTP", "an endless head", "two lengths", "no chunk"],
)
def test_an_answer_that_is_no_http_is_a_broken_connection(finclaw: Finclaw, transport: Any, words: bytes) -> None:
    with answering(words) as port:
        ran = over(transport, finclaw)(*asking(f"http://127.0.0.1:{port}"))
    assert (ran.code, ran.result["error"]["code"]) == (4, "disconnected")


@each_transport
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_ctrl_c_ends_a_run_that_waits_for_a_connection_or_an_answer(
    finclaw: Finclaw, transport: Any, scheme: str, silence: tuple[int, threading.Event]
) -> None:
    port, taken = silence
    process = over(transport, finclaw).start(*asking(f"{scheme}://127.0.0.1:{port}"))
    assert taken.wait(30)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT


@each_transport
@pytest.mark.parametrize("piece", [b": ping\n\n" * 5_000, DELTA * 500], ids=["comments", "words"])
def test_a_server_that_never_pauses_keeps_nobody_from_ending_the_run(
    finclaw: Finclaw, transport: Any, piece: bytes
) -> None:
    said = finclaw.cwd / "said"
    with listening(partial(flood, piece, HEAD + BEGINNING)) as port, said.open("wb") as stdout:
        command = over(transport, finclaw)
        process = command.start(*asking(f"http://127.0.0.1:{port}"), stdout=stdout)
        wait_until(lambda: b"agent.turn_start" in said.read_bytes())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == -signal.SIGINT
        assert command(*asking(f"http://127.0.0.1:{port}"), "--timeout", "1", "--no-deltas").code == 124


@each_transport
def test_a_server_that_only_announces_its_answer_is_given_up(finclaw: Finclaw, transport: Any) -> None:
    with listening(partial(flood, b"HTTP/1.1 100 Continue\r\n\r\n" * 100, b"")) as port:
        ran = over(transport, finclaw)(*asking(f"http://127.0.0.1:{port}"), "--first-chunk-timeout", "2")
    assert ran.code == 4


@pytest.mark.parametrize("behind", ["?api-version=1", "#part"])
def test_an_address_to_which_no_path_can_be_added_is_refused(finclaw: Finclaw, behind: str) -> None:
    with threaded(DIALECT.text("hi")) as server:
        ran = finclaw(*asking(f"{server.url}/v1{behind}"))
        assert (ran.code, ran.result["error"]["code"]) == (2, "bad_address")
        assert server.connections == 0
