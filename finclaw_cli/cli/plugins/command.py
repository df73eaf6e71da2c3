"""`finclaw plugins`: the installed plugins, what each offers, and their trust."""

from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_plugin

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Name = Annotated[
    str,
    typer.Argument(
        metavar="DIST", help="A plugin's distribution, as `plugins list` shows it.", autocompletion=complete_plugin
    ),
]


@app.callback()
def plugins() -> None:
    """Show the installed plugins, and trust or revoke them."""


@app.command("list")
def list_plugins(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """List the installed plugins: version, trust, what each offers, and problems."""
    from finclaw_cli.cli.plugins.views import print_plugins

    print_plugins(as_json=json)


@app.command()
def new(
    dist: Annotated[str, typer.Argument(metavar="NAME", help="Name of the distribution, such as finclaw-acme.")],
    folder: Annotated[Path, typer.Option(help="Where to make the folder of the project.")] = Path(),
) -> None:
    """Make the project of a plugin: one tool, its test, and how to install it."""
    from finclaw_cli.cli.plugins.template import make_plugin

    make_plugin(dist, folder)


@app.command()
def trust(dist: Name) -> None:
    """Let finclaw run a plugin's code: its tools by the policy of their groups, its models, commands, rules and hooks.

    Trust covers this version with these files: after an update or a change you are asked again. An installed package
    can run code whether you trust it or not; do not install a package that you would not run.
    """
    from finclaw_cli.cli.plugins.views import grant_trust

    grant_trust(dist)


@app.command()
def revoke(dist: Name) -> None:
    """Revoke the trust in a plugin: its code does not run before a call of its tools is approved."""
    from finclaw_cli.cli.plugins.views import revoke_trust

    revoke_trust(dist)
