"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import hookimpl


@hookimpl
def finclaw_tools() -> Sequence[object]:
    """The tools over the user's own books; all but the import only read."""
    from finclaw_ledger.holdings import holdings
    from finclaw_ledger.intake import import_statement
    from finclaw_ledger.looking import ledger_accounts, ledger_balance, ledger_transactions
    from finclaw_ledger.query import ledger_query
    from finclaw_ledger.summing import income_statement, spending

    return [
        ledger_accounts,
        ledger_balance,
        ledger_transactions,
        spending,
        income_statement,
        holdings,
        ledger_query,
        import_statement,
    ]


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw ledger import|list|profiles|check`."""
    from finclaw_ledger.commands import ledger

    app.add_typer(ledger)
