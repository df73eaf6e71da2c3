"""`finclaw sessions repair`: the damage of a session, and the repair of its file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from finclaw_cli.app.plan import find_installed
from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.sessions.views import store
from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.core.messages import Message
from finclaw_cli.core.record import record
from finclaw_cli.listings.sessions.content import Hurt, hurt, unreadable
from finclaw_cli.output.console import echo
from finclaw_cli.providers.wire_names import SHORTEST_LIMIT, wire_name
from finclaw_cli.settings.load import load_settings
from finclaw_cli.transcript.call_names import checked_names
from finclaw_cli.transcript.history import open_history
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.lock import session_lock
from finclaw_cli.transcript.messages import NoMessage, message_of
from finclaw_cli.transcript.reader import read_file
from finclaw_cli.transcript.repair import Repair
from finclaw_cli.transcript.store import SUFFIX

MOST_SHOWN = 50


@record
class Examined:
    """The damage of a session: of its file, and of the conversation read from it."""

    damage: tuple[Hurt, ...]
    repairs: tuple[Repair, ...]
    """The repairs of the conversation; they are made whenever the session continues."""
    names: tuple[Repair, ...]
    """The calls under a name that a provider refuses, or of a tool that is not installed."""
    due: tuple[str, ...]
    """Tools of the last calls that have no result."""
    unknown: tuple[str, ...]
    """Tools that were running when a run ended, whose outcome is unknown."""


def repair_session(name: str, *, dry_run: bool, as_json: bool) -> int:
    """Repair a session's file and print its damage; return the exit code, 10 where it is still damaged.

    Raises:
        UsageError: there is no such session, or the file is no session.
        SessionBusy: another process writes it.
        FinclawError: it cannot be read.
        OutputFailed: it cannot be repaired.
    """
    path = store().find(name)
    _check(path)
    found, kept = (_examine(path), None) if dry_run else _repair(path)
    if as_json:
        print_json(_facts(path, found, kept, dry_run=dry_run))
    else:
        _echo(path, found, kept, dry_run=dry_run)
    return exits.REPLAY if found.damage and dry_run else exits.OK


def _check(path: Path) -> None:
    """Refuse a file without any record that can be read, which a repair would empty."""
    try:
        if path.stat().st_size and not any(isinstance(item, Line) for item in read_file(path)):
            raise UsageError(
                f"{path} holds no record of a session that can be read; nothing was changed",
                hint="Name a session, or a file that is one: `finclaw sessions list` shows which there are.",
            )
    except OSError as error:
        raise unreadable(path, error) from error


def _examine(path: Path) -> Examined:
    """The damage of a session, found by repairing a copy of it."""
    with TemporaryDirectory(prefix="finclaw-") as folder:
        copy = Path(folder) / f"copy{SUFFIX}"
        try:
            shutil.copyfile(path, copy)
            return _opened(copy)
        except OSError as error:
            raise OutputFailed(
                f"{path} cannot be copied for the check: {error.strerror or error}",
                hint="Free some space, or point TMPDIR at a folder that can be written.",
            ) from error


def _repair(path: Path) -> tuple[Examined, Path | None]:
    """Repair a session; return its damage, and the copy of the damaged file, None for an intact one."""
    try:
        with session_lock(path, timeout_s=0):
            before = _kept(path)
            found = _opened(path)
            return found, max(_kept(path) - before, default=None)
    except OSError as error:
        raise OutputFailed(
            f"{path} cannot be repaired: {error.strerror or error}",
            hint="Its folder has to be writable, with room for a second copy of the file.",
        ) from error


def _kept(path: Path) -> set[Path]:
    begins = f"{path.with_suffix('').name}.bak-"
    return {file for file in path.parent.iterdir() if file.name.startswith(begins)}


def _opened(path: Path) -> Examined:
    history = open_history(path)
    due = tuple(call.name for call in history.due)
    names = tuple(_names(path, history.messages))
    return Examined(tuple(map(hurt, history.damage)), history.mended, names, due, tuple(history.unknown.values()))


def _names(path: Path, messages: Sequence[Message]) -> Iterator[Repair]:
    """What is to be reported of the names of calls."""
    if not any(message.tool_calls for message in messages):
        return iter(())
    tools = find_installed(load_settings().settings).tools
    return checked_names(
        messages,
        _records_of_calls(path),
        is_installed=lambda name: tools.find(name) is not None,
        sent_as=partial(wire_name, limit=SHORTEST_LIMIT),
    )


def _records_of_calls(path: Path) -> dict[str, int]:
    """The number of the record of each call, by the call's id."""
    found: dict[str, int] = {}
    for line in read_file(path):
        if isinstance(line, Line) and line.type == "message":
            with suppress(NoMessage):
                found.update((call.id, line.seq) for call in message_of(line.data).tool_calls)
    return found


def _facts(path: Path, found: Examined, kept: Path | None, *, dry_run: bool) -> JsonObject:
    return {
        "session": path.name.removesuffix(SUFFIX),
        "path": str(path),
        "dry_run": dry_run,
        "damage": jsonable(found.damage),
        "mended": jsonable(found.repairs),
        "names": jsonable(found.names),
        "due": list(found.due),
        "unknown": list(found.unknown),
        "kept": str(kept) if kept else None,
    }


def _echo(path: Path, found: Examined, kept: Path | None, *, dry_run: bool) -> None:
    name = path.name.removesuffix(SUFFIX)
    if found.damage:
        echo(f"{name}: the file {'is' if dry_run else 'was'} damaged ({_places(len(found.damage))})")
        _list([f"byte {each.offset}: {each.kind}: {each.reason}" for each in found.damage])
        echo("Nothing was changed." if dry_run else f"It is repaired now. The damaged file is kept: {kept}")
    else:
        echo(f"{name}: the file is not damaged.")
    if found.repairs:
        echo(f"The conversation is not whole ({_places(len(found.repairs))}). When it continues, this is repaired:")
        _list(_lines(found.repairs))
    if found.names:
        echo(f"Names of calls that are sent in another form, or whose tool is missing ({_places(len(found.names))}):")
        _list(_lines(found.names))
    if found.due:
        echo(f"Calls without a result when the last run ended: {clean_line(', '.join(found.due))}")
    if found.unknown:
        echo(f"What became of these is unknown: {clean_line(', '.join(found.unknown))}")


def _lines(repairs: Sequence[Repair]) -> list[str]:
    """Each with its record, where it has one."""
    return [
        f"{f'record {each.record}: ' if each.record is not None else ''}{each.what.replace('_', ' ')}: {each.detail}"
        for each in repairs
    ]


def _places(count: int) -> str:
    return f"{count} place{'s' * (count != 1)}"


def _list(lines: list[str]) -> None:
    for line in lines[:MOST_SHOWN]:
        echo(f"  {clean_line(line)}")
    if len(lines) > MOST_SHOWN:
        echo(f"  … and {len(lines) - MOST_SHOWN} more; --json shows all")
