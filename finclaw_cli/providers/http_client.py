"""What the HTTP clients of all transports have in common: whom they trust, and how much they read of a refusal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Protocol, TypeVar

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.providers.authorities import trusted
from finclaw_cli.providers.failures import classify

# What a server says of a refusal is a few hundred bytes; a gateway's web page may be longer, or never end.
MAX_REFUSAL_BYTES = 256 * 1024
MAX_REFUSAL_S = 5.0

C = TypeVar("C")


class Refusal(Protocol):
    """The part of an HTTP client's response that says why there is no success."""

    @property
    def status_code(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def text(self) -> str: ...


def make(kind: Callable[..., C], *, provider: str, url: str | None, connect_timeout_s: float) -> C:
    """Make a client of that kind: proxies and authorities are the environment's, redirects are not followed.

    What is asked goes to the server that was named, and to no other.

    Raises:
        ProviderError: what the environment says of proxies or authorities cannot be used.
    """
    import httpx2

    async def read_refusal(response: httpx2.Response) -> None:
        if response.is_success:
            return
        unread = httpx2.Response(response.status_code, headers=response.headers, stream=response.stream)
        said = await _beginning(unread.aiter_bytes())
        await unread.aclose()
        response.headers.pop("content-encoding", None)
        response.stream = httpx2.ByteStream(said)

    authorities = _authorities(provider, url)
    try:
        return kind(
            verify=authorities,
            # The engine's own clocks watch the stream; here only the connection is timed.
            timeout=httpx2.Timeout(None, connect=connect_timeout_s),
            follow_redirects=False,
            event_hooks={"response": [read_refusal]},
        )
    except (ValueError, ImportError, httpx2.InvalidURL) as error:
        raise _unusable(provider, "proxies", error, "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY") from error


def refused(provider: str, response: Refusal) -> ProviderError:
    """Name a refusal by its status, its headers, and its body: JSON, or text where it is none."""
    said: object = response.text
    with suppress(ValueError, RecursionError):
        said = json.loads(response.text)
    return classify(provider, said, status=response.status_code, headers=response.headers)


async def _beginning(pieces: AsyncGenerator[bytes, None]) -> bytes:
    """What anybody would read of an error's body; what breaks off in it takes nothing away from the status."""
    read = bytearray()
    with suppress(Exception):
        async with asyncio.timeout(MAX_REFUSAL_S), aclosing(pieces):
            async for piece in pieces:
                read += piece
                if len(read) >= MAX_REFUSAL_BYTES:
                    break
    return bytes(read[:MAX_REFUSAL_BYTES])


def _authorities(provider: str, url: str | None) -> object:
    try:
        return trusted(url)
    except OSError as error:
        raise _unusable(provider, "authorities", error, "SSL_CERT_FILE and SSL_CERT_DIR") from error


def _unusable(provider: str, what: str, error: Exception, variables: str) -> ProviderError:
    return ProviderError(
        f"{provider}: the environment's {what} cannot be used ({clean_line(str(error))[:200]})",
        reason="bad_request",
        code=f"bad_{what}",
        provider=provider,
        hint=f"look at {variables}",
    )
