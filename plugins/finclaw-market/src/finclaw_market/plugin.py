"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import hookimpl


@hookimpl
def finclaw_tools() -> Sequence[object]:
    """The tools that read prices and rates."""
    from finclaw_market.fx import convert_currency
    from finclaw_market.history import get_price_history
    from finclaw_market.quotes import find_symbol, get_quote

    return [find_symbol, get_quote, get_price_history, convert_currency]


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw data import|list|check`."""
    from finclaw_market.commands import data

    app.add_typer(data)
