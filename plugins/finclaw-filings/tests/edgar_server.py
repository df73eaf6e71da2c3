"""A loopback server that answers as EDGAR does, and can be told to fail as EDGAR and networks do."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = "<html><body>Request Rate Threshold Exceeded</body></html>"
OTHER_PAGE = "<html><body>We are sorry</body></html>"


class Edgar:
    """The files by path, how to misbehave, and what was asked by whom."""

    def __init__(self) -> None:
        self.files: dict[str, object] = {}
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.agents: set[str | None] = set()
        self.url = ""
        self.over = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    edgar: Edgar

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self.edgar.asked.append(self.path)
        self.edgar.agents.add(self.headers["User-Agent"])
        found = self.edgar.files.get(self.path)
        body = found if isinstance(found, bytes) else (found if isinstance(found, str) else json.dumps(found)).encode()
        kind = "application/json" if self.path.endswith(".json") else "text/html"
        if self.edgar.faults:
            return self.fault(self.edgar.faults.pop(0), body)
        if found is None:
            return self.send(404, b"<html>NoSuchKey</html>", "application/xml")
        return self.send(200, body, kind)

    def fault(self, what: str, body: bytes) -> None:
        faults: dict[str, Callable[[], None]] = {
            "429": lambda: self.send(429, PAGE.encode(), "text/html", Retry_After="77"),
            "403-page": lambda: self.send(403, PAGE.encode(), "text/html"),
            "200-refusal": lambda: self.send(200, PAGE.encode(), "text/html"),
            "200-page": lambda: self.send(200, OTHER_PAGE.encode(), "text/html"),
            "page-as-json": lambda: self.send(200, OTHER_PAGE.encode(), "application/json"),
            "cut-json": lambda: self.send(200, body[:-9], "application/json"),
            "cut-off": lambda: self.send(200, body[:-9], "application/json", len(body)),
            "empty": lambda: self.send(200, b"", "application/json"),
            "redirect": lambda: self.send(302, b"", "text/html", Location="/elsewhere.json"),
            "503": lambda: self.send(503, OTHER_PAGE.encode(), "text/html"),
            "not-gzip": lambda: self.send(200, b"plain", "application/json", Content_Encoding="gzip"),
            "stacked": lambda: self.send(200, b"plain", "application/json", Content_Encoding="gzip, gzip"),
            "drip": self.drip,
            "other-json": lambda: self.send(200, b'{"message": "hello"}', "application/json"),
        }
        faults[what]()

    def drip(self) -> None:
        """Headers without end, one after the other, none of them late."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not self.edgar.over.wait(0.02):
            self.wfile.write(b"X-More: 1\r\n")

    def send(self, status: int, content: bytes, kind: str, length: int | None = None, **more: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True


@contextmanager
def edgar_server() -> Iterator[Edgar]:
    edgar = Edgar()
    handler = type("Handler", (_Handler,), {"edgar": edgar})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that left
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    edgar.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield edgar
    finally:
        edgar.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
