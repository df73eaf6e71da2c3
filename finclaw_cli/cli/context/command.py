"""`finclaw context`: the use of a model's context window."""

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_model, complete_session

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def context() -> None:
    """Show how a session fills its model's context window."""


@app.command()
def show(
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="SESSION",
            help="The session's name or a prefix of it; else the last one.",
            autocompletion=complete_session,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="For this model's context window.", autocompletion=complete_model),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Show how full the context window would be if the session continued now, and with what.

    Counts of the provider are used where there are any; later messages and the shares are estimates. The exit code is
    10 where the session's file is damaged: then the figures cover what can be read.
    """
    from finclaw_cli.cli.context.views import print_context

    print_context(session, model, as_json=json)
