"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from typing import Annotated

import typer

from finclaw_cli.sdk import hookimpl

MODELS = "A model that the editor may choose, the first one by default; may be repeated."
TOOLS = "The tools that are offered: names, globs, or GROUP:GLOB; may be repeated."


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw acp`."""
    app.command("acp")(acp)


def acp(
    model: Annotated[list[str] | None, typer.Option("--model", "-m", metavar="MODEL", help=MODELS)] = None,
    tools: Annotated[list[str] | None, typer.Option("--tools", "-t", metavar="TOOLS", help=TOOLS)] = None,
) -> None:
    """Be the agent of an editor, by the Agent Client Protocol over stdin and stdout.

    The editor starts this command. Each of its sessions is an ordinary one: finclaw sessions list shows it.
    """
    from finclaw_acp.agent import EditorAgent
    from finclaw_acp.serving import serve
    from finclaw_cli.sdk.front import serve_front

    serve_front(lambda writing: serve(EditorAgent(model or [], tools), writing))
