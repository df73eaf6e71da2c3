"""Alpaca's wire: one request, one bounded answer, and a clear word on whether the request may have been acted on.

Nothing is retried here and nothing is redirected: the caller must know how often an order was sent. Numbers in
answers are read as Decimals. The keys come from the environment and are in no message.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.util import find_spec

from finclaw_paper.problems import not_configured, quoted
from finclaw_paper.settings import PaperSettings

_MAX_BYTES = 5_000_000
_NO_CONTENT = 204
# None is asked for. One inside another, of which a few bytes hold gigabytes, is not read: the status stands alone.
_CODINGS = frozenset({"", "identity", "gzip"})
_SHORTEST_KEY = 8


class Unreached(Exception):
    """The request was never sent."""


class Lost(Exception):
    """The request may have been acted on, but no answer to it was understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: JSON, or nothing that may be taken for data."""

    status: int
    body: object = None
    is_json: bool = False
    retry_after: str | None = None

    @property
    def message(self) -> str:
        """Alpaca's own words about an error, on one line."""
        text = self.body.get("message") if isinstance(self.body, dict) else None
        return quoted(text) if isinstance(text, str) else f"status {self.status} without a reason"

    @property
    def code(self) -> int:
        """Alpaca's own number of an error, 0 where there is none."""
        found = self.body.get("code") if isinstance(self.body, dict) else None
        return found if isinstance(found, int) else 0


class AlpacaHttp:
    """Requests to one address with one pair of keys."""

    def __init__(self, settings: PaperSettings) -> None:
        check_installed()
        self._url = settings.base_url
        self._names = (settings.key_variable, settings.secret_variable)
        self._keys = tuple(_key(name) for name in self._names)

    @property
    def variables(self) -> str:
        """The names of the variables the keys are in, for messages."""
        return " and ".join(self._names)

    async def ask(
        self,
        method: str,
        path: str,
        *,
        timeout_s: float,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request and read its answer, all of it within `timeout_s` seconds.

        Raises:
            Unreached: it was not sent.
            Lost: it may have been acted on, and the answer did not arrive whole.
        """
        import httpx2

        try:
            async with asyncio.timeout(timeout_s):
                return await self._exchange(method, path, timeout_s, params, body)
        except TimeoutError:
            raise Lost(f"no whole answer within {timeout_s:g} s") from None
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol) as error:
            raise Unreached(type(error).__name__) from None
        except (httpx2.HTTPError, httpx2.StreamError, ValueError) as error:
            raise Lost(f"the connection broke ({type(error).__name__})") from None

    async def _exchange(
        self,
        method: str,
        path: str,
        timeout_s: float,
        params: Mapping[str, str] | None,
        body: Mapping[str, str] | None,
    ) -> Answer:
        import httpx2

        headers = {
            "APCA-API-KEY-ID": self._keys[0],
            "APCA-API-SECRET-KEY": self._keys[1],
            "Accept": "application/json",
            # Without compression the bytes that are counted are the bytes that were sent.
            "Accept-Encoding": "identity",
        }
        client = httpx2.AsyncClient(
            base_url=self._url,
            headers=headers,
            timeout=timeout_s,
            trust_env=False,
            follow_redirects=False,
            verify=_authorities(),
        )
        async with client, client.stream(method, path, params=params, json=body) as response:
            chunks, size = [], 0
            coding = response.headers.get("content-encoding", "").strip().lower()
            if coding in _CODINGS:
                async for chunk in response.aiter_bytes():
                    size += len(chunk)
                    if size > _MAX_BYTES:
                        raise Lost(f"the answer is larger than {_MAX_BYTES} bytes")
                    chunks.append(chunk)
            return _answer(response.status_code, response.headers, self._without_keys(b"".join(chunks)))

    def _without_keys(self, content: bytes) -> bytes:
        """An answer that repeats a key must not carry it into a message."""
        for key in self._keys:
            if len(key) >= _SHORTEST_KEY:
                content = content.replace(key.encode(), b"[key]")
        return content


@cache
def _authorities() -> ssl.SSLContext:
    """Whom to trust; reading it takes longer than a request."""
    import httpx2

    return httpx2.create_ssl_context(trust_env=False)


def check_installed() -> None:
    """See that the HTTP library is there, before anything is asked.

    Raises:
        ToolError: NOT_CONFIGURED, with the command that installs it.
    """
    if find_spec("httpx2") is None:
        raise not_configured('Alpaca needs a further package: pip install "finclaw-paper[alpaca]"')


def _key(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise not_configured(f"{name} is not set; it holds a key of an Alpaca paper account")
    if not value.isascii() or not value.isprintable() or " " in value:
        raise not_configured(f"{name} holds something that cannot be a key")
    return value


def _answer(status: int, headers: Mapping[str, str], content: bytes) -> Answer:
    retry_after = headers.get("retry-after")
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if status == _NO_CONTENT or media_type != "application/json":
        return Answer(status=status, retry_after=retry_after)
    try:
        body = json.loads(content, parse_float=Decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return Answer(status=status, retry_after=retry_after)
    return Answer(status=status, body=body, is_json=True, retry_after=retry_after)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")
