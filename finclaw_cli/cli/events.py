"""`finclaw events`: the contract of the NDJSON output."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def events() -> None:
    """Show the contract of the NDJSON output."""


@app.command()
def schema() -> None:
    """Print the JSON Schema that every line of --output ndjson satisfies."""
    from finclaw_cli.cli.listing import print_json
    from finclaw_cli.output.schema import line_schema

    print_json(line_schema())
