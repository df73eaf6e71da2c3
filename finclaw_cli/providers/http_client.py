"""What the HTTP clients of all transports have in common: whom they trust, and how much they read of a refusal."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.providers import proxies
from finclaw_cli.providers.authorities import trusted
from finclaw_cli.providers.failures import classify

# What a server says of a refusal is a few hundred bytes; a gateway's web page may be longer, or never end.
MAX_REFUSAL_BYTES = 256 * 1024
MAX_REFUSAL_S = 5.0
_CHARSET = r"""(?i)charset\s*=\s*["']?([\w.:-]+)"""

C = TypeVar("C")


def make(kind: Callable[..., C], *, provider: str, url: str | None, connect_timeout_s: float) -> C:
    """Make a client of that kind: proxies and authorities are the environment's, redirects are not followed.

    What is asked goes to the server that was named, and to no other; over our own connections, unless a proxy's are
    needed.

    Raises:
        ProviderError: what the environment says of proxies or authorities cannot be used.
    """
    import httpx2

    from finclaw_cli.providers.own_connections import OwnConnections

    async def read_refusal(response: httpx2.Response) -> None:
        if response.is_success:
            return
        unread = httpx2.Response(response.status_code, headers=response.headers, stream=response.stream)
        said = await beginning(unread.aiter_bytes())
        await unread.aclose()
        response.headers.pop("content-encoding", None)
        response.stream = httpx2.ByteStream(said)

    if variable := proxies.unusable():
        why = "no address of a proxy; signs such as # and / in a password are written as %23 and %2F"
        raise _unusable(provider, "proxies", why, variable)
    trusting = authorities(provider, url)
    try:
        return kind(
            verify=trusting,
            transport=None if proxies.may_be_one() else OwnConnections(trusting, connect_timeout_s),
            # The engine's own clocks watch the stream; here only the connection is timed.
            timeout=httpx2.Timeout(None, connect=connect_timeout_s),
            follow_redirects=False,
            event_hooks={"response": [read_refusal]},
        )
    except ImportError as error:
        why = "SOCKS needs the package socksio"
        raise _unusable(provider, "proxies", why, "ALL_PROXY, or run `pip install socksio`") from error
    except (ValueError, httpx2.InvalidURL) as error:
        raise _unusable(provider, "proxies", str(error), "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY") from error


def authorities(provider: str, url: str | None) -> ssl.SSLContext:
    """Whose certificates are trusted there.

    Raises:
        ProviderError: the environment names some that cannot be read.
    """
    try:
        return trusted(url)
    except OSError as error:
        raise _unusable(provider, "authorities", str(error), "SSL_CERT_FILE and SSL_CERT_DIR") from error


async def beginning(pieces: AsyncIterator[bytes]) -> bytes:
    """What anybody would read of an error's body; what breaks off in it takes nothing away from the status."""
    read = bytearray()
    with suppress(Exception):
        async with asyncio.timeout(MAX_REFUSAL_S):
            async for piece in pieces:
                read += piece
                if len(read) >= MAX_REFUSAL_BYTES:
                    break
    return bytes(read[:MAX_REFUSAL_BYTES])


def text_of(said: bytes, headers: Mapping[str, str]) -> str:
    """A refusal's bytes as text, in the charset that it names if there is one of that name."""
    named = re.search(_CHARSET, headers.get("content-type", ""))
    try:
        return said.decode(named[1] if named else "utf-8", "replace")
    except LookupError:
        return said.decode("utf-8", "replace")


def refused(provider: str, status: int, headers: Mapping[str, str], text: str) -> ProviderError:
    """Name a refusal by its status, its headers, and its body: JSON, or text where it is none."""
    said: object = text
    with suppress(ValueError, RecursionError):
        said = json.loads(text)
    return classify(provider, said, status=status, headers=headers)


def _unusable(provider: str, what: str, why: str, variables: str) -> ProviderError:
    return ProviderError(
        f"{provider}: the environment's {what} cannot be used ({clean_line(why)[:200]})",
        reason="bad_request",
        code=f"bad_{what}",
        provider=provider,
        hint=f"look at {variables}",
    )
