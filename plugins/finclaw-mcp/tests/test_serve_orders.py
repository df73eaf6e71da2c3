"""`place_order` of finclaw-paper for clients: the user sees the ticket, and nothing is placed without a yes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from conftest import Servers
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from served import ERAS

from finclaw_mcp.serving import Serving, offered

pytest.importorskip("finclaw_paper")
pytest.importorskip("finclaw_demo")
ORDER = {"symbol": "ACME", "side": "buy", "qty": "10"}
PLACED = {"yes": 1, "no": 0, "decline": 0, "no form": 0, "by name": 1}


def placed(home: Path) -> int:
    """How many orders the books have."""
    books = home / "paper.db"
    if not books.exists():
        return 0
    with closing(sqlite3.connect(books)) as connection:
        return int(connection.execute("SELECT count(*) FROM orders").fetchone()[0])


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("answer", PLACED)
async def test_an_order_is_placed_after_a_yes_or_an_approval_by_name(servers: Servers, era: str, answer: str):
    tickets: list[str] = []

    async def ask(_context: object, params: types.ElicitRequestParams) -> Any:
        tickets.append(params.message)
        if answer == "decline":
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content={"approve": answer == "yes"})

    wanted = Serving(("place_order",), ("place_order",) if answer == "by name" else ())
    shows = None if answer in {"no form", "by name"} else ask
    async with (
        offered(wanted) as made,
        Client(made.server(), mode=era, elicitation_callback=shows) as client,
    ):
        try:
            is_refused = (await client.call_tool("place_order", ORDER)).is_error
        except MCPError:
            is_refused = True
    assert is_refused is (PLACED[answer] == 0)
    assert placed(servers.home) == PLACED[answer]
    assert ["ORDER TICKET" in ticket for ticket in tickets] == [True] * (shows is not None)
