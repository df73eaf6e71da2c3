"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from finclaw_cli.sdk import ProviderSpec, ToolSet, hookimpl
from finclaw_mcp.known import trusted_names
from finclaw_mcp.requested_call import provider
from finclaw_mcp.toolset import ServerTools


@hookimpl
def finclaw_toolsets() -> Sequence[ToolSet]:
    """The tools of each server that the user trusts."""
    return [ServerTools(name) for name in trusted_names()]


@hookimpl
def finclaw_providers() -> Sequence[ProviderSpec]:
    """What stands in place of a model where a client of `finclaw mcp serve` calls a tool."""
    return [provider()]


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw mcp add|import|list|get|remove|serve|test|trust`."""
    from finclaw_mcp.commands import mcp

    app.add_typer(mcp)
