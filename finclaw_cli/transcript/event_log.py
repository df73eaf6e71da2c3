"""Each run's events, whole, in a file of their own: `<home>/sessions/<run id>.jsonl`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.core.event_lines import event_line
from finclaw_cli.core.events import Emitted
from finclaw_cli.core.files import private_folder


class EventLog:
    """An event sink that appends one line an event, with one write, readable by its owner only.

    A write that fails is cut back to the last whole line and reported once to `on_failed`; the file is then left
    alone.
    """

    def __init__(self, folder: Path, run_id: str, on_failed: Callable[[OutputFailed], None]) -> None:
        self.path = folder / f"{run_id}.jsonl"
        self._on_failed = on_failed
        self._seq = 0
        self._whole_bytes = 0
        self._failed = False
        self._fd: int | None = None

    async def take(self, emitted: Emitted) -> None:
        if self._failed:
            return
        line = event_line(emitted, self._seq).encode("ascii")
        try:
            self._append(line)
        except OSError as error:
            self._give_up(error)
        else:
            self._seq += 1
            self._whole_bytes += len(line)

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _append(self, line: bytes) -> None:
        if self._fd is None:
            private_folder(self.path.parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW
            self._fd = os.open(self.path, flags, 0o600)
        written = os.write(self._fd, line)
        if written != len(line):
            raise OSError(f"only {written} of {len(line)} bytes were written")

    def _give_up(self, error: OSError) -> None:
        self._failed = True
        if self._fd is not None:
            os.ftruncate(self._fd, self._whole_bytes)
        self._on_failed(
            OutputFailed(
                f"the run cannot be recorded in {self.path}: {error.strerror or error}",
                hint="Free some space, point FINCLAW_HOME at a folder that can be written, or use --no-save.",
                code="record_failed",
            )
        )
