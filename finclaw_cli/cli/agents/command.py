"""`finclaw agents`: the runs of agents that are under way."""

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def agents() -> None:
    """Show which runs of agents are under way, and which wait."""


@app.command()
def status(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """Show the runs of each agent in all processes: those that run, and those that wait, in their order.

    Runs that name no agent wait for no other one, and are not shown.
    """
    from finclaw_cli.cli.agents.views import print_status

    print_status(as_json=json)
