"""`finclaw sessions prune`: removal of old sessions, by age and by the size of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.sessions.removal import is_confirmed, remove_files, report_removed, session_name
from finclaw_cli.cli.sessions.views import store
from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.listings.period import begin
from finclaw_cli.output.console import counted, echo, echo_table
from finclaw_cli.output.notice import notice
from finclaw_cli.transcript.lock import is_held

_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)\s?([kKMGT]?)B?")
_UNITS = {"": 1, "k": 1_000, "K": 1_000, "M": 1_000**2, "G": 1_000**3, "T": 1_000**4}


@record(kw_only=True)
class Pruning:
    """The options of the command line, unchecked."""

    before: str | None
    """A day or a time ago; sessions that were last written earlier are removed."""
    keep: str | None
    """A size; the oldest sessions are removed until the others fit into it."""
    dry_run: bool
    yes: bool
    as_json: bool


@record
class _File:
    path: Path
    written: datetime
    size: int


def prune_sessions(wanted: Pruning) -> None:
    """Remove sessions by age and size, after a confirmation; those that are in use stay.

    Raises:
        UsageError: no option chooses sessions, or one has no usable value; or there is no terminal for the question.
        OutputFailed: a file cannot be removed; the message names it.
    """
    chosen = _chosen(wanted)
    held = {file.path for file in chosen if is_held(file.path)}
    for path in held:
        notice(f"finclaw: {session_name(path)} is in use, and stays")
    found = [file for file in chosen if file.path not in held]
    if wanted.dry_run:
        _show(found, as_json=wanted.as_json)
        return
    paths = [file.path for file in found]
    if paths and not wanted.yes and not is_confirmed(paths):
        notice("finclaw: nothing was removed")
        paths = []
    removed = remove_files(paths)
    report_removed(removed, as_json=wanted.as_json)
    if not removed and not wanted.as_json:
        echo("No session was removed.")


def _chosen(wanted: Pruning) -> list[_File]:
    """The sessions to remove, the oldest first."""
    if wanted.before is None and wanted.keep is None:
        raise UsageError(
            "nothing chooses the sessions to remove",
            hint="Give --before 90d, for those last written earlier, or --keep 1GB, for the size of what stays.",
        )
    limit = None if wanted.before is None else begin("--before", wanted.before)
    files = sorted(_files(store().paths()), key=lambda file: file.written)
    room = None if wanted.keep is None else _size(wanted.keep)
    excess = 0 if room is None else sum(file.size for file in files) - room
    chosen = []
    for file in files:
        if excess > 0 or (limit is not None and file.written < limit):
            chosen.append(file)
            excess -= file.size
    return chosen


def _files(paths: Iterable[Path]) -> Iterable[_File]:
    for path in paths:
        status = path.stat()
        yield _File(path, datetime.fromtimestamp(status.st_mtime, UTC), status.st_size)


def _size(text: str) -> int:
    """A size in bytes; k, M, G and T are thousands, millions and so on."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"--keep is a size, not {text!r}", hint="Give a number of bytes, or one with kB, MB, GB or TB."
        )
    return int(Decimal(found[1]) * _UNITS[found[2]])


def _show(files: list[_File], *, as_json: bool) -> None:
    """Print what would be removed."""
    if as_json:
        print_json({"would_remove": [_facts(file) for file in files]})
    elif files:
        rows = [(session_name(file.path), f"{file.written:%Y-%m-%d %H:%M}", f"{file.size:,}") for file in files]
        echo_table(("SESSION", "WRITTEN", "BYTES"), rows, drop=("WRITTEN",))
        echo(f"{counted(len(files), 'session')} would be removed: {sum(file.size for file in files):,} bytes.")
    else:
        echo("No session would be removed.")


def _facts(file: _File) -> JsonObject:
    return {"session": session_name(file.path), "written": timestamp(file.written), "bytes": file.size}
