"""A session that is being written: held against other writers, with what it has come to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.transcript.history import History, open_history
from finclaw_cli.transcript.hold import Hold
from finclaw_cli.transcript.lock import Held, session_lock
from finclaw_cli.transcript.reader import Damage, read_file
from finclaw_cli.transcript.store import SUFFIX, SessionStore
from finclaw_cli.transcript.writer import TranscriptWriter, record_failed

Copied = Callable[[], Awaitable[None]]
"""Keeps what was added to a session's file elsewhere as well; raises `OutputFailed` where that is not possible."""


@record(kw_only=True)
class Session:
    """Open for writing until each of its holders has closed it. `history` is None for one that begins."""

    name: str
    path: Path
    has_name: bool
    """Whether the user named it; else it is called by its first run."""
    history: History | None
    writer: TranscriptWriter | None
    """Where there is a file already."""
    lock: Held
    hold: Hold
    copied: Copied | None = None
    """Called before anything is done that the records of the file are for; None where the file alone counts."""

    def again(self) -> Session:
        """The same session for another holder in this process: it stays locked until the last one has closed it."""
        return replace(self, hold=self.hold.again())

    def close(self) -> None:
        """Let go of it; other processes can write it after the last holder has."""
        self.hold.close()

    def warnings(self, *, resumed: bool) -> Iterator[tuple[str, str]]:
        """Warnings for a run that continues the session, each with its code."""
        if self.lock.by_marker is not None:
            yield (
                "session_lock",
                f"this file system cannot lock: {self.lock.by_marker} marks the session as being written",
            )
        if self.history is None:
            return
        if damage := self.history.damage:
            where = f"{len(damage)} places, the first at byte {damage[0].offset}: {damage[0].reason}"
            yield (
                "session_mended",
                f"the transcript of {self.name} was damaged ({where}); the damaged file is kept beside it",
            )
        if mended := self.history.mended:
            what = ", ".join(f"{each.what.replace('_', ' ')}: {each.detail}" for each in mended[:3])
            yield "session_mended", f"the conversation of {self.name} was not whole ({len(mended)} places: {what})"
        for name in self.history.given_up(resumed=resumed):
            yield "outcome_unknown", f"a run ended while {name} was running: what became of it is unknown"
        if self.history.is_unfinished and not resumed:
            how = self.history.status or "it was killed"
            resume = f"finclaw run --session {self.name} --resume"
            yield (
                "unfinished",
                f"the last question has no answer yet ({how}); this one goes on without it, `{resume}` with it",
            )


def open_session(store: SessionStore, name: str, *, has_name: bool) -> Session:
    """Hold the session of that name, and read what there is of it.

    Raises:
        UsageError: no session can be called that.
        SessionBusy: another process writes it.
        OutputFailed: it cannot be read, mended or locked.
    """
    path = store.path(name)
    held = ExitStack()
    try:
        store.make()
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise UsageError(f"{path} is no regular file", hint="Name another session.", code="bad_session")
        lock = held.enter_context(session_lock(path))
        if not has_name:
            held.callback(_drop_unused_lock, path)
        history = open_history(path) if path.exists() else None
        writer = _writer(path, history) if history else None
        if writer is not None:
            held.callback(writer.close)
    except OSError as error:
        held.close()
        raise record_failed(path, error) from error
    hold = Hold(held.close)
    return Session(name=name, path=path, has_name=has_name, history=history, writer=writer, lock=lock, hold=hold)


def _drop_unused_lock(path: Path) -> None:
    """Remove the lock's file of a session that was never written, and whose name no other process knows."""
    if not path.exists():
        path.with_suffix(".lock").unlink(missing_ok=True)


def _writer(path: Path, history: History) -> TranscriptWriter:
    return TranscriptWriter.resume(path, tag=history.tag, next_seq=history.next_seq, size=history.size)


def latest(store: SessionStore) -> str:
    """The name of the conversation that was written last.

    Raises:
        UsageError: there is none.
    """
    path = next((path for path in store.paths() if _has_conversation(path)), None)
    if path is None:
        raise UsageError("there is no session yet", hint="Ask something: finclaw run …", code="unknown_session")
    return path.name.removesuffix(SUFFIX)


def _has_conversation(path: Path) -> bool:
    """Whether a session has a message, or may have one that cannot be read; earlier versions wrote others."""
    try:
        return any(isinstance(found, Damage) or found.type == "message" for found in read_file(path))
    except OSError:
        return True
