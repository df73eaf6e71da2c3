"""A broker on loopback that takes orders in the ways in which brokers fail, and counts what it has filled."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, get_args

Manner = Literal[
    "accepts", "refuses", "answers late", "fills late", "drops the answer", "drops the order", "repeats", "hangs"
]
MANNERS: tuple[Manner, ...] = get_args(Manner)
LATE_S = 0.4
"""Longer than the test plugin waits for an answer, shorter than it waits for an order to become known."""


class Broker:
    """Fills each order when it is posted, at once or late; `fills` counts them by their keys.

    With `deduplicates` a key that is known is answered with its order, and nothing is filled again: what a tool that
    declares `idempotent` relies on. Without, every post is a new fill.
    """

    def __init__(self) -> None:
        self.manner: Manner = "accepts"
        self.deduplicates = True
        self.fills: Counter[str] = Counter()
        self.posts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._over = threading.Event()
        """Set when nothing is waited for any more."""
        self._late = list[threading.Thread]()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, name="broker", daemon=True).start()

    def begin(self, manner: Manner, *, deduplicates: bool) -> None:
        """Start over with another manner, once nothing is under way any more."""
        self.wait()
        self._over = threading.Event()
        self.manner, self.deduplicates = manner, deduplicates
        self.fills.clear()
        self.posts.clear()

    def wait(self) -> None:
        """Wait for what is filled late; let go of what hangs."""
        self._over.set()
        for thread in self._late:
            thread.join()
        self._late.clear()

    def close(self) -> None:
        self.wait()
        self._server.shutdown()
        self._server.server_close()

    def post(self, key: str) -> tuple[int, dict[str, object]] | None:
        """The answer to an order; None where there is none."""
        with self._lock:
            is_first = not self.posts
            self.posts[key] += 1
        match self.manner if is_first else "accepts":
            case "refuses":
                return 422, {"error": "no cash"}
            case "drops the order":
                return None
            case "drops the answer":
                self._fill(key)
                return None
            case "answers late":
                answer = self._fill(key)
                time.sleep(LATE_S)  # the broker's own time, which no assertion waits for
                return answer
            case "hangs":
                self._fill(key)
                self._over.wait(60)
                return None
            case "fills late":
                late = threading.Timer(LATE_S, self._fill, (key,))
                self._late.append(late)
                late.start()
                return None
            case "repeats":  # a gateway posted it before
                self._fill(key)
                return 409, {"status": "filled before"}
            case _:
                return self._fill(key)

    def known(self, key: str) -> bool:
        with self._lock:
            return self.fills[key] > 0

    def _fill(self, key: str) -> tuple[int, dict[str, object]]:
        with self._lock:
            if not (self.deduplicates and self.fills[key]):
                self.fills[key] += 1
            return 200, {"status": "filled"}


def _handler(broker: Broker) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = broker.post(body["key"])
            if answer is None:
                self.close_connection = True
            else:
                self._answer(*answer)

        def do_GET(self) -> None:
            key = self.path.rpartition("/")[2]
            self._answer(*((200, {"status": "filled"}) if broker.known(key) else (404, {})))

        def _answer(self, status: int, body: dict[str, object]) -> None:
            content = json.dumps(body).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                self.close_connection = True  # the process that asked was killed

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    return Handler
