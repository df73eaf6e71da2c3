"""The direct way to a server, for plain keys: HTTP/1.1 by h11, without a client whose import takes longer than a run.

What they know and this does not is theirs to do: proxies, and addresses that are not written plainly.
"""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import urlsplit

import h11

from finclaw_cli import __version__
from finclaw_cli.http import httpx_settings, proxies
from finclaw_cli.http.client import COMMON_HEADERS, Client, Target
from finclaw_cli.http.connect import Origin
from finclaw_cli.http.refusals import read_refusal
from finclaw_cli.http.server import Server
from finclaw_cli.http.sse import HttpStream

MAX_URL = 64 * 1024
_PLAIN_URL = re.compile(
    r"""https?:// (?: \w[\w.-]* | \[[0-9a-f:.]+\] ) (?: :\d+ )?
    (?: / (?: (?! \.{1,2} (?:/|$) ) [\w.~!$&'()*+,;=:@%-]* ) )* (?: \? [\w.~!$&'()*+,;=:@%/?-]* )?""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


def connect(target: Target) -> Client:
    """Make the client, and begin its first connection.

    Raises:
        ProviderError: the proxies or authorities of the environment cannot be used.
    """
    own = {**COMMON_HEADERS, "User-Agent": f"finclaw/{__version__}"}
    target = replace(target, headers={**own, **target.headers})
    if not is_plain(target.url) or proxies.may_be_one():
        from finclaw_cli.http import httpx_client

        return httpx_client.connect(target)
    return _connect(target)


def is_plain(url: str) -> bool:
    """Whether an address can be sent as it is written."""
    return len(url) <= MAX_URL and _PLAIN_URL.fullmatch(url) is not None


def _connect(target: Target) -> Client:
    parts = urlsplit(target.url)
    port = 443 if parts.scheme == "https" else 80
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {"Host": parts.netloc.lower().removesuffix(f":{port}"), **target.headers}
    server = Server(
        Origin(parts.hostname or "", parts.port or port, parts.scheme == "https"),
        httpx_settings.authorities(target.provider, target.url),
        target.connect_timeout_s,
    )

    async def post(content: bytes) -> HttpStream:
        length = ("Content-Length", str(len(content)))
        answer = await server.send(h11.Request(method="POST", target=path, headers=[*headers.items(), length]), content)
        if answer.is_success:
            return answer
        try:
            text = await read_refusal(answer.aiter_raw(), answer.headers, target.provider)
        finally:
            await answer.aclose()
        raise target.refused(target.provider, answer.status_code, answer.headers, text)

    async def close() -> None:
        server.close()

    server.begin()
    return Client(post, close)
