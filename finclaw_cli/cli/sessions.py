"""`finclaw sessions`: what was asked before."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Session = Annotated[str, typer.Argument(metavar="SESSION", help="Its name or the beginning of it, or a file.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


@app.callback()
def sessions() -> None:
    """List and show recorded sessions."""


@app.command("list")
def list_sessions(json: AsJson = False) -> None:
    """List sessions, the last one written first."""
    from finclaw_cli.cli.session_views import print_sessions

    print_sessions(as_json=json)


@app.command("show")
def show_session(session: Session, json: AsJson = False) -> None:
    """Show a session's conversation: questions, answers, calls and their results."""
    from finclaw_cli.cli.session_views import print_session

    print_session(session, as_json=json)
