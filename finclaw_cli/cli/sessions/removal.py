"""`finclaw sessions rm`: removal of all named sessions, or of none."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.sessions.views import store
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.output.console import echo
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.paths import search_file, sessions_folder
from finclaw_cli.transcript.labels import forget_labels, read_labels
from finclaw_cli.transcript.lock import hold_file, session_lock
from finclaw_cli.transcript.store import SUFFIX

# Files next to a session: copies from before a repair, and an unfinished repair. The lock file stays: a process that
# waits for it would otherwise lock a deleted file. No dot in it, so that `a.bak-b.jsonl` is a session of its own.
_BESIDE = re.compile(r"\.(?:part|bak-[A-Za-z0-9_-]+)")


def remove_sessions(names: list[str], *, yes: bool, as_json: bool) -> None:
    """Remove sessions with the copies of their repairs, after a confirmation.

    Raises:
        UsageError: one of them does not exist, or there is no terminal for the question; nothing was removed.
        SessionBusy: one of them is being written; nothing was removed.
        OutputFailed: a file cannot be removed; the message names it.
    """
    paths = list(dict.fromkeys(map(named_session, names)))
    if not yes and not is_confirmed(paths):
        notice("finclaw: nothing was removed")
        paths = []
    report_removed(remove_files(paths), as_json=as_json)


def report_removed(removed: Mapping[Path, list[Path]], *, as_json: bool) -> None:
    """Print the sessions that were removed, with their files."""
    if as_json:
        print_json(
            {
                "removed": [
                    {"session": session_name(path), "files": list(map(str, files))} for path, files in removed.items()
                ]
            }
        )
        return
    for path, files in removed.items():
        echo(f"{clean_line(session_name(path))}: removed {', '.join(clean_line(file.name) for file in files)}")


def named_session(name: str) -> Path:
    """The session of that name, or the only one with that prefix; never a file elsewhere."""
    exact = store().path(name)
    path = exact if exact.is_file() else store().find(name)
    if path.parent != sessions_folder():
        raise UsageError(
            f"{name!r} is a file here, and no session is called that",
            hint="`finclaw sessions list` shows which there are. Nothing was removed.",
            code="unknown_session",
        )
    return path


def session_name(path: Path) -> str:
    """The name of the session of a file."""
    return path.name.removesuffix(SUFFIX)


def is_confirmed(paths: list[Path]) -> bool:
    """Ask for a confirmation on the terminal, ignoring earlier input."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "removing needs a confirmation, and there is no terminal", hint="Add --yes to remove without a question."
        )
    import termios

    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    named = "\n".join(f"  {clean_line(session_name(path))}" for path in paths)
    notice(f"{named}\nRemove {'this session' if len(paths) == 1 else f'these {len(paths)} sessions'}? yes or no:")
    return sys.stdin.buffer.readline().strip().lower() in {b"y", b"yes"}


def remove_files(paths: list[Path]) -> dict[Path, list[Path]]:
    """Remove the files of sessions, of all or of none, and their words from the index; return which, by session.

    Raises:
        UsageError: the labels of the sessions cannot be read; nothing was removed.
        SessionBusy: one of them is being written; nothing was removed.
        OutputFailed: a file cannot be removed; the message names it.
    """
    removed: dict[Path, list[Path]] = {path: [] for path in paths}
    read_labels(sessions_folder())  # a damaged file is reported before anything is removed
    with ExitStack() as held:
        for path in paths:
            _hold(held, path)
        for path in paths:
            for file in _files(path):
                _unlink(file, removed)
                removed[path].append(file)
    _forget(removed)
    return removed


def _hold(held: ExitStack, path: Path) -> None:
    try:
        held.enter_context(session_lock(path, timeout_s=0))
        hold_file(held.enter_context(path.open("rb")).fileno(), path)
    except OSError as error:
        raise OutputFailed(
            f"{path} cannot be locked: {error.strerror or error}",
            hint="The folder of the sessions has to be writable. Nothing was removed.",
        ) from error


def _forget(removed: dict[Path, list[Path]]) -> None:
    """Drop the labels of the removed sessions, and take their words out of the index of `finclaw sessions search`."""
    from finclaw_cli.search.update import forget_removed

    if not removed:
        return
    try:
        forget_labels(sessions_folder(), set(map(session_name, removed)))
        forget_removed(search_file(), sessions_folder())
    except OSError as error:
        raise OutputFailed(
            f"{search_file()} still has the words of what was removed: {error.strerror or error}",
            hint="Remove that file: it is only an index, and made again.",
        ) from error


def _files(path: Path) -> Iterator[Path]:
    """A session's files, the transcript last, so that after a failure the session is still listed."""
    stem = path.with_suffix("").name
    beside = (file for file in path.parent.iterdir() if file.name.startswith(f"{stem}."))
    yield from sorted(file for file in beside if _BESIDE.fullmatch(file.name.removeprefix(stem)))
    yield path


def _unlink(file: Path, removed: dict[Path, list[Path]]) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        before = ", ".join(other.name for files in removed.values() for other in files) or "nothing"
        raise OutputFailed(
            f"{file} cannot be removed: {error.strerror or error}", hint=f"Removed before that: {before}."
        ) from error
