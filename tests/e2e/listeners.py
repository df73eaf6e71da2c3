"""Listeners on loopback that are no HTTP servers: a proxy that makes tunnels, and whoever knows one answer only."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial


@dataclass
class Tunnels:
    url: str
    asked: list[str]
    """The first line of each request."""


@contextlib.contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """Give each connection to `serve`, in a thread of its own; the port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_accept, args=(server, serve), daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def answering(words: bytes) -> Iterator[int]:
    """Whatever comes, these words are the answer."""

    def answer(client: socket.socket) -> None:
        with client:
            client.recv(65536)
            client.sendall(words)

    with listening(answer) as port:
        yield port


@contextlib.contextmanager
def tunnelling(port: int) -> Iterator[Tunnels]:
    """A proxy whose tunnels all lead to one port, whatever host it is asked for."""
    asked: list[str] = []
    with listening(partial(_tunnel, asked, port)) as own:
        yield Tunnels(f"http://127.0.0.1:{own}", asked)


def _accept(server: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    while True:
        try:
            client, _ = server.accept()
        except OSError:  # it was shut down
            return
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what is said is sent, also before a reset
        threading.Thread(target=serve, args=(client,), daemon=True).start()


def _tunnel(asked: list[str], port: int, client: socket.socket) -> None:
    with client, contextlib.suppress(OSError):
        head = b""
        while b"\r\n\r\n" not in head:
            if not (piece := client.recv(1)):
                return
            head += piece
        asked.append(head.decode().partition("\r\n")[0])
        with socket.create_connection(("127.0.0.1", port)) as server:
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            back = threading.Thread(target=_pump, args=(server, client), daemon=True)
            back.start()
            _pump(client, server)
            back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
