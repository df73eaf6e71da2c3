"""`finclaw context`: what fills a model's window."""

from __future__ import annotations

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_model, complete_session

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def context() -> None:
    """Show what fills the window of a session's model."""


@app.command()
def show(
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="SESSION",
            help="Its name or the beginning of it; else the last one.",
            autocompletion=complete_session,
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="In this model's window.", autocompletion=complete_model)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Show how full the window would be if the session went on now, and with what.

    What the provider has counted is taken as it is; what came since, and the shares, are estimates. Ends with exit code
    10 where the session's file is damaged: then it is of what can be read.
    """
    from finclaw_cli.cli.context_views import print_context

    print_context(session, model, as_json=json)
