"""The events of one run from its transcript, which may still be written: read in pieces, in threads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from finclaw_cli.core import exits
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.events.agent import AgentResult, AgentStart, Emitted
from finclaw_cli.core.events.parts import Failure
from finclaw_cli.core.record import record
from finclaw_cli.output.ndjson import Selection, encode
from finclaw_cli.serve.live_events import Counts, Numbered
from finclaw_cli.transcript.lines import MAX_LINE_BYTES, Damaged, Line, decode
from finclaw_cli.transcript.reader import Damage
from finclaw_cli.transcript.replay import events_of

PIECE_BYTES = 256 * 1024
"""How much of a file is read at a time."""
RUN_LOST = "run_lost"
LOST = "the run has no end: its process was killed"
RESUME = "`finclaw run --session {session} --resume` takes its question up again."


@record(kw_only=True)
class RunPlace:
    """Where the records of a run are."""

    run_id: str
    session: str
    path: Path
    offset: int = 0
    """Where in the file they begin, or an earlier place."""


class RecordedEvents:
    """Reads the lines of a run after some `seq`, from where the last reading ended.

    `place` is that of the next event; `result` is there once the last line of the run was read.
    """

    def __init__(self, where: RunPlace, selection: Selection, after: int) -> None:
        self._where = where
        self._selection = selection
        self._after = after
        self._offset = where.offset
        self._counts = Counts()
        self._start: AgentStart | None = None
        self.first: datetime | None = None
        """When the first event was recorded."""
        self.last: datetime | None = None
        """When the last one was that has been read so far."""
        self.result: AgentResult | None = None
        self.is_at_end = False
        """Whether the last reading has found no further record."""
        self.is_over = False
        """Whether the records of a later run follow."""
        self._damage: Damage | None = None

    @property
    def is_whole(self) -> bool:
        """Whether no further line of the run can follow."""
        return self.result is not None or self.is_over

    @property
    def place(self) -> int:
        """The number of events, of all families, that were read so far."""
        return self._counts.total

    def read_on(self) -> list[Numbered]:
        """The lines in the next piece of the file; none at its end.

        Raises:
            FinclawError: it cannot be read.
        """
        before = self._offset
        try:
            with self._where.path.open("rb") as file:
                file.seek(before)
                lines = list(self._lines(file))
        except OSError as error:
            raise FinclawError(f"{self._where.path}: cannot be read: {error.strerror}") from error
        self.is_at_end = self._offset == before
        return lines

    def missing_end(self) -> tuple[int, bytes]:
        """A result line for a run that has none."""
        seq = self._counts.seq(self._selection)
        return seq, encode(Emitted(self.last or datetime.now(UTC), self._where.run_id, self.missing_result()), seq)

    def missing_result(self) -> AgentResult:
        """The result of a run that has none, because its process was killed or its transcript is damaged."""
        damage = self._damage
        failure = Failure(
            code=RUN_LOST if damage is None else "damaged_transcript",
            message=LOST if damage is None else f"the transcript is damaged: {damage.reason}",
            hint=RESUME.format(session=self._where.session),
        )
        code = exits.UNEXPECTED if damage is None else exits.REPLAY
        return AgentResult(
            status="error", exit_code=code, session_id=self._where.session, model=None,
            scripted=self._start is not None and self._start.scripted, text="", output=None, stop_reason=None,
            turns=0, usage=None, cost_usd=None, tool_calls={}, denied=(), unknown=(), duration_ms=0, error=failure,
        )  # fmt: skip

    def _lines(self, file: BinaryIO) -> Iterator[Numbered]:
        for item in events_of(self._records(file)):
            if isinstance(item, Damage):
                self._damage, self.is_over = item, True
                return
            before, self._counts = self._counts, self._counts.after(item)
            self.first, self.last = self.first or item.at, item.at
            if isinstance(item.event, AgentStart):
                self._start = item.event
            if isinstance(item.event, AgentResult):
                self.result = item.event
            seq = before.seq(self._selection)
            if seq > self._after and self._selection.takes(item.event):
                yield seq, encode(item, seq)

    def _records(self, file: BinaryIO) -> Iterator[Line | Damage]:
        """The whole records of the run; the end of the file may have a part of one."""
        marked = b'"run":"%s"' % self._where.run_id.encode("ascii")
        until = self._offset + PIECE_BYTES
        while self._offset < until and self.result is None and (raw := file.readline(MAX_LINE_BYTES)):
            if not raw.endswith(b"\n"):
                return
            offset, self._offset = self._offset, self._offset + len(raw)
            if marked not in raw[:200]:
                self.is_over = self.place > 0
                if self.is_over:
                    return
                continue
            try:
                yield decode(raw, offset)
            except Damaged as damaged:
                yield Damage(what="invalid", offset=offset, raw=raw, reason=str(damaged))
