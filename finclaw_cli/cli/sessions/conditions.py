"""The options of `finclaw sessions list` and `search` that choose sessions."""

import inspect
from collections.abc import Callable
from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_model, complete_tool


def _conditions(
    *,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN", help="Since then: 2026-11-01, 2026-11, 2026-W45, yesterday, or a time ago: 7d, 24h."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="With a model of this name.", autocompletion=complete_model)
    ] = None,
    tool: Annotated[
        str | None, typer.Option(metavar="TOOL", help="In which this tool was called.", autocompletion=complete_tool)
    ] = None,
    symbol: Annotated[
        str | None, typer.Option(metavar="SYMBOL", help="In which a tool was called with this symbol.")
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="In which a run did not complete.")] = False,
    cost_over: Annotated[float | None, typer.Option(metavar="USD", help="With runs that cost more than that.")] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="With this tag.")] = None,
) -> None:
    """Each is a field of `listings.sessions.filters.Wanted`."""


def with_conditions(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, in place of its `**` parameter."""
    own = inspect.signature(command)
    *parameters, _ = own.parameters.values()
    options = inspect.signature(_conditions).parameters.values()
    command.__signature__ = own.replace(parameters=[*parameters, *options])  # type: ignore[attr-defined]
    return command
