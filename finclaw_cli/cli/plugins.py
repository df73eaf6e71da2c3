"""`finclaw plugins`: which plugins are installed, and what each offers."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def plugins() -> None:
    """Show the installed plugins."""


@app.command("list")
def list_plugins(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """List the installed plugins: version, what each offers, what is wrong with it."""
    from finclaw_cli.cli.listing import installed, print_json
    from finclaw_cli.output.console import echo, echo_table

    manifests = installed().plugins.manifests
    if json:
        print_json(
            [
                {
                    "name": m.dist,
                    "version": m.version,
                    "tools": [tool.name for tool in m.tools],
                    "providers": [provider.name for provider in m.providers],
                    "commands": [command.name for command in m.commands],
                    "error": m.error,
                    "problems": list(m.problems),
                }
                for m in manifests
            ]
        )
    elif not manifests:
        echo("No plugins are installed. Try: pip install finclaw-market finclaw-demo")
    else:
        rows = [
            (m.dist, m.version, "broken" if m.error else "ok", m.error or _offers(m.tools, m.providers, m.commands))
            for m in manifests
        ]
        echo_table(("PLUGIN", "VERSION", "STATE", "OFFERS"), rows)


def _offers(*kinds: tuple[object, ...]) -> str:
    named = zip(kinds, ("tool", "model provider", "command"), strict=True)
    return ", ".join(f"{len(items)} {name}{'s' * (len(items) != 1)}" for items, name in named if items) or "nothing"
