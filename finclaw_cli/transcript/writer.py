"""Writes a transcript: one record, one write; what fails is cut back to the last whole record.

Deltas are written once per read of the network: a crash may lose the last ones of an unfinished answer.
"""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from finclaw_cli.core.errors import OutputFailed, SessionBusy
from finclaw_cli.core.files import private_folder
from finclaw_cli.core.json_text import JsonObject, dump_line
from finclaw_cli.tools.processes.forks import keep_private, no_longer_private
from finclaw_cli.transcript.lines import MAX_LINE_BYTES, encode
from finclaw_cli.transcript.lock import hold_file

STREAMED = frozenset({"agent.delta", "agent.reasoning"})
_MOST_PENDING = 64 * 1024


class TranscriptWriter:
    """Appends records to one file. After a write that failed it writes no more: what follows would stand without it."""

    def __init__(self, path: Path, fd: int, *, tag: str, next_seq: int, size: int) -> None:
        self.path = path
        self._fd = fd
        self._tag = tag
        self._seq = next_seq
        self._size = size
        self._failure: OutputFailed | None = None
        self._pending = bytearray()
        """Whole records that are not written yet."""
        self._is_scheduled = False

    @classmethod
    def create(cls, path: Path) -> TranscriptWriter:
        """A new file, readable by its owner only.

        Raises:
            SessionBusy: another writer was quicker.
            OSError: there is one already, or it cannot be made.
        """
        private_folder(path.parent)
        fd = _held(path, os.O_CREAT | os.O_EXCL)
        return cls(path, fd, tag=os.urandom(4).hex(), next_seq=0, size=0)

    @classmethod
    def resume(cls, path: Path, *, tag: str, next_seq: int, size: int) -> TranscriptWriter:
        """A file that was read to its end, which has `size` bytes of whole records.

        Raises:
            SessionBusy: another process writes it, or has written since it was read.
            OSError: it cannot be written.
        """
        fd = _held(path)
        if os.fstat(fd).st_size != size:
            no_longer_private(fd)
            os.close(fd)
            raise SessionBusy(f"the session {path.stem} was written while it was read", hint="Try again.")
        return cls(path, fd, tag=tag, next_seq=next_seq, size=size)

    def append(self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False) -> None:
        """Write one record, whose data may be JSON already.

        When this returns it survives the process; if `durable`, also a loss of power. A delta is written before the
        next record of another kind, and before the event loop waits.

        Raises:
            OutputFailed: it could not be written whole, now or before; the file is as it was before the record.
        """
        if self._failure is not None:
            raise self._failure
        body = data if isinstance(data, str) else dump_line(data)
        line = encode(seq=self._seq, tag=self._tag, at=at, kind=kind, run_id=run_id, data=body)
        if len(line) > MAX_LINE_BYTES:
            self._failure = _too_long(self.path, len(line))
            raise self._failure
        self._pending += line
        self._seq += 1
        if not (kind in STREAMED and len(self._pending) < _MOST_PENDING and self._is_written_later()):
            self._write_pending(durable=durable)

    def close(self) -> None:
        """Close the file. May be called more than once."""
        if self._fd >= 0:
            self._write_scheduled()
            no_longer_private(self._fd)
            os.close(self._fd)
            self._fd = -1

    def _is_written_later(self) -> bool:
        """Whether the event loop will write what is pending, before it waits; not without a loop."""
        if not self._is_scheduled:
            try:
                asyncio.get_running_loop().call_soon(self._write_scheduled)
            except RuntimeError:
                return False
            self._is_scheduled = True
        return True

    def _write_scheduled(self) -> None:
        self._is_scheduled = False
        if self._fd >= 0 and self._failure is None:
            with suppress(OutputFailed):  # the next record raises it
                self._write_pending(durable=False)

    def _write_pending(self, *, durable: bool) -> None:
        lines, self._pending = self._pending, bytearray()
        try:
            written = os.write(self._fd, lines) if lines else 0
            if durable:
                os.fdatasync(self._fd)
            _require_all(written, len(lines))
        except OSError as error:
            self._cut_back()
            self._failure = record_failed(self.path, error)
            raise self._failure from error
        self._size += len(lines)

    def _cut_back(self) -> None:
        with suppress(OSError):
            os.ftruncate(self._fd, self._size)


def _require_all(written: int, size: int) -> None:
    """Refuse a part: what a second write adds might stand behind a record of another process."""
    if written != size:
        raise OSError(errno.ENOSPC, f"only {written} of {size} bytes could be written")


def _held(path: Path, flags: int = 0) -> int:
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)
    try:
        hold_file(fd, path)
    except BaseException:
        os.close(fd)
        raise
    keep_private(fd)  # the lock would outlive us in what a tool forks
    return fd


def record_failed(path: Path, error: OSError) -> OutputFailed:
    """The error of a transcript that cannot be written."""
    return OutputFailed(
        f"the run cannot be recorded in {path}: {error.strerror or error}",
        hint="Free some space, point FINCLAW_HOME at a folder that can be written, or use --no-save.",
        code="record_failed",
    )


def _too_long(path: Path, length: int) -> OutputFailed:
    return OutputFailed(
        f"the run cannot be recorded in {path}: a record of {length:,} bytes is longer than {MAX_LINE_BYTES:,}",
        hint="Give less text at a time, or use --no-save.",
        code="record_failed",
    )
