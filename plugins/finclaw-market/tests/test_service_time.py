"""A question to a service has one time limit for all of it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from finclaw_cli.sdk import ToolError
from finclaw_market import service

LIMIT_S = 0.5


@pytest.fixture
def dripping() -> Iterator[str]:
    """The address of a server that sends a header byte by byte, each in time."""
    over = threading.Event()

    def serve(server: socket.socket) -> None:
        client, _ = server.accept()
        with client:
            client.recv(65_536)
            for byte in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000:
                if over.wait(LIMIT_S / 5):
                    return
                try:
                    client.sendall(bytes([byte]))
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=(server,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        over.set()
        thread.join()


def test_a_head_that_drips_ends_with_the_time_limit(
    dripping: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "TIMEOUT_S", LIMIT_S)
    with pytest.raises(ToolError, match="NO_DATA: Acme gave no whole answer within"):
        service.Service(name="Acme", base=dripping, home=tmp_path).ask("/", {})
