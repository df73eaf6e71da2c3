"""`finclaw sessions export`: a session as a document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from finclaw_cli.cli.sessions.file import check_free, write_private, write_stdout
from finclaw_cli.cli.sessions.views import store
from finclaw_cli.core import exits
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.listings.sessions.content import OpenSession, SessionFacts, report_damage, unreadable
from finclaw_cli.listings.sessions.conversation import spoken
from finclaw_cli.listings.sessions.html import html_pieces
from finclaw_cli.listings.sessions.json_form import json_pieces
from finclaw_cli.listings.sessions.markdown import markdown_pieces
from finclaw_cli.output.notice import notice

FORMATS = ("md", "json", "html")
STDOUT = Path("-")


@record(kw_only=True)
class Export:
    """The options of the command line."""

    session: str
    format: str | None
    as_json: bool
    output: Path | None
    force: bool


def export_session(wanted: Export) -> int:
    """Write a session as a document; return the exit code, which is 10 for a damaged session.

    Raises:
        UsageError: there is no such session or format, or the file is there already.
        FinclawError: it cannot be read.
        OutputFailed: the document cannot be written.
    """
    form = _form(wanted)
    path = store().find(wanted.session)
    output = None if wanted.output in {None, STDOUT} else wanted.output
    if output is not None:
        _check(output, path, force=wanted.force)
    try:
        file = path.open("rb")
    except OSError as error:
        raise unreadable(path, error) from error
    with file:
        session = OpenSession(path, file)
        facts = session.facts()
        _write(_pieces(form, facts, session), output, force=wanted.force)
    report_damage(facts.damage)
    return exits.REPLAY if facts.damage else exits.OK


def _form(wanted: Export) -> str:
    form = wanted.format or ("json" if wanted.as_json else FORMATS[0])
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}", hint=f"Use one of {', '.join(FORMATS)}.")
    if wanted.as_json and form != "json":
        raise UsageError(f"--json and --format {form} exclude each other", hint="Leave one of them out.")
    return form


def _check(output: Path, session: Path, *, force: bool) -> None:
    if output.exists() and output.samefile(session):
        raise UsageError(f"{output} is the session itself", hint="Name another file.")
    check_free(output, force=force)


def _pieces(name: str, facts: SessionFacts, session: OpenSession) -> Iterator[str]:
    if name == "json":
        return json_pieces(facts, session.messages())
    return (html_pieces if name == "html" else markdown_pieces)(facts, spoken(session.conversation()))


def _write(pieces: Iterator[str], output: Path | None, *, force: bool) -> None:
    if output is None:
        write_stdout(pieces)
    else:
        write_private(output, pieces, force=force)
        notice(f"finclaw: exported to {output}")
