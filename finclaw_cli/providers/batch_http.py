"""Requests to a provider's batch API over HTTP: JSON, files, and lines of JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.http import httpx_settings
from finclaw_cli.http.connection_failures import from_exception
from finclaw_cli.http.failures import malformed, oversized
from finclaw_cli.http.transport import MAX_TURN_BYTES
from finclaw_cli.providers.batches import UNKNOWN_BATCH
from finclaw_cli.providers.config import ProviderConfig, with_headers
from finclaw_cli.providers.failures import refused
from finclaw_cli.providers.fields import record

JSON_BODY = {"Content-Type": "application/json"}
NOT_FOUND = 404
TIMEOUT_S = 120.0
"""The longest that a server may be silent."""


class BatchHttp:
    """The server of a batch API; whatever goes wrong is a `ProviderError`.

    Args:
        provider: named in errors.
        root: the address that paths are added to.
        config: the key and the headers.
        headers: further ones of the API.
    """

    def __init__(self, provider: str, root: str, config: ProviderConfig, headers: Mapping[str, str]) -> None:
        self._provider = provider
        self._root = root
        self._headers = with_headers(headers, config)
        self._connect_timeout_s = config.connect_timeout_s
        self._made: Any = None  # an httpx2 client

    async def get(self, path: str, **params: str) -> JsonObject:
        """Read an object."""
        return await self._object("GET", path, params=params)

    async def post(self, path: str, content: bytes, headers: Mapping[str, str] = JSON_BODY) -> JsonObject:
        """Post a body, and read the object of the answer."""
        return await self._object("POST", path, content=content, headers=headers)

    async def lines(self, path: str) -> AsyncGenerator[JsonObject, None]:
        """The objects of a file with one a line, as they come; an empty one for a line that is none."""
        try:
            async with self._client().stream("GET", self._root + path, headers=self._headers) as response:
                if not response.is_success:
                    self._check(response, await self._bounded(response))
                async for line in self._lines_of(response.aiter_bytes()):
                    if line.strip():
                        yield self._parsed_line(line)
        except Exception as error:
            raise from_exception(error, self._provider) from error

    async def aclose(self) -> None:
        """Close the connections."""
        if self._made is not None:
            await self._made.aclose()

    async def _object(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, **sent: Any
    ) -> JsonObject:
        all_headers = {**self._headers, **(headers or {})}
        try:
            async with self._client().stream(method, self._root + path, headers=all_headers, **sent) as response:
                content = await self._bounded(response)
                self._check(response, content)
                return self._parsed(content)
        except Exception as error:
            raise from_exception(error, self._provider) from error

    async def _bounded(self, response: Any) -> bytes:
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > MAX_TURN_BYTES:
                raise oversized(self._provider, "answer", MAX_TURN_BYTES)
        return bytes(content)

    async def _lines_of(self, pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        """The lines, each with its end; one without an end is the last, and may have been cut off."""
        begun = bytearray()
        async for piece in pieces:
            *ends, rest = piece.split(b"\n")
            for end in ends:
                yield bytes(begun + end) + b"\n"
                begun.clear()
            begun += rest
            if len(begun) > MAX_TURN_BYTES:
                raise oversized(self._provider, "result", MAX_TURN_BYTES)
        yield bytes(begun)

    def _check(self, response: Any, content: bytes) -> None:
        if response.is_success:
            return
        body = content.decode("utf-8", "replace")
        error = refused(self._provider, response.status_code, response.headers, body)
        if response.status_code == NOT_FOUND:
            error = ProviderError(
                f"{self._provider}: no such batch: {error.message}",
                reason="auth",
                code=UNKNOWN_BATCH,
                provider=self._provider,
                status=NOT_FOUND,
                hint="A batch is known to the account that made it: use the same key.",
            )
        raise error

    def _parsed_line(self, line: bytes) -> JsonObject:
        try:
            return self._parsed(line)
        except ProviderError:
            if line.endswith(b"\n"):
                return {}  # what others are behind it is paid for
            raise

    def _parsed(self, text: bytes) -> JsonObject:
        try:
            return record(json.loads(text, parse_constant=_no_constant))
        except (ValueError, RecursionError):
            raise malformed(self._provider) from None

    def _client(self) -> Any:
        if self._made is None:
            import httpx2

            self._made = httpx_settings.make(
                httpx2.AsyncClient, provider=self._provider, url=self._root, connect_timeout_s=self._connect_timeout_s
            )
            self._made.timeout = httpx2.Timeout(TIMEOUT_S, connect=self._connect_timeout_s)
        return self._made


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
