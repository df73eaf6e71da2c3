"""Sessions as files, and the index that is searched."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from finclaw_cli.search.find import Filters, find, sessions_with
from finclaw_cli.search.query import read_query
from finclaw_cli.search.update import up_to_date
from finclaw_cli.transcript.lines import encode

BEGIN = datetime(2026, 11, 1, tzinfo=UTC)


class Sessions:
    """A folder of sessions, and the index beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.index = folder / "sessions", folder / "search.sqlite"
        self.folder.mkdir()
        self._records: dict[str, list[bytes]] = {}

    def add(self, name: str, kind: str, data: dict[str, Any], *, day: int = 0) -> None:
        """Append a record to a session's file."""
        records = self._records.setdefault(name, [])
        at = BEGIN + timedelta(days=day, seconds=len(records))
        records.append(encode(seq=len(records), tag="0" * 8, at=at, kind=kind, run_id="run_1", data=json.dumps(data)))
        (self.folder / f"{name}.jsonl").write_bytes(b"".join(records))

    def say(self, name: str, text: object, *, day: int = 0, role: str = "user") -> None:
        """Append a message."""
        self.add(name, "message", {"role": role, "content": text}, day=day)

    def found(self, query: str, filters: Filters = Filters(), *, ranked: bool = False) -> list[str]:  # noqa: B008
        """The sessions of the messages that are found, in order."""
        with up_to_date(self.index, self.folder) as connection:
            hits = find(connection, self.folder, read_query(query), filters, ranked=ranked, limit=100)
            return [hit.session for hit in hits]

    def context(self, query: str) -> str:
        """The line that is shown of the only message that is found."""
        with up_to_date(self.index, self.folder) as connection:
            (hit,) = find(connection, self.folder, read_query(query), Filters(), ranked=False, limit=2)
            return hit.context

    def with_filters(self, **filters: Any) -> list[str]:
        with up_to_date(self.index, self.folder) as connection:
            return sorted(sessions_with(connection, Filters(**filters)))
