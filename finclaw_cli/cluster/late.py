"""What became of calls whose worker was taken for dead, and recorded their ends later."""

from __future__ import annotations

import zlib
from typing import Final

from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.record import record
from finclaw_cli.transcript.lines import decode

_LATE: Final = """
SELECT name, late.worker, lines FROM late JOIN items ON items.batch = late.batch AND items.line = late.line
WHERE late.batch = ? AND state = 'unknown' ORDER BY late.line, at
"""
_SHOWN: Final = 200


@record(kw_only=True)
class LateOutcome:
    """The end of a call in an item that is `unknown`."""

    item: str
    worker: str
    content: str
    """The result of the tool."""
    is_error: bool

    def __str__(self) -> str:
        how = "failed" if self.is_error else "ended"
        return f"{self.item}: {self.worker} recorded later that the call {how}: {clean_line(self.content)[:_SHOWN]}"


async def late_outcomes(queue: PostgresQueue, batch: str) -> list[LateOutcome]:
    """The ends of calls that are known by now, of the items of a batch that are `unknown`."""
    found: list[LateOutcome] = []
    for name, worker, lines in await queue.rows(_LATE, batch):
        for raw in zlib.decompress(lines).splitlines(keepends=True):
            line = decode(raw)
            if line.type == "tool_outcome" and not line.data.get("unknown"):
                content, is_error = str(line.data.get("content", "")), bool(line.data.get("is_error"))
                found.append(LateOutcome(item=name, worker=worker, content=content, is_error=is_error))
    return found
