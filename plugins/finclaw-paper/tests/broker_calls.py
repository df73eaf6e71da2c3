from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

from finclaw_cli.sdk import Reconciled, ToolContext, ToolDefinition
from finclaw_cli.testing.tools import run_tool, the_tool, tool_context
from finclaw_market.importer import ImportOptions, import_files
from finclaw_market.staging import Facts
from finclaw_paper.reading import get_account, get_positions, list_orders, reconcile
from finclaw_paper.trading import cancel_order, order_ticket, place_order, preview_order

TOOLS = {
    "account": get_account,
    "positions": get_positions,
    "orders": list_orders,
    "reconcile": reconcile,
    "preview": preview_order,
    "place": place_order,
    "cancel": cancel_order,
}
_NUMBERS = count()
AS_OF = date(2024, 1, 3)
KNOWN_AFTER_S = 0.5
"""After this time the loopback server knows an order, or never will."""


def fill_market(
    home: Path, folder: Path, rows: str, symbol: str, currency: str | None, *, replaces: bool = False
) -> None:
    split = rows.splitlines()[0].count(",") == 2
    path = folder / f"{symbol}-{next(_NUMBERS)}.csv"
    path.write_text(f"Date,Close{',Stock Splits' if split else ''}\n{rows}\n")
    facts = Facts(name=f"{symbol.title()} Corp", currency=currency, exchange="XNYS", tz="America/New_York")
    import_files([path], home, ImportOptions(symbol=symbol, facts=facts, adjustment="none", replace=replaces))


def with_settings(tool: object, settings: dict[str, Any]) -> ToolDefinition:
    """The tool as it is for a user with that table `[plugin.finclaw-paper]`."""
    definition = the_tool(tool)

    async def handler(arguments: Any, context: ToolContext) -> object:
        return await definition.handler(arguments, replace(context, settings=settings))

    async def reconcile(key: str, context: ToolContext) -> Reconciled:
        assert definition.reconcile is not None
        return await definition.reconcile(key, replace(context, settings=settings))

    return replace(
        definition,
        handler=handler,
        reconcile=reconcile if definition.reconcile is not None else None,
        reconcile_after_s=KNOWN_AFTER_S,
    )


class Calls:
    """Tool calls as a run makes them; each has a session, and so an idempotency key, of its own unless one is given."""

    def __init__(self, home: Path, **settings: Any) -> None:
        self.home = home
        self.settings = settings
        self.as_of = AS_OF

    def raw(self, name: str, /, session_id: str | None = None, **arguments: Any) -> tuple[str, bool]:
        answer = run_tool(
            with_settings(TOOLS[name], self.settings),
            arguments,
            approved=True,
            home=self.home,
            as_of=self.as_of,
            session_id=session_id or f"s{next(_NUMBERS)}",
        )
        return answer.content, answer.is_error

    def __call__(self, name: str, /, session_id: str | None = None, **arguments: Any) -> dict[str, Any]:
        """The whole result of a call that must succeed."""
        content, is_error = self.raw(name, session_id, **arguments)
        assert not is_error, content
        parsed: dict[str, Any] = json.loads(content, parse_float=_no_float)
        return parsed

    def data(self, name: str, /, session_id: str | None = None, **arguments: Any) -> dict[str, Any]:
        found: dict[str, Any] = self(name, session_id, **arguments)["data"]
        return found

    def error(self, name: str, /, session_id: str | None = None, **arguments: Any) -> str:
        content, is_error = self.raw(name, session_id, **arguments)
        assert is_error, content
        return content

    def buy(self, qty: str = "1", **more: Any) -> dict[str, Any]:
        return self.data("place", symbol="ACME", side="buy", qty=qty, **more)

    async def ticket(self, **arguments: Any) -> str:
        context = tool_context(home=self.home, settings=self.settings, as_of=self.as_of)
        numbers = {n: Decimal(v) if n in {"qty", "notional", "limit_price"} else v for n, v in arguments.items()}
        return await order_ticket(ctx=context, **numbers)

    def sql(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.home / "paper.db", isolation_level=None)) as connection:
            return connection.execute(statement, values).fetchall()


def _no_float(text: str) -> float:
    raise AssertionError(f"{text} is a float in a result")
