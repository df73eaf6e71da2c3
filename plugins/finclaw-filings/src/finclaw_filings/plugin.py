"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import hookimpl


@hookimpl
def finclaw_tools() -> Sequence[object]:
    """The tools that read facts and filings."""
    from finclaw_filings.companies import company, list_filings
    from finclaw_filings.financials import financials
    from finclaw_filings.reading import read_filing
    from finclaw_filings.searching import search_filings

    return [company, financials, list_filings, read_filing, search_filings]


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw filings import|list|check|fetch`."""
    from finclaw_filings.commands import filings

    app.add_typer(filings)
