"""Records of a run that has not started yet: held in memory until it makes a request or starts a call."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, Protocol

from finclaw_cli.core.json_text import JsonObject

# The first records of a run that has done something; what precedes them, a run that fails to start writes too.
_STARTED = frozenset({"request", "tool_intent", "tool_outcome", "agent.tool_call", "agent.approval"})


class Append(Protocol):
    """Takes a record; raises `OutputFailed` where it cannot."""

    def __call__(
        self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False
    ) -> None: ...


class RecordWriter(Protocol):
    """Takes records."""

    @property
    def append(self) -> Append: ...

    def close(self) -> None: ...


class _Record(NamedTuple):
    kind: str
    at: datetime
    run_id: str
    data: JsonObject | str
    durable: bool


class PendingWriter:
    """A writer that opens its file for the first run that starts; without one, nothing is written.

    Args:
        open_writer: opens the file, given the time and the run of the first record.
    """

    def __init__(self, open_writer: Callable[[datetime, str], RecordWriter]) -> None:
        self._open_writer = open_writer
        self._pending: list[_Record] = []
        self._writer: RecordWriter | None = None
        self.append: Append = self._append
        """Write a record, preceded by those that are pending, or add it to them; `OutputFailed` as of the file."""

    def _append(self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False) -> None:
        self._pending.append(_Record(kind, at, run_id, data, durable))
        if kind in _STARTED or (kind == "agent.result" and _is_answer(data)):
            self._write_pending()

    def close(self) -> None:
        """Close the file, if one was opened."""
        if self._writer is not None:
            self._writer.close()

    def _write_pending(self) -> None:
        pending, self._pending = self._pending, []
        self._writer = self._open_writer(pending[0].at, pending[0].run_id)
        self.append = self._writer.append  # a call less for each of twenty thousand deltas
        for each in pending:
            self._writer.append(each.kind, each.at, each.run_id, each.data, durable=each.durable)


def _is_answer(result: JsonObject | str) -> bool:
    """Whether the run of a result ended without an error: one taken up after its answer asks nothing."""
    data = json.loads(result) if isinstance(result, str) else result
    return data.get("error") is None
