"""A bounded HTTP client for a plugin's service: one request, and one whole response or one clear error.

Nothing is retried and no redirect is followed: a plugin knows how often a request was sent, and to whom.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from ssl import SSLContext
from urllib.parse import urlsplit

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.finance import no_data
from finclaw_cli.sdk.request_limit import LONGEST_PAUSE_S, Paused, RequestLimit
from finclaw_cli.sdk.store import StoreError

__all__ = ["HttpClient", "HttpError", "HttpResponse", "NotSent", "RateLimited", "RequestLimit", "is_allowed_address"]

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_SUCCESS, _REDIRECTS, _REFUSALS, _SERVER_ERROR = range(200, 300), range(300, 400), frozenset({401, 403}), 500
# One coding inside another, of which a few bytes hold gigabytes, is not decoded.
_CODINGS = frozenset({"", "identity", "gzip"})
_SHORTEST_SECRET = 8
_MAX_SHOWN = 40


class HttpError(ToolError):
    """The service gave nothing that may be taken for data; a tool may raise it as it is.

    `why` goes on after the name of the service, as in `gave no whole answer within 6 s`.
    """

    def __init__(self, service: str, why: str, *, code: str = "NO_DATA") -> None:
        super().__init__(str(no_data(f"{service} {why}", code=code)), outage=True)
        self.why = why


class NotSent(HttpError):
    """The request was certainly not sent."""


class RateLimited(NotSent):
    """The service asks to wait for `retry_after_s` seconds."""

    def __init__(self, service: str, retry_after_s: int) -> None:
        why = f"refuses further requests for now; retry_after: {retry_after_s} s"
        super().__init__(service, why, code="RATE_LIMITED")
        self.retry_after_s = retry_after_s


def is_allowed_address(url: str, hosts: Collection[str] | None = None) -> bool:
    """Whether keys and requests may go to an address that a user gave: `https` to one of `hosts`, or this machine.

    Without `hosts`, any host and any path is allowed; with them, the address ends after host and port.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    surplus = (parts.query, parts.fragment, "@" in parts.netloc, hosts is not None and parts.path)
    if not host or any(surplus):
        return False
    if host in _LOOPBACK:
        return parts.scheme in {"http", "https"}
    return parts.scheme == "https" and (hosts is None or host in hosts)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """A whole response; secrets are masked in its content."""

    service: str
    status: int
    headers: Mapping[str, str]
    """By lower-case names."""
    content: bytes
    """Empty where it is in a coding that is not read."""

    @property
    def media_type(self) -> str:
        """The `Content-Type` without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def check_coding(self) -> None:
        """Refuse a response that is compressed in a way that is not read.

        Raises:
            HttpError: it is.
        """
        if (coding := _coding(self.headers)) not in _CODINGS:
            raise HttpError(self.service, f"compressed its answer as {coding[:_MAX_SHOWN]!r}, which is not read")

    def check_status(self, allowed: Collection[int] = ()) -> None:
        """Refuse a response that is no success, unless its status is one of `allowed`.

        Raises:
            HttpError: it is not.
        """
        if self.status in _SUCCESS or self.status in allowed:
            return
        if self.status >= _SERVER_ERROR:
            why = "has an error of its own"
        elif self.status in _REDIRECTS:
            why = "redirects to another address, which is refused"
        else:
            why = "refuses to answer" if self.status in _REFUSALS else "rejects the request"
        raise HttpError(self.service, f"{why} (status {self.status})")

    def json(self) -> object:
        """The JSON in the response, whatever the status; numbers with a fraction are Decimals, NaN is refused.

        Raises:
            HttpError: it is something else, damaged, or cut off.
        """
        kind = self.media_type
        if not (kind in {"application/json", "text/json"} or kind.endswith("+json")):
            what = "an HTML page" if "html" in kind else _printable(kind[:_MAX_SHOWN]) or "something"
            raise HttpError(self.service, f"answered with {what} instead of data (status {self.status})")
        try:
            body: object = json.loads(self.content, parse_float=Decimal, parse_constant=_no_constant)
        except (ValueError, RecursionError, ArithmeticError):
            raise HttpError(self.service, "answered with JSON that is damaged or cut off") from None
        return body

    def retry_after_s(self, usual_s: int = 60) -> int:
        """How long `Retry-After` asks to wait, in seconds or until a date: at least a second, at most an hour."""
        text = self.headers.get("retry-after", "").strip()
        seconds = int(text[:9]) if text.isascii() and text.isdigit() else _seconds_until(text)
        return usual_s if seconds is None else min(max(seconds, 1), int(LONGEST_PAUSE_S))


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpClient:
    """Requests to one service."""

    service: str
    """The name that errors begin with."""
    addresses: tuple[str, ...]
    """Where requests may go: `https://api.example.com`. Only scheme, host and port count."""
    headers: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    """What is masked where the service repeats it, and is in no error."""
    timeout_s: float = 20.0
    """Of a whole exchange, from the look-up of the host's name to the last byte."""
    max_bytes: int = 5_000_000
    """Of a response, after it was decompressed."""
    proxies: bool = False
    """Whether the proxies and certificates that the environment names are used; never for this machine."""
    limit: RequestLimit | None = None

    def get(self, url: str, params: Mapping[str, str] | None = None) -> HttpResponse:
        """Send a GET request from a thread without an event loop, and wait for the response.

        Raises:
            HttpError: there is no whole response; `NotSent` where the request was not sent.
        """
        time.sleep(self._reserve())
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(self._in_time("GET", url, params, None, self.timeout_s))
        finally:
            loop.close()

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        json: object = None,
        timeout_s: float | None = None,
    ) -> HttpResponse:
        """Send one request and read the response, all of it in time.

        Raises:
            HttpError: there is no whole response; `NotSent` where the request was not sent.
        """
        if self.limit is not None:
            await asyncio.sleep(await asyncio.to_thread(self._reserve))
        return await self._in_time(method, url, params, json, timeout_s or self.timeout_s)

    def rate_limited(self, response: HttpResponse, usual_s: int = 60) -> RateLimited:
        """The error of a response that asks to wait; until then `limit` lets no process ask."""
        seconds = response.retry_after_s(usual_s)
        if self.limit is not None:
            with suppress(StoreError):
                self.limit.pause(seconds)
        return RateLimited(self.service, seconds)

    def _reserve(self) -> float:
        try:
            return self.limit.reserve() if self.limit else 0.0
        except Paused as error:
            raise RateLimited(self.service, round(error.seconds) or 1) from None
        except StoreError as error:
            raise NotSent(self.service, f"is not asked, since its limit cannot be kept: {error}") from None

    async def _in_time(
        self, method: str, url: str, params: Mapping[str, str] | None, body: object, timeout_s: float
    ) -> HttpResponse:
        import httpx2

        unsent = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
        try:
            if _origin(url) not in {_origin(address) for address in self.addresses}:
                raise NotSent(self.service, "is not asked at an address of another host")
            async with asyncio.timeout(timeout_s):
                return await self._exchange(method, url, params, body, timeout_s)
        except TimeoutError:
            raise HttpError(self.service, f"gave no whole answer within {timeout_s:g} s") from None
        # The words of these errors may have the address with a key in it.
        except (*unsent, httpx2.InvalidURL) as error:
            raise NotSent(self.service, f"could not be reached ({type(error).__name__})") from None
        except (httpx2.HTTPError, httpx2.StreamError, ValueError) as error:
            raise HttpError(self.service, f"gave no whole answer ({type(error).__name__})") from None

    async def _exchange(
        self, method: str, url: str, params: Mapping[str, str] | None, body: object, timeout_s: float
    ) -> HttpResponse:
        import httpx2

        # What stands in for a service on this machine is not behind a proxy.
        proxies = self.proxies and urlsplit(url).hostname not in _LOOPBACK
        client = httpx2.AsyncClient(
            headers={"Accept-Encoding": "identity", **self.headers},
            timeout=timeout_s,
            trust_env=proxies,
            follow_redirects=False,
            verify=_authorities(proxies),
        )
        async with client, client.stream(method, url, params=params and dict(params), json=body) as response:
            chunks, size = [], 0
            if _coding(response.headers) in _CODINGS:
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk)
                    size += len(chunk)
                    if size > self.max_bytes:
                        raise HttpError(self.service, f"gave an answer of more than {self.max_bytes} bytes")
            headers = {name.lower(): self._masked(value.encode()).decode() for name, value in response.headers.items()}
            content = self._masked(b"".join(chunks))
            return HttpResponse(service=self.service, status=response.status_code, headers=headers, content=content)

    def _masked(self, content: bytes) -> bytes:
        for secret in self.secrets:
            if len(secret) >= _SHORTEST_SECRET:
                content = content.replace(secret.encode(), b"[key]")
        return content


@cache
def _authorities(trust_env: bool) -> SSLContext:  # noqa: FBT001 - as the library names it
    """Whom to trust; reading it takes longer than a request."""
    import httpx2

    return httpx2.create_ssl_context(trust_env=trust_env)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _coding(headers: Mapping[str, str]) -> str:
    return headers.get("content-encoding", "").strip().lower()


def _seconds_until(text: str) -> int | None:
    from email.utils import parsedate_to_datetime

    try:
        return int((parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()) + 1
    except (ValueError, TypeError, OverflowError):
        return None


def _printable(text: str) -> str:
    return "".join(mark if mark.isprintable() else " " for mark in text)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")
