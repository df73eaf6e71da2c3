"""`finclaw sessions`: the recorded sessions."""

from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_session

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Session = Annotated[
    str,
    typer.Argument(
        metavar="SESSION", help="The session's name or a prefix of it, or a file.", autocompletion=complete_session
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


@app.callback()
def sessions() -> None:
    """List, show, export, repair and remove recorded sessions."""


@app.command("list")
def list_sessions(json: AsJson = False) -> None:
    """List sessions, the most recent first."""
    from finclaw_cli.cli.sessions.views import print_sessions

    print_sessions(as_json=json)


@app.command("show")
def show_session(
    session: Session,
    calls: Annotated[
        bool, typer.Option("--calls", help="The table of its calls: state, start (UTC), duration, attempts, bytes.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show a session's conversation: questions, answers, calls and their results."""
    from finclaw_cli.cli.sessions.views import print_calls, print_session

    show = print_calls if calls else print_session
    show(session, as_json=json)


@app.command("export")
def export(
    session: Session,
    form: Annotated[
        str | None, typer.Option("--format", metavar="md|json|html", help="The format of the document.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-O", metavar="FILE", help="A file instead of stdout.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Write a session as a document: Markdown, JSON, or one self-contained page of HTML.

    The exit code is 10 where the session's file is damaged: then the document has what can be read.
    """
    from finclaw_cli.cli.sessions.export import Export, export_session

    wanted = Export(session=session, format=form, as_json=json, output=output, force=force)
    raise typer.Exit(export_session(wanted))


@app.command("repair")
def repair(
    session: Session,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the damage, and change nothing.")] = False,
    json: AsJson = False,
) -> None:
    """Show the damage of a session, and repair its file; the damaged one is kept in the same folder.

    With --dry-run the exit code is 10 where the file is damaged.
    """
    from finclaw_cli.cli.sessions.repair import repair_session

    raise typer.Exit(repair_session(session, dry_run=dry_run, as_json=json))


@app.command("rm")
def remove(
    names: Annotated[
        list[str],
        typer.Argument(metavar="SESSION", help="Names, or prefixes of them.", autocompletion=complete_session),
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: AsJson = False,
) -> None:
    """Remove sessions, with the copies of their repairs: all that are named, or none."""
    from finclaw_cli.cli.sessions.removal import remove_sessions

    remove_sessions(names, yes=yes, as_json=json)
