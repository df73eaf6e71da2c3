"""`finclaw skills`: instructions that a model can load."""

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_skill

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


@app.callback()
def skills() -> None:
    """List and show skills: instructions that a model can load."""


@app.command("list")
def list_skills(json: AsJson = False) -> None:
    """List the skills of the user, the project and the plugins; broken ones are named on stderr."""
    from finclaw_cli.cli.skills.views import print_skills

    print_skills(as_json=json)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The skill.", autocompletion=complete_skill)],
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="One of its files instead.")] = None,
) -> None:
    """Show a skill as the model gets it."""
    from finclaw_cli.cli.skills.views import print_skill

    print_skill(name, file)
