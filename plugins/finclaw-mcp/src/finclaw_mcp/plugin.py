"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import ToolSet, hookimpl
from finclaw_mcp.known import trusted_names
from finclaw_mcp.toolset import ServerTools


@hookimpl
def finclaw_toolsets() -> Sequence[ToolSet]:
    """The tools of each server that the user trusts."""
    return [ServerTools(name) for name in trusted_names()]


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw mcp add|import|list|get|remove|test|trust`."""
    from finclaw_mcp.commands import mcp

    app.add_typer(mcp)
