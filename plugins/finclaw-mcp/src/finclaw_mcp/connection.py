"""A connection to one server, owned by one task from its opening to its end; calls only use it.

What the SDK enters in a task it has to leave in the same one, so the task that owns the connection opens it, anew where
the server has ended, and closes it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

import mcp_types as types
from mcp.client import Client

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.render import bounded, one_line
from finclaw_mcp.faults import RequestErrors, reason_of
from finclaw_mcp.known import Known, dumped

OPENINGS = 2
"""How often a server is started in one run: once, and once more where it has ended."""
MAX_TOOLS = 500
MAX_PAGES = 50
STDERR_SHOWN = 500
CLIENT = types.Implementation(name="finclaw", version="0.2.0")
Progress = Callable[[str, float | None], None]
Tools = list[dict[str, Any]]
"""Tools as a server declares them."""

for name in ("mcp", "mcp.client", "mcp.shared", "client"):
    logging.getLogger(name).addHandler(logging.NullHandler())
    logging.getLogger(name).propagate = False


class Peer(Protocol):
    """A server, as it is reached."""

    fault: str
    """Why finclaw gave up a request, or ended the connection; empty where it did not."""
    ended: asyncio.Event
    """Set when nothing more will come from the server."""

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr."""
        ...

    def streams(self) -> AbstractAsyncContextManager[tuple[Any, Any]]:
        """Connect; what it sends can be read from the first stream, what it is to get be written to the second."""
        ...


@dataclass(frozen=True)
class Link:
    """An open connection."""

    client: Client
    peer: Peer


