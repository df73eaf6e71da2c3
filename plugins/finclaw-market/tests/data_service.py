"""A loopback server that answers as Yahoo's chart service and FRED do, and can be told to fail as they do."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "abcdef0123456789abcdef0123456789"
PAGE = "<!DOCTYPE html><html><body>Will be right back...</body></html>"


def stamp(day: date, hour: int = 14) -> int:
    return int(datetime(day.year, day.month, day.day, hour, 30, tzinfo=UTC).timestamp())


def chart(rows: list[tuple[date, float | None]], symbol: str = "ACME", **changes: Any) -> dict[str, Any]:
    """A chart answer; `rows` are days and closes, `splits` and `dividends` dicts by day, the rest goes into meta."""
    splits, dividends = changes.pop("splits", {}), changes.pop("dividends", {})
    meta = {
        "currency": "USD", "symbol": symbol, "exchangeName": "NYQ", "instrumentType": "EQUITY", "longName": "Acme Corp",
        "exchangeTimezoneName": "America/New_York", "gmtoffset": -18000,
    } | changes  # fmt: skip
    closes = [close for _, close in rows]
    events: dict[str, Any] = {}
    if splits:
        events["splits"] = {
            str(stamp(day)): {"date": stamp(day), "numerator": new, "denominator": 1, "splitRatio": f"{new}:1"}
            for day, new in splits.items()
        }
    if dividends:
        events["dividends"] = {str(stamp(day)): {"date": stamp(day), "amount": paid} for day, paid in dividends.items()}
    result = {
        "meta": meta,
        "timestamp": [stamp(day) for day, _ in rows],
        "events": events,
        "indicators": {
            "quote": [{"open": closes, "high": closes, "low": closes, "close": closes, "volume": [100 for _ in rows]}],
            "adjclose": [{"adjclose": [close and close * 0.9 for close in closes]}],
        },
    }
    return {"chart": {"result": [result], "error": None}}


NOT_FOUND = {
    "chart": {"result": None, "error": {"code": "Not Found", "description": "No data found, symbol may be delisted"}}
}


STACKED = {"Content_Encoding": "gzip, gzip"}
NO_DATE = {"Retry_After": "Fri, 20 Nov 2026 12:00:30 +99999999999999"}
PAGES: dict[str, tuple[int, str, str, dict[str, str]]] = {
    "429": (429, "Too Many Requests", "text/plain", {"Retry_After": "17"}),
    "429-date": (429, PAGE, "text/html", {"Retry_After": "Fri, 01 Jan 2016 00:00:00 GMT"}),
    "429-no-date": (429, PAGE, "text/html", NO_DATE),
    "429-stacked": (429, PAGE, "text/html", STACKED),
    "200-stacked": (200, "{}", "application/json", STACKED),
    "403-page": (403, PAGE, "text/html", {}),
    "200-page": (200, PAGE, "text/html; charset=utf-8", {}),
    "500": (500, "{}", "application/json", {}),
    "redirect": (302, "", "text/html", {"Location": "/elsewhere"}),
    "redirect-json": (301, "", "application/json", {"Location": "https://example.org/"}),
}
COMPLAINTS = {
    "bad-key": f"The value for variable api_key is not registered: {KEY}",
    "vintages": "Exceeded limit of 2000 vintage dates",
    "unknown": f"The series does not exist. {KEY}",
}


class Service:
    """What the server answers by path, and how the coming answers are to fail."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {}
        self.faults: list[str] = []
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.meanwhile: Callable[[], object] = lambda: None
        """What happens while an answer is on its way."""
        self.url = ""

    def prices(self, body: dict[str, Any], symbol: str = "ACME", status: int = 200) -> None:
        self.answers[f"/v8/finance/chart/{symbol}"] = (status, body)

    def series(self, observations: list[tuple[str, str, str]]) -> None:
        found = [
            {"realtime_start": known, "realtime_end": "9999-12-31", "date": day, "value": value}
            for day, known, value in observations
        ]
        self.answers["/fred/series"] = (
            200,
            {"seriess": [{"id": "GDP", "title": "Gross Domestic Product", "units": "Billions of Dollars"}]},
        )
        self.answers["/fred/series/observations"] = (200, {"count": len(found), "observations": found})


class _Handler(BaseHTTPRequestHandler):
    service: Service

    def log_message(self, *args: object) -> None:
        pass

    def answer(self, status: int, text: str, kind: str = "application/json", **more: str) -> None:
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.service.asked.append((parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}))
        status, body = self.service.answers.get(parts.path, (404, NOT_FOUND))
        self.service.meanwhile()
        whole = json.dumps(body)
        fault = self.service.faults.pop(0) if self.service.faults else ""
        if fault == "reset":
            self.connection.close()
        elif fault == "truncated":
            self.answer(200, whole[: len(whole) // 2])
        elif fault == "nan":
            self.answer(200, whole.replace("10.5", "NaN", 1))
        elif fault in COMPLAINTS:
            self.answer(400, json.dumps({"error_code": 400, "error_message": f"Bad Request. {COMPLAINTS[fault]}"}))
        elif fault:
            number, text, kind, more = PAGES[fault]
            self.answer(number, text, kind, **more)
        else:
            self.answer(status, whole)


@contextmanager
def data_service() -> Iterator[Service]:
    service = Service()
    handler = type("Handler", (_Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that left
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
