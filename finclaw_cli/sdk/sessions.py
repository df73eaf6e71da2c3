"""The sessions that are kept, for plugins that list and show them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.messages import Message, ToolResultBlock
from finclaw_cli.core.record import record
from finclaw_cli.listings.sessions.content import conversation_of
from finclaw_cli.listings.sessions.summaries import listed
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.reader import read_file
from finclaw_cli.transcript.store import SUFFIX, SessionStore

__all__ = ["KeptSession", "Message", "ToolResultBlock", "kept_sessions", "messages_of"]


@record(kw_only=True)
class KeptSession:
    """A session, as it is listed."""

    id: str
    question: str
    """The first question of it; may be empty."""
    written: datetime
    """When it was last written, UTC."""


def kept_sessions(begin: int = 0, most: int = 50) -> list[KeptSession]:
    """Sessions, the last one written first; files that cannot be read are left out.

    Args:
        begin: how many are left out at the beginning.
        most: how many there may be.
    """
    paths = SessionStore(sessions_folder()).paths()[begin : begin + most]
    return [
        KeptSession(id=one.summary.name, question=one.summary.question, written=one.summary.written)
        for one in islice(listed(None, lambda _line: None, paths), most)
    ]


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
