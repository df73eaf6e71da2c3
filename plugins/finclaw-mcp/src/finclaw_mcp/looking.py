"""Looking at a server: it is started, asked what it is and what it can do, and ended."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.settings import find_secret
from finclaw_mcp.entries import Entry
from finclaw_mcp.known import Changes, Known

_ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Look:
    """What a server was when it was looked at."""

    known: Known
    ready_s: float

    def facts(self, name: str) -> dict[str, Any]:
        """What is shown of it."""
        return {
            "name": name,
            "about": bounded(self.known.about, 200),
            "version": self.known.version,
            "era": self.known.era,
            "ready_s": round(self.ready_s, 2),
        }

    def changes_from(self, known: Known | None) -> Mapping[str, list[str]]:
        """The tools that are new, other and gone since then."""
        found = Changes.between(known, self.known.tools) if known is not None else Changes()
        return {kind: list(names) for kind, names in asdict(found).items()}


def look(name: str, entry: Entry) -> Look:
    """Start a server and end it again.

    Raises:
        ToolError: it cannot be started, or does not speak the protocol.
    """
    met: list[int] = []
    before = {number: signal.getsignal(number) for number in _ENDING}
    try:
        return asyncio.run(_look(name, entry, entry.folder(Path.cwd()), met))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if met:
            signal.raise_signal(met[0])


def _end_by_signals(met: list[int]) -> None:
    """Have a signal cancel this task, so that the server is ended before the process is; further ones do nothing."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def cancel(number: int) -> None:
        if task is not None and not met:
            task.cancel()
        met.append(number)

    for number in _ENDING:
        loop.add_signal_handler(number, cancel, number)


async def _look(name: str, entry: Entry, folder: Path, met: list[int]) -> Look:
    from finclaw_mcp.connection import Connection, known_of
    from finclaw_mcp.opening import peer_of

    _end_by_signals(met)
    tools: list[dict[str, Any]] = []
    peer = peer_of(entry, folder, find_secret)
    connection = Connection(name, peer, None, entry.startup_timeout_sec, tools.extend)
    begun = time.monotonic()
    try:
        client = (await connection.link()).client
        return Look(known_of(client, entry.digest, tools), time.monotonic() - begun)
    finally:
        await connection.close()
