"""What a session is about, from its two ends: a long one is listed as quickly as a short one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from finclaw_cli.transcript.lines import Damaged, Line, decode
from finclaw_cli.transcript.store import SUFFIX

# The question stands among the first records; the end of the last run is the last one.
HEAD_RECORDS = 100
# A result that was told, or the end of a process that could not tell it.
ENDS = frozenset({"agent.result", "exit"})
TAIL_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
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
        head = list(_whole(islice(file, HEAD_RECORDS)))
        file.seek(max(0, size.st_size - TAIL_BYTES))
        tail = list(_whole(file))
    return SessionSummary(
        name=path.name.removesuffix(SUFFIX),
        path=path,
        began=head[0].at if head else None,
        written=datetime.fromtimestamp(size.st_mtime, UTC),
        bytes=size.st_size,
        question=_question(head),
        status=_status(tail),
    )


def _whole(lines: Iterable[bytes]) -> Iterator[Line]:
    for raw in lines:
        try:
            yield decode(raw)
        except Damaged:
            continue


def _question(head: list[Line]) -> str:
    asked = (line.data for line in head if line.type == "message" and line.data.get("role") == "user")
    return next((content for data in asked if isinstance(content := data.get("content"), str)), "")


def _status(tail: list[Line]) -> str | None:
    if not tail or tail[-1].type not in ENDS:
        return None
    status = tail[-1].data.get("status")
    return status if isinstance(status, str) else None