@asynccontextmanager
async def linked(peer: Peer, known: Known | None, changed: Callable[[], None]) -> AsyncIterator[Link]:
    """Connect to a server and agree on the version of the protocol.

    Args:
        peer: the server, which is not connected to yet.
        known: what the server was when it was trusted, which saves questions.
        changed: called when the server gives notice that its list of tools has changed.
    """

    async def take(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changed()

    mode, discovered = _mode(known)
    client = Client(
        peer.streams(),
        mode=mode,
        prior_discover=discovered,
        cache=None,
        client_info=CLIENT,
        message_handler=take,
    )
    async with client:
        yield Link(client, peer)


def _mode(known: Known | None) -> tuple[str, types.DiscoverResult | None]:
    if known is None:
        return "auto", None
    if known.era == "handshake" or known.discovered is None:
        return "legacy" if known.era == "handshake" else known.version, None
    return known.version, types.DiscoverResult.model_validate(known.discovered)


class Connection:
    """The connection to a server, opened again once where the server has ended.

    Args of the constructor:
        name: the server, for messages.
        peer: makes the server anew, not connected to yet.
        known: what the server was when it was trusted, which saves questions.
        start_s: how long a start may take, in seconds.
        listed: called with the tools of the server, as it declares them, each time they are listed: with each opening,
            and before a call where the server has given notice of a change.
    """

    def __init__(
        self, name: str, peer: Callable[[], Peer], known: Known | None, start_s: float, listed: Callable[[Tools], None]
    ) -> None:
        self._name = name
        self._new_peer = peer
        self._peer: Peer | None = None
        self._known = known
        self._start_s = start_s
        self._listed = listed
        self._is_changed = False
        self._openings = 0
        self._wanted = asyncio.Event()
        self._over = asyncio.Event()
        self._link: asyncio.Future[Link] = asyncio.get_running_loop().create_future()
        self._owner = asyncio.create_task(self._own())

    async def link(self) -> Link:
        """The open connection.

        Raises:
            ToolError: the server cannot be used.
        """
        if not self._openings or _is_ended(self._link):
            if self._openings == OPENINGS:
                raise ToolError(f"the server {self._name} has ended again; it is not started a third time", outage=True)
            self._openings += 1
            if self._openings > 1:
                self._link = asyncio.get_running_loop().create_future()
            self._wanted.set()
        return await asyncio.shield(self._link)

    async def look_again(self) -> None:
        """Open the connection where it is not, and list the tools where the server has given notice of a change.

        Raises:
            ToolError: the server cannot be used, or does not list its tools.
        """
        client = (await self.link()).client
        if self._is_changed:
            await self._list(client)

    async def close(self) -> None:
        """End the connection, and the process of the server; an opening that is under way is given up."""
        self._over.set()
        self._wanted.set()
        if not self._link.done():
            self._owner.cancel()
        await asyncio.wait({self._owner})
        if not self._link.cancel() and not self._link.cancelled():
            self._link.exception()  # perhaps no call has waited for it

    async def _list(self, client: Client) -> None:
        """List the tools of the server.

        Raises:
            ToolError: it does not answer as the protocol has it, or has too many.
        """
        self._is_changed = False
        found: Tools = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            with self._errors(is_repeatable=True):
                page = await client.list_tools(cursor=cursor)
            found += map(dumped, page.tools)
            if len(found) > MAX_TOOLS:
                break
            cursor = page.next_cursor
            if not cursor:
                self._listed(self._named_once(found))
                return
        raise ToolError(f"the server {self._name} has more than {MAX_TOOLS} tools, or its list of them has no end")

    def _named_once(self, tools: Tools) -> Tools:
        if len({tool["name"] for tool in tools}) < len(tools):
            raise ToolError(f"the server {self._name} has two tools of one name")
        return tools

    async def call(
        self, tool: str, arguments: dict[str, Any], report: Progress, *, is_repeatable: bool
    ) -> types.CallToolResult:
        """Call a tool by its name at the server.

        Raises:
            ToolError: the server did not do it, or answered with what the protocol does not have.
            OutcomeUnknown: the server ended before it answered, and the call may have had an effect.
        """

        async def shown(progress: float, total: float | None, message: str | None) -> None:
            report(bounded(message or "", 200), progress / total if total and 0 <= progress <= total else None)

        client = (await self.link()).client
        with self._errors(is_repeatable=is_repeatable):
            return await client.call_tool(tool, arguments, progress_callback=shown)

    def _errors(self, *, is_repeatable: bool) -> RequestErrors:
        return RequestErrors(self._details, is_repeatable=is_repeatable)

    async def _own(self) -> None:
        """Open the connection each time one is wanted, and hold it until the server or the run ends."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            if self._over.is_set():
                return
            link = self._link
            try:
                await self._hold(link)
            except Exception as error:  # noqa: BLE001 - the end of a server may raise anything, also after it was of use
                if not link.done():
                    link.set_exception(self._not_started(error))

    async def _hold(self, link: asyncio.Future[Link]) -> None:
        peer = self._peer = self._new_peer()
        async with asyncio.timeout(self._start_s) as limit, linked(peer, self._known, self._note_change) as found:
            await self._list(found.client)
            limit.reschedule(None)
            link.set_result(found)
            ends = [asyncio.create_task(each.wait()) for each in (found.peer.ended, self._over)]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()

    def _note_change(self) -> None:
        self._is_changed = True

    def _not_started(self, error: Exception) -> ToolError:
        is_late = isinstance(error, TimeoutError)
        reason = f"it was not ready within {self._start_s:g} s" if is_late else reason_of(error)
        return ToolError(f"the server {self._name} cannot be used: {reason}{self._details()}", outage=True)

    def _details(self) -> str:
        """Why the server has ended, as far as that is known, in brackets."""
        if self._peer is None:
            return ""
        written = one_line(self._peer.stderr[-STDERR_SHOWN:].strip()) if self._peer.ended.is_set() else ""
        reason = self._peer.fault or (f"the end of its stderr: {written}" if written else "")
        return f" ({reason})" if reason else ""


def _is_ended(link: asyncio.Future[Link]) -> bool:
    if not link.done():
        return False
    with suppress(BaseException):
        return link.result().peer.ended.is_set()
    return True


def known_of(client: Client, entry: str, tools: Tools) -> Known:
    """What is stored of a server that was looked at."""
    session, server = client.session, client.server_info
    discovered = session.discover_result
    return Known(
        entry=entry,
        era="handshake" if discovered is None else "stateless",
        version=str(client.protocol_version),
        discovered=None if discovered is None else dumped(discovered),
        about=f"{server.name} {server.version}" if server is not None else "",
        tools=tuple(tools),
    )
