"""Sessions as they are listed: what each is about, whether it is in use, its tags and its note."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.labels import Labels, read_labels
from finclaw_cli.transcript.lock import holder_of, is_held
from finclaw_cli.transcript.store import SUFFIX, SessionStore
from finclaw_cli.transcript.summary import SessionSummary, summary_of


@record
class Listed:
    """One session of the list."""

    summary: SessionSummary
    labels: Labels

    def facts(self) -> JsonObject:
        """The session as JSON."""
        summary = self.summary
        in_use = is_held(summary.path)
        holder = holder_of(summary.path) if in_use else None
        return {
            "name": summary.name,
            "path": str(summary.path),
            "began": timestamp(summary.began) if summary.began else None,
            "written": timestamp(summary.written),
            "bytes": summary.bytes,
            "question": summary.question,
            "status": summary.status,
            "in_use": in_use,
            "holder": {"pid": holder.pid, "host": holder.host, "since": holder.since, "started": holder.started}
            if holder
            else None,
            "tags": list(self.labels.tags),
            "note": self.labels.note or None,
        }


def listed(
    names: Collection[str] | None, report: Callable[[str], None], paths: list[Path] | None = None
) -> Iterator[Listed]:
    """The sessions of these names, or all of them, the last one written first.

    Args:
        names: which sessions; None for all of them.
        report: takes a line for each file that cannot be read.
        paths: the files of all sessions, where they are known.
    """
    try:
        labels = read_labels(sessions_folder())
    except UsageError as error:  # the sessions are worth more than their tags
        report(f"{error.message}: no session is shown with tags or a note. {error.hint}")
        labels = {}
    for path in SessionStore(sessions_folder()).paths() if paths is None else paths:
        name = path.name.removesuffix(SUFFIX)
        if names is None or name in names:
            try:
                summary = summary_of(path)
            except OSError as error:
                report(f"{path}: cannot be read: {error.strerror}")
                continue
            yield Listed(summary, labels.get(name, Labels()))
