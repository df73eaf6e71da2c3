"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import hookimpl


@hookimpl
def finclaw_tools() -> Sequence[object]:
    """The tools: prices, rates, series, and what brings them in."""
    from finclaw_market.fx import convert_currency
    from finclaw_market.history import get_price_history
    from finclaw_market.intake import import_data
    from finclaw_market.macro import get_series
    from finclaw_market.openings import market_sessions
    from finclaw_market.plotting import plot_prices
    from finclaw_market.quotes import find_symbol, get_quote

    return [
        find_symbol,
        get_quote,
        get_price_history,
        convert_currency,
        get_series,
        market_sessions,
        import_data,
        plot_prices,
    ]


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw data import|fetch|list|check`."""
    from finclaw_market.commands import data

    app.add_typer(data)
