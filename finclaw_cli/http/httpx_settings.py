"""What the HTTP clients of all transports have in common: whom they trust, and how they read a refusal."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import TypeVar

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.http import proxies
from finclaw_cli.http.authorities import trusted
from finclaw_cli.http.refusals import read_refusal

C = TypeVar("C")


def make(kind: Callable[..., C], *, provider: str, url: str | None, connect_timeout_s: float) -> C:
    """Make a client of that kind: proxies and authorities are the environment's, redirects are not followed.

    What is asked goes to the server that was named, and to no other; over our own connections, unless a proxy's are
    needed.

    Raises:
        ProviderError: the proxies or authorities of the environment cannot be used.
    """
    import httpx2

    from finclaw_cli.http.httpx_transport import OwnConnections
    from finclaw_cli.http.upload import send_in_pieces

    async def shorten(response: httpx2.Response) -> None:
        """Read a refusal, and leave of its body what was read, in a coding and a charset that are cheap to undo."""
        if response.is_success:
            return
        unread = httpx2.Response(response.status_code, headers=response.headers, stream=response.stream)
        text = await read_refusal(unread.aiter_raw(), response.headers, provider)
        await unread.aclose()
        response.headers.pop("content-encoding", None)
        response.headers["content-type"] = "text/plain; charset=utf-8"
        response.stream = httpx2.ByteStream(text.encode())

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
            event_hooks={"request": [send_in_pieces] if proxies.may_be_one() else [], "response": [shorten]},
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


def _unusable(provider: str, what: str, why: str, variables: str) -> ProviderError:
    return ProviderError(
        f"{provider}: the environment's {what} cannot be used ({clean_line(why)[:200]})",
        reason="bad_request",
        code=f"bad_{what}",
        provider=provider,
        hint=f"look at {variables}",
    )
