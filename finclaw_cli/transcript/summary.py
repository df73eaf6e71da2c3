"""What a session is about, from its two ends: a long one is listed as quickly as a short one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from finclaw_cli.core.record import record
from finclaw_cli.transcript.lines import Damaged, Line, decode
from finclaw_cli.transcript.store import SUFFIX

# The question stands among the first records; the end of the last run is the last one.
HEAD_RECORDS = 100
# A result that was shown, or the end of a process that could not show it.
ENDS = frozenset({"agent.result", "exit"})
# The last record is nearly always in the first of these.
TAIL_BYTES = (8 * 1024, 256 * 1024)


@record(kw_only=True)
class SessionSummary:
    """One line of the list. Times are UTC; `status` is that of the last run, None where it has no end (yet)."""

    name: str
    path: Path
    began: datetime | None
    written: datetime
    bytes: int
    question: str
    status: str | None


def summary_of(path: Path) -> SessionSummary:
    """The summary of a session's file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno())
        head = _whole(islice(file, HEAD_RECORDS))
        first = next(head, None)
        question = _question(chain([first] if first else [], head))
        last = _last(file, size.st_size)
    return SessionSummary(
        name=path.name.removesuffix(SUFFIX),
        path=path,
        began=first.at if first else None,
        written=datetime.fromtimestamp(size.st_mtime, UTC),
        bytes=size.st_size,
        question=question,
        status=_status(last),
    )


def _whole(lines: Iterable[bytes]) -> Iterator[Line]:
    for raw in lines:
        try:
            yield decode(raw)
        except Damaged:
            continue


def _question(head: Iterable[Line]) -> str:
    asked = (line.data for line in head if line.type == "message" and line.data.get("role") == "user")
    return next((content for data in asked if isinstance(content := data.get("content"), str)), "")


def _last(file: BinaryIO, size: int) -> Line | None:
    for most in TAIL_BYTES:
        file.seek(max(0, size - most))
        if last := next(_whole(reversed(list(file))), None):
            return last
    return None


def _status(last: Line | None) -> str | None:
    if last is None or last.type not in ENDS:
        return None
    status = last.data.get("status")
    return status if isinstance(status, str) else None
