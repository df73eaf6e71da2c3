"""Servers at an address of this machine, for tests: one of the official SDK, and one that answers as it is given."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations


def application(seen: list[dict[str, str]], *, calls: int = HTTPStatus.OK) -> Any:
    """A server with one tool; the headers of each request are put into `seen`, calls of the tool have that status."""
    server = MCPServer("web")

    @server.tool(annotations=ToolAnnotations(read_only_hint=True))
    def echo(text: str = "") -> str:
        """Answers with the text."""
        return text

    inner = server.streamable_http_app()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            seen.append({name.decode(): value.decode() for name, value in scope["headers"]})
        if calls != HTTPStatus.OK and scope["type"] == "http" and scope["method"] == "POST":
            message = await receive()
            if b'"tools/call"' in message["body"]:
                await send({"type": "http.response.start", "status": calls, "headers": []})
                await send({"type": "http.response.body", "body": b"failed"})
                return
            await inner(scope, _first(message, receive), send)
        else:
            await inner(scope, receive, send)

    return app


def _first(message: Any, receive: Any) -> Any:
    """Gives a message that was taken, and then those that follow it."""
    waiting = [message]

    async def take() -> Any:
        return waiting.pop() if waiting else await receive()

    return take


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of the application's endpoint."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        config = uvicorn.Config(app, log_level="critical", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.should_exit = True
            thread.join()


class _Joined(ThreadingHTTPServer):
    """Waits for its connections when it is closed."""

    daemon_threads = False


@contextmanager
def answering(status: int, headers: dict[str, str], body: bytes) -> Iterator[tuple[str, list[str]]]:
    """The address of a server with one answer for all requests, and the paths that were asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            paths.append(self.path)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_DELETE = do_POST  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = _Joined(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp", paths
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
