"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import ToolAt, hookimpl, tools_at


@hookimpl
def finclaw_tools() -> Sequence[ToolAt]:
    """The tools: prices, rates, series, and what brings them in."""
    return tools_at(
        __package__,
        "quotes:find_symbol",
        "quotes:get_quote",
        "history:get_price_history",
        "fx:convert_currency",
        "macro:get_series",
        "openings:market_sessions",
        "intake:import_data",
        "plotting:plot_prices",
    )


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw data import|fetch|list|check|repair`."""
    from finclaw_market import repair_command
    from finclaw_market.commands import data

    data.command("repair")(repair_command.repair_)
    app.add_typer(data)
