"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import ToolAt, hookimpl, tools_at


@hookimpl
def finclaw_tools() -> Sequence[ToolAt]:
    """The tools over the user's own books; all but the import only read."""
    return tools_at(
        __package__,
        "looking:ledger_accounts",
        "looking:ledger_balance",
        "looking:ledger_transactions",
        "summing:spending",
        "summing:income_statement",
        "budget:budget",
        "holdings:holdings",
        "query:ledger_query",
        "intake:import_statement",
    )


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw ledger import|list|profiles|check`."""
    from finclaw_ledger.commands import ledger

    app.add_typer(ledger)
