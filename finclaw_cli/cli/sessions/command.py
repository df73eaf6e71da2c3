"""`finclaw sessions`: the recorded sessions."""

from pathlib import Path
from typing import Annotated, Any

import typer

from finclaw_cli.cli.complete import complete_session
from finclaw_cli.cli.sessions.conditions import with_conditions

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
    """List, search, label, show, export, repair and remove recorded sessions."""


@app.command("list")
@with_conditions
def list_sessions(*, json: AsJson = False, **conditions: Any) -> None:
    """List sessions, the most recent first: all of them, or those that meet all conditions."""
    from finclaw_cli.cli.sessions.views import print_sessions
    from finclaw_cli.listings.sessions.filters import Wanted

    print_sessions(Wanted(**conditions), as_json=json)


# A word such as `-high` is excluded: no option of one letter is read from it.
@app.command("search", context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})
@with_conditions
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORD…", help='Words, "a phrase", begin*, -not.')],
    *,
    rank: Annotated[bool, typer.Option("--rank", help="The best first, in place of the newest.")] = False,
    limit: Annotated[int, typer.Option(metavar="NUMBER", help="The most messages shown.")] = 20,
    json: AsJson = False,
    **conditions: Any,
) -> None:
    """Search the messages of all sessions: questions, answers, calls and their results.

    Words are found whole and must all be in one message; of Korean, Chinese and Japanese any part is found. The words
    of all sessions are kept in an index in the data folder, which the first search makes.
    """
    from finclaw_cli.cli.sessions.search import print_hits
    from finclaw_cli.listings.sessions.filters import Wanted

    print_hits(words, Wanted(**conditions), ranked=rank, limit=limit, as_json=json)


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


@app.command("prune")
def prune(
    *,
    before: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help="Those last written before a day (2026-11-01), or a time ago: 90d, 12w."),
    ] = None,
    keep: Annotated[
        str | None, typer.Option(metavar="SIZE", help="The oldest, until the others fit into a size: 500MB, 2GB.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show which, and remove nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: AsJson = False,
) -> None:
    """Remove old sessions, by age and by size; those that are in use stay."""
    from finclaw_cli.cli.sessions.pruning import Pruning, prune_sessions

    prune_sessions(Pruning(before=before, keep=keep, dry_run=dry_run, yes=yes, as_json=json))


@app.command("tag")
def tag_session(
    session: Session,
    tags: Annotated[list[str] | None, typer.Argument(metavar="[TAG]…", help="Tags to add.")] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Remove this tag; repeatable.")] = None,
    json: AsJson = False,
) -> None:
    """Add tags to a session, and show those that it has."""
    from finclaw_cli.cli.sessions import labelling

    labelling.tag_session(session, tags or [], remove or [], as_json=json)


@app.command("note")
def note_session(
    session: Session,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="The note, in place of the one it has.")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the note.")] = False,
    json: AsJson = False,
) -> None:
    """Give a session a note, or show it."""
    from finclaw_cli.cli.sessions import labelling

    labelling.note_session(session, text, clear=clear, as_json=json)
