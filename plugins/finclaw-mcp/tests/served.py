"""finclaw as a server in this process, with a client of the official SDK, and a tool whose calls are counted."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
from conftest import Servers
from mcp.client import Client

from finclaw_mcp.serving import Serving, offered

ORDER = "plain__order"
ECHO = "plain__echo"
ARGUMENTS = {"text": "10 ACME"}
ERAS = ("legacy", "2026-07-28")
Answer = Callable[[types.ElicitRequestParams], Any]


class Desk:
    """A server of finclaw's tools, whose user answers forms."""

    def __init__(self, servers: Servers) -> None:
        self.home = servers.home
        self._orders = self.home / "orders"
        self.forms: list[str] = []
        """What the user was asked."""
        servers.trust(env=f'{{ ORDERS_FILE = "{self._orders}" }}')

    @property
    def orders(self) -> list[Any]:
        """The orders that were placed."""
        return [json.loads(line) for line in self._orders.read_text().splitlines()] if self._orders.exists() else []

    @property
    def sessions(self) -> list[Path]:
        return sorted((self.home / "sessions").glob("*.jsonl"))

    @asynccontextmanager
    async def client(
        self, era: str, answer: Answer | None = None, *, tools: tuple[str, ...] = (ORDER, ECHO), approve: str = ""
    ) -> AsyncIterator[Client]:
        """A client; without an answer it does not show forms."""
        async with (
            offered(Serving(tools, (approve,) if approve else ())) as made,
            Client(made.server(), mode=era, elicitation_callback=self._asking(answer)) as client,
        ):
            yield client

    def _asking(self, answer: Answer | None) -> Any:
        async def ask(_context: object, params: types.ElicitRequestParams) -> Any:
            self.forms.append(params.message)
            found = answer(params) if answer is not None else None
            return await found if isinstance(found, Awaitable) else found

        return ask if answer is not None else None


def chose(action: str, content: dict[str, Any] | None = None) -> Answer:
    """A user who always chooses this."""
    return lambda _params: types.ElicitResult(action=action, content=content)  # type: ignore[arg-type]


YES = chose("accept", {"approve": True})
