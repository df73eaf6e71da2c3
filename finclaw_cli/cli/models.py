"""`finclaw models`: which models can be asked."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def models() -> None:
    """Show the models that can be asked."""


@app.command("list")
def list_models(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """List known models, their providers, and whether there is a key; any other name of a provider works as well."""
    from finclaw_cli.cli.listing import print_json
    from finclaw_cli.cli.model_views import model_rows
    from finclaw_cli.output.console import echo, echo_table

    rows = model_rows()
    if json:
        print_json(rows)
        return
    cells = [(row.model, row.provider, row.key, row.shown_window, row.note) for row in rows]
    echo_table(("MODEL", "PROVIDER", "KEY", "WINDOW", "NOTE"), cells)
    echo("\nA model of any compatible server: finclaw run -m NAME --base-url http://localhost:11434/v1 …")
