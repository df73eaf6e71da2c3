"""A loopback server that answers as Alpaca's paper trading API does, and can be told to fail as servers do."""

from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

KEY, SECRET = "PKTESTKEY000000000001", "secretsecretsecretsecret0001"
PAGE = "<html><body>Forbidden</body></html>"


class Alpaca:
    """The broker's state, and how it is to misbehave: a fault for each coming POST, one for each coming lookup."""

    def __init__(self) -> None:
        self.orders: dict[str, dict[str, Any]] = {}
        self.posts: list[tuple[str, dict[str, str]]] = []
        self.requests: list[str] = []
        self.post_faults: list[str] = []
        self.lookup_faults: list[str] = []
        self.get_faults: list[str] = []
        self.delete_faults: list[str] = []
        self.positions: dict[str, dict[str, Any]] = {}
        self.account: dict[str, Any] = {
            "id": "e6fe16f3-64a4-4921-8928-cadf02f92f98", "account_number": "PA3ALX4NGLN0", "status": "ACTIVE",
            "currency": "USD", "cash": "100000", "buying_power": "200000", "equity": "100000.01",
            "long_market_value": "0", "pattern_day_trader": False,
        }  # fmt: skip
        self.released = threading.Event()
        self.url = ""

    def accept(self, sent: dict[str, str]) -> dict[str, Any]:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f123Z")
        empty = dict.fromkeys(
            ("filled_at", "expired_at", "canceled_at", "failed_at", "replaced_at", "replaced_by", "replaces", "notional",
             "qty", "filled_avg_price", "limit_price", "stop_price", "legs", "trail_percent", "trail_price", "hwm")
        )  # fmt: skip
        order = {
            **empty, "id": str(uuid4()), "created_at": now, "updated_at": now, "submitted_at": now,
            "asset_id": str(uuid4()), "asset_class": "us_equity", "filled_qty": "0", "order_class": "",
            "order_type": sent["type"], "status": "accepted", "extended_hours": False, **sent,
        }  # fmt: skip
        self.orders[sent["client_order_id"]] = order
        return order

    def fill(self, name: str, price: str) -> None:
        order = self.orders[name]
        order |= {"status": "filled", "filled_qty": order["qty"], "filled_avg_price": price}
        order["filled_at"] = order["submitted_at"]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    broker: Alpaca

    def log_message(self, *args: object) -> None:
        pass

    def answer(self, status: int, body: object, kind: str = "application/json; charset=UTF-8", **more: str) -> None:
        text = body if isinstance(body, str) else json.dumps(body)
        self.raw(status, text.encode(), kind, **more)

    def raw(self, status: int, content: bytes, kind: str, length: int | None = None, **more: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def reset(self) -> None:
        """Break the connection hard, as a proxy that dies does."""
        self.raw(200, b'{"id": "', "application/json", length=500)
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def fault(self, what: str, body: object) -> None:
        whole = json.dumps(body)
        faults: dict[str, Callable[[], None]] = {
            "504": lambda: self.answer(504, PAGE, "text/html"),
            "500": lambda: self.answer(500, {"code": 50010000, "message": "internal server error occurred"}),
            "401": lambda: self.answer(401, {"code": 40110000, "message": f"request is not authorized: {SECRET}"}),
            "403-page": lambda: self.answer(403, PAGE, "text/html"),
            "404-page": lambda: self.answer(404, PAGE, "text/html"),
            "429": lambda: self.answer(429, {"code": 42910000, "message": "rate limit exceeded"}, Retry_After="12"),
            "html": lambda: self.answer(200, PAGE, "text/html"),
            "truncated": lambda: self.answer(200, whole[:-20]),
            "reset": self.reset,
            "stacked": lambda: self.raw(
                200, gzip.compress(gzip.compress(whole.encode())), "application/json", Content_Encoding="gzip, gzip"
            ),
            "slow": lambda: self.broker.released.wait(10) and None,
            "huge": lambda: self.answer(200, json.dumps({"x": "y" * 6_000_000})),
            "redirect": lambda: self.answer(307, "", Location="/v2/elsewhere"),
            "nan": lambda: self.answer(200, whole.replace('"filled_qty": "0"', '"filled_qty": "NaN"')),
            "echo": lambda: self.answer(422, {"code": 42210000, "message": f"bad header {SECRET}"}),
            "power": lambda: self.answer(403, {"code": 40310000, "message": "insufficient buying power"}),
        }
        faults[what]()

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])), parse_float=Decimal)
        self.broker.requests.append("POST")
        self.broker.posts.append((self.headers["APCA-API-KEY-ID"], sent))
        fault, _, when = (self.broker.post_faults.pop(0) if self.broker.post_faults else "").partition(" ")
        if when != "after":
            if fault:
                return self.fault(fault, {})
            if sent["client_order_id"] in self.broker.orders:
                return self.answer(422, {"code": 40010001, "message": "client_order_id must be unique"})
        order = self.broker.accept(sent)
        return self.fault(fault, order) if fault else self.answer(200, order)

    def do_DELETE(self) -> None:
        own = urlsplit(self.path).path.rpartition("/")[2]
        self.broker.requests.append("DELETE")
        fault, _, when = (self.broker.delete_faults.pop(0) if self.broker.delete_faults else "").partition(" ")
        if fault and when != "after":
            return self.fault(fault, {})
        order = next(item for item in self.broker.orders.values() if item["id"] == own)
        if order["status"] == "filled":
            return self.answer(422, {"code": 42210000, "message": 'order is already in "filled" state'})
        order["status"] = "canceled"
        if fault:
            return self.fault(fault, {})
        self.send_response(204)
        self.end_headers()
        return None

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.broker.requests.append(f"GET {parts.path}")
        if parts.path == "/v2/orders:by_client_order_id":
            fault = self.broker.lookup_faults.pop(0) if self.broker.lookup_faults else ""
            order = self.broker.orders.get(asked["client_order_id"])
            missing = {"code": 40410000, "message": f"order not found for {asked['client_order_id']}"}
            if fault == "missing" or (not fault and order is None):
                return self.answer(404, missing)
            return self.fault(fault, order) if fault else self.answer(200, order)
        if self.broker.get_faults:
            return self.fault(self.broker.get_faults.pop(0), {})
        return self.page(parts.path, asked)

    def page(self, path: str, asked: dict[str, str]) -> None:
        if path == "/v2/account":
            return self.answer(200, self.broker.account)
        if path == "/v2/positions":
            return self.answer(200, list(self.broker.positions.values()))
        if path == "/v2/orders":
            closed = {"filled", "canceled", "expired", "rejected"}
            wanted = {"open": lambda s: s not in closed, "closed": lambda s: s in closed}.get(asked["status"])
            chosen = [o for o in self.broker.orders.values() if wanted is None or wanted(o["status"])]
            return self.answer(200, chosen[::-1])
        found = self.broker.positions.get(path.rpartition("/")[2])
        return (
            self.answer(200, found)
            if found
            else self.answer(404, {"code": 40410000, "message": "position does not exist"})
        )


@contextmanager
def alpaca_server() -> Iterator[Alpaca]:
    broker = Alpaca()
    handler = type("Handler", (_Handler,), {"broker": broker})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that left
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    broker.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield broker
    finally:
        broker.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
