"""`finclaw sessions rm`: sessions removed, all that were named or none."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.session_views import store
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.output.console import echo
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.lock import hold_file, session_lock
from finclaw_cli.transcript.store import SUFFIX

# Beside a session: what it was before it was mended, and a mending that did not end. The lock stays: whoever waits for
# it would otherwise hold a file that nobody else sees. No dot in it, so that `a.bak-b.jsonl` is a session of its own.
_BESIDE = re.compile(r"\.(?:part|bak-[A-Za-z0-9_-]+)")


def remove_sessions(names: list[str], *, yes: bool, as_json: bool) -> None:
    """Remove sessions with everything that was kept of them, once somebody has said yes.

    Raises:
        UsageError: one of them is not there, or there is nobody to ask; nothing was removed.
        SessionBusy: one of them is being written; nothing was removed.
        OutputFailed: a file cannot be removed; the message names it.
    """
    paths = list(dict.fromkeys(map(_found, names)))
    if not yes and not _asked(paths):
        notice("finclaw: nothing was removed")
        paths = []
    removed = _remove(paths)
    if as_json:
        print_json(
            {"removed": [{"session": _name(path), "files": list(map(str, files))} for path, files in removed.items()]}
        )
    else:
        for path, files in removed.items():
            echo(f"{clean_line(_name(path))}: removed {', '.join(clean_line(file.name) for file in files)}")


def _found(name: str) -> Path:
    """The session of that name, or the only one whose name begins like this; never a file elsewhere."""
    exact = store().path(name)
    path = exact if exact.is_file() else store().find(name)
    if path.parent != sessions_folder():
        raise UsageError(
            f"{name!r} is a file here, and no session is called that",
            hint="`finclaw sessions list` shows which there are. Nothing was removed.",
            code="unknown_session",
        )
    return path


def _name(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _asked(paths: list[Path]) -> bool:
    """Ask whoever sits at the terminal; only what is typed after the question counts."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "removing needs a confirmation, and there is no terminal", hint="Add --yes to remove without a question."
        )
    import termios

    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    named = "\n".join(f"  {clean_line(_name(path))}" for path in paths)
    notice(f"{named}\nRemove {'this session' if len(paths) == 1 else f'these {len(paths)} sessions'}? yes or no:")
    return sys.stdin.buffer.readline().strip().lower() in {b"y", b"yes"}


def _remove(paths: list[Path]) -> dict[Path, list[Path]]:
    removed: dict[Path, list[Path]] = {path: [] for path in paths}
    with ExitStack() as held:
        for path in paths:
            _hold(held, path)
        for path in paths:
            for file in _files(path):
                _unlink(file, removed)
                removed[path].append(file)
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


def _files(path: Path) -> Iterator[Path]:
    """A session's files, itself last: what is left over after a failure is still listed."""
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
