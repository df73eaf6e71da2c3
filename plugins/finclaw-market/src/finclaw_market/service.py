"""One question to one service, one bounded answer in JSON, and a clear word on everything that is not one.

Nothing is retried and nothing is redirected. A service that asked to be left alone is left alone, and questions to the
same host keep their distance. Keys are in no message.
"""

from __future__ import annotations

import hashlib
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.util import find_spec
from threading import Lock
from urllib.parse import urlsplit

from finclaw_cli.sdk import ToolError, no_data
from finclaw_cli.sdk.render import bounded
from finclaw_market.settings import LOOPBACK

_MAX_BYTES = 30_000_000
_TIMEOUT_S = 6.0
_OK, _TOO_MANY, _SERVER_ERROR = 200, 429, 500
_REFUSED = frozenset({401, 403})
_REDIRECTS = range(300, 400)
_LONGEST_PAUSE_S = 3_600
_USUAL_PAUSE_S = 60
_MAX_SAID = 200
# Seconds between two questions; a stand-in on this machine needs none.
_DISTANCE_S = {"query1.finance.yahoo.com": 1.0, "api.stlouisfed.org": 0.6}
# None is asked for. One inside another, of which a few bytes hold gigabytes, is not read: the status stands alone.
_CODINGS = frozenset({"", "identity", "gzip"})
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "finclaw-market/0.1"}
_LOCK = Lock()
_NEXT: dict[str, float] = {}
_PAUSED: dict[str, float] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """JSON that a service gave, with its numbers as Decimals."""

    status: int
    body: object
    sha256: str


def ask(name: str, base: str, path: str, params: Mapping[str, str], *, secret: str = "") -> Answer:
    """Ask a service once.

    Args:
        name: what messages call it.
        base: its address.
        path: what is asked for.
        params: the query; it may hold the secret.
        secret: is masked wherever the answer repeats it.

    Raises:
        ToolError: NOT_CONFIGURED, RATE_LIMITED with `retry_after`, or NO_DATA where there was no whole JSON answer.
    """
    if find_spec("httpx2") is None:
        raise no_data(f'{name} needs a further package: pip install "finclaw-market[live]"', code="NOT_CONFIGURED")
    host = urlsplit(base).netloc
    _keep_distance(name, host)
    status, headers, content = _exchange(name, base + path, params)
    if status == _TOO_MANY:
        raise _told_to_wait(name, host, headers.get("retry-after"))
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    _check_status(name, status, kind)
    if secret:
        content = content.replace(secret.encode(), b"[key]")
    try:
        body = json.loads(content, parse_float=Decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError, ArithmeticError):
        raise failed(f"{name} answered with JSON that is damaged or cut off") from None
    return Answer(status=status, body=body, sha256=hashlib.sha256(content).hexdigest())


def failed(message: str, *, code: str = "NO_DATA") -> ToolError:
    """The error of a service that is to blame itself."""
    return ToolError(str(no_data(message, code=code)), outage=True)


def error_field(body: object, key: str) -> str:
    """A service's own words about an error, on one line; empty where there are none."""
    text = body.get(key) if isinstance(body, dict) else None
    return bounded(text, _MAX_SAID) if isinstance(text, str) else ""


Exchanged = tuple[int, Mapping[str, str], bytes]


def _exchange(name: str, url: str, params: Mapping[str, str]) -> Exchanged:
    """One request and its whole answer, within the time limit from the look-up of the name to the last byte."""
    import asyncio

    import httpx2

    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(asyncio.wait_for(_exchanged(name, url, params), _TIMEOUT_S))
    except TimeoutError:
        raise failed(f"{name}: the answer is too large or too slow") from None
    except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, ValueError) as error:
        # The error's own words may hold the address with the key in it.
        raise failed(f"{name} could not be reached, or broke off ({type(error).__name__})") from None
    finally:
        loop.close()


async def _exchanged(name: str, url: str, params: Mapping[str, str]) -> Exchanged:
    import httpx2

    # What stands in for a service on this machine is not behind a proxy.
    outside = urlsplit(url).hostname not in LOOPBACK
    client = httpx2.AsyncClient(
        headers=_HEADERS, timeout=_TIMEOUT_S, follow_redirects=False, trust_env=outside, verify=_authorities()
    )
    async with client, client.stream("GET", url, params=dict(params)) as response:
        chunks: list[bytes] = []
        size = 0
        coding = response.headers.get("content-encoding", "").strip().lower()
        if coding not in _CODINGS:
            return response.status_code, response.headers, b""
        async for chunk in response.aiter_bytes():
            chunks.append(chunk)
            size += len(chunk)
            if size > _MAX_BYTES:
                raise failed(f"{name}: the answer is too large or too slow")
        return response.status_code, response.headers, b"".join(chunks)


@cache
def _authorities() -> ssl.SSLContext:
    """Whom to trust; reading it takes longer than a request."""
    import httpx2

    return httpx2.create_ssl_context()


def _check_status(name: str, status: int, kind: str) -> None:
    is_json = kind in {"application/json", "text/json"} or kind.endswith("+json")
    if status >= _SERVER_ERROR:
        raise failed(f"{name} has an error of its own (status {status})")
    if status in _REDIRECTS:
        raise failed(f"{name} redirects to another address, which is refused (status {status})")
    if status in _REFUSED:
        raise failed(f"{name} refuses to answer (status {status})")
    if not is_json:
        what = "an HTML page" if "html" in kind else f"{bounded(kind, 40) or 'something'}"
        raise failed(f"{name} answered with {what} instead of data (status {status})")


def _keep_distance(name: str, host: str) -> None:
    with _LOCK:
        now = time.monotonic()
        paused = _PAUSED.get(host, 0.0) - now
        if paused > 0:
            raise failed(f"{name} asked to be left alone; retry_after: {round(paused) + 1} s", code="RATE_LIMITED")
        start = max(now, _NEXT.get(host, 0.0))
        _NEXT[host] = start + _DISTANCE_S.get(host, 0.0)
    if start > now:
        time.sleep(start - now)


def _told_to_wait(name: str, host: str, header: str | None) -> ToolError:
    seconds = _seconds(header)
    with _LOCK:
        _PAUSED[host] = time.monotonic() + seconds
    return failed(f"{name} limits how often it may be asked; retry_after: {seconds} s", code="RATE_LIMITED")


def _seconds(header: str | None) -> int:
    """`Retry-After`: seconds or a date; within an hour."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return min(int(text[:9]), _LONGEST_PAUSE_S)
    try:
        ahead = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return _USUAL_PAUSE_S
    return min(max(int(ahead) + 1, 1), _LONGEST_PAUSE_S)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")
