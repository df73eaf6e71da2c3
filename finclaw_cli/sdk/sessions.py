"""The sessions that are kept, for plugins that list and show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.messages import Message, ToolResultBlock
from finclaw_cli.core.record import record
from finclaw_cli.listings.sessions.content import conversation_of
from finclaw_cli.listings.sessions.summaries import listed
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.reader import read_file
from finclaw_cli.transcript.store import SUFFIX, SessionStore

__all__ = ["KeptSession", "KeptSessions", "Message", "ToolResultBlock", "kept_sessions", "messages_of"]


@record(kw_only=True)
class KeptSession:
    """A session, as it is listed."""

    id: str
    question: str
    """The first question of it; may be empty."""
    written: datetime
    """When it was last written, UTC."""


@record(kw_only=True)
class KeptSessions:
    """One page of a list of sessions."""

    sessions: tuple[KeptSession, ...]
    following: int | None
    """Where the next page begins; None at the end."""


def kept_sessions(report: Callable[[str], None], begin: int = 0, most: int = 50) -> KeptSessions:
    """Sessions, the last one written first.

    Args:
        report: takes a line for each file that cannot be read, and is left out.
        begin: how many files are left out at the beginning.
        most: how many there may be.
    """
    paths = SessionStore(sessions_folder()).paths()
    end = begin + most
    sessions = tuple(
        KeptSession(id=one.summary.name, question=one.summary.question, written=one.summary.written)
        for one in listed(None, report, paths[begin:end])
    )
    return KeptSessions(sessions=sessions, following=end if len(paths) > end else None)


def messages_of(session: str) -> Iterator[Message]:
    """The messages of a session, in order. Secrets and private data are masked, as they are in its transcript.

    Raises:
        UsageError: there is no such session.
        FinclawError: it cannot be read.
    """
    path = SessionStore(sessions_folder()).path(session)
    if path.name != f"{session}{SUFFIX}" or not path.is_file():
        raise UsageError(f"there is no session {session}", hint="`finclaw sessions list` shows which there are.")
    return (item for item in conversation_of(read_file(path)) if isinstance(item, Message))
