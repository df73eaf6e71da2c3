"""The direct way to a server, for plain keys: HTTP/1.1 by h11, without a client whose import takes longer than a run.

What they know and this does not is theirs to do: proxies, and addresses that are not written plainly.
"""

from __future__ import annotations

import asyncio
import os
import platform
import re
import time
from concurrent.futures import Future
from dataclasses import replace
from urllib.parse import urlsplit

from finclaw_cli import __version__
from finclaw_cli.providers import http_client
from finclaw_cli.providers.dial import Origin, dial
from finclaw_cli.providers.http import COMMON_HEADERS, Client, Target, in_thread
from finclaw_cli.providers.http1 import Answer, Connection
from finclaw_cli.providers.sse import HttpStream

# Servers keep an idle connection for a minute and more; tools between two turns take seconds.
MAX_IDLE_S = 30.0
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_SYSTEMS_WITH_PROXIES = ("Darwin", "Windows")  # of their own, beside the environment's
_PLAIN_URL = re.compile(
    r"""https?:// (?: \w[\w.-]* | \[[0-9a-f:.]+\] ) (?: :\d+ )?
    (?: / (?: (?! \.{1,2} (?:/|$) ) [\w.~!$&'()*+,;=:@%-]* ) )* (?: \? [\w.~!$&'()*+,;=:@%/?-]* )?""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


def connect(target: Target) -> Client:
    """Make the client, and its first connection with it.

    Raises:
        ProviderError: what the environment says of proxies or authorities cannot be used.
        ConnectError: nobody is there, or nobody who can be trusted.
        TimeoutError: nobody answers.
    """
    own = {**COMMON_HEADERS, "User-Agent": f"finclaw/{__version__}"}
    target = replace(target, headers={**own, **target.headers})
    if not is_plain(target.url) or _may_have_a_proxy():
        from finclaw_cli.providers import proxied

        return proxied.connect(target)
    server = _Server(target)
    server.connect()
    return Client(server.post, server.close)


def is_plain(url: str) -> bool:
    """Whether an address can be sent as it is written."""
    return _PLAIN_URL.fullmatch(url) is not None


class _Server:
    """One server, and the connections to it that are free."""

    def __init__(self, target: Target) -> None:
        parts = urlsplit(target.url)
        port = 443 if parts.scheme == "https" else 80
        self._provider = target.provider
        self._timeout_s = target.connect_timeout_s
        self._authorities = http_client.authorities(target.provider, target.url)
        self._origin = Origin(parts.hostname or "", parts.port or port, parts.scheme == "https")
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Host": parts.netloc.lower().removesuffix(f":{port}"), **target.headers}
        self._free: list[tuple[Connection, float]] = []

    def connect(self) -> None:
        """Make a connection that is free; this blocks."""
        self._release(self._dialled())

    async def post(self, content: bytes) -> HttpStream:
        """Post it over a connection that is free, or a new one."""
        connection = self._taken() or await _awaited(in_thread(self._dialled))
        try:
            head = await connection.post(self._path, self._headers, content)
            answer = Answer(connection, head, self._release)
            if answer.is_success:
                return answer
            said = await http_client.beginning(answer.aiter_bytes())
        except BaseException:
            connection.close()
            raise
        await answer.aclose()
        text = http_client.text_of(said, answer.headers)
        raise http_client.refused(self._provider, answer.status_code, answer.headers, text)

    async def close(self) -> None:
        """Close what is free."""
        while self._free:
            self._free.pop()[0].close()

    def _dialled(self) -> Connection:
        return Connection(dial(self._origin, self._authorities, self._timeout_s))

    def _taken(self) -> Connection | None:
        while self._free:
            connection, since = self._free.pop()
            if time.monotonic() - since <= MAX_IDLE_S and connection.is_quiet():
                return connection
            connection.close()
        return None

    def _release(self, connection: Connection) -> None:
        if connection.take_next():
            self._free.append((connection, time.monotonic()))
        else:
            connection.close()


async def _awaited(dialling: Future[Connection]) -> Connection:
    try:
        return await asyncio.wrap_future(dialling)
    except asyncio.CancelledError:
        dialling.add_done_callback(_hang_up)
        raise


def _hang_up(dialled: Future[Connection]) -> None:
    if dialled.exception() is None:
        dialled.result().close()


def _may_have_a_proxy() -> bool:
    """Whether anything is said of one; of what is excepted from it, httpx2 knows."""
    if any(os.environ.get(name) or os.environ.get(name.lower()) for name in _PROXIES):
        return True
    if platform.system() not in _SYSTEMS_WITH_PROXIES:
        return False
    from urllib.request import getproxies

    return bool(getproxies())
