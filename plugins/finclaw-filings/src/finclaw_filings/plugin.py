"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import ToolAt, hookimpl, tools_at


@hookimpl
def finclaw_tools() -> Sequence[ToolAt]:
    """The tools that read facts and filings."""
    return tools_at(
        __package__,
        "companies:company",
        "financials:financials",
        "ratios:ratios",
        "companies:list_filings",
        "reading:read_filing",
        "searching:search_filings",
        "ownership:ownership",
    )


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw filings import|list|check|fetch`."""
    from finclaw_filings.commands import filings

    app.add_typer(filings)
