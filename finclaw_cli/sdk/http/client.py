"""One request to a plugin's service, within limits of time, size and place."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from ssl import SSLContext
from urllib.parse import urlsplit

from finclaw_cli.sdk.http.limit import Paused, RequestLimit
from finclaw_cli.sdk.http.response import HttpError, HttpResponse, NotSent, RateLimited, is_readable
from finclaw_cli.sdk.store import StoreError

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_SHORTEST_SECRET = 8


def is_allowed_address(url: str, hosts: Collection[str] | None = None) -> bool:
    """Whether keys and requests may go to an address that a user gave: `https` to one of `hosts`, or this machine.

    Without `hosts`, any host and any path is allowed; with them, the address ends after host and port.
    """
    if not url.isprintable() or " " in url:
        return False
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
            RuntimeError: it is called from a coroutine, whose loop would stand still.
        """
        if _runs_in_loop():
            raise RuntimeError("get() would block the event loop; in a coroutine, await request()")
        time.sleep(self._reserve())
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(self._in_time("GET", url, params, None, self.timeout_s))
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())  # of a response that was not read to its end
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
            if is_readable(response.headers):
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


def _runs_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
