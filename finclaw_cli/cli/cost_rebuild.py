"""Making the ledger again from the transcripts: what is missing is added, and nothing is removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path

from finclaw_cli.cli.listing import counted, print_json
from finclaw_cli.core.events import Emitted
from finclaw_cli.ledger.booking import TYPES, Booking
from finclaw_cli.ledger.entries import Entry, RequestEntry
from finclaw_cli.ledger.store import Ledger
from finclaw_cli.output.console import echo
from finclaw_cli.output.notices import notice
from finclaw_cli.settings.paths import ledger_file, sessions_folder
from finclaw_cli.transcript.reader import Damage, Found, read_file
from finclaw_cli.transcript.replay import events_of
from finclaw_cli.transcript.store import SUFFIX, SessionStore

MOST_TOLD = 10


@dataclass(slots=True)
class Rebuilt:
    """What was found in the transcripts."""

    sessions: int = 0
    requests: set[tuple[str, int]] = field(default_factory=set)
    calls: int = 0
    unreadable: list[str] = field(default_factory=list)
    """A line for each place where a transcript could not be read: what stood there is not in the ledger."""


def rebuild_ledger(*, as_json: bool) -> None:
    """Write a row for each request and each call that a transcript tells of.

    Raises:
        LedgerFailed: the ledger cannot be written; what was written before stays.
        UsageError: the folder of sessions cannot be read.
    """
    rebuilt, ledger = Rebuilt(), Ledger(ledger_file())
    try:
        ledger.record_all(_entries(SessionStore(sessions_folder()).paths(), rebuilt))
        ledger.checkpoint()
    finally:
        ledger.close()
    if as_json:
        facts = {"sessions": rebuilt.sessions, "requests": len(rebuilt.requests), "tool_calls": rebuilt.calls}
        print_json({**facts, "path": str(ledger.path), "unreadable": rebuilt.unreadable})
    else:
        counts = ((rebuilt.sessions, "session"), (len(rebuilt.requests), "request"), (rebuilt.calls, "tool call"))
        echo(f"{', '.join(starmap(counted, counts))}: {ledger.path}")
    _tell(rebuilt.unreadable)


def _entries(paths: Iterable[Path], rebuilt: Rebuilt) -> Iterator[Entry]:
    for path in paths:
        try:
            yield from _of_session(path, rebuilt)
        except OSError as error:
            rebuilt.unreadable.append(f"{path}: cannot be read: {error.strerror}")


def _of_session(path: Path, rebuilt: Rebuilt) -> Iterator[Entry]:
    rebuilt.sessions += 1
    booking = Booking(path.name.removesuffix(SUFFIX))
    for item in events_of(_of_money(read_file(path))):
        if isinstance(item, Damage):
            rebuilt.unreadable.append(f"{path}: damaged at byte {item.offset}: {item.reason}")
        elif (entry := _entry(booking, item, path, rebuilt)) is not None:
            yield entry


def _of_money(found: Iterable[Found]) -> Iterator[Found]:
    """The records that rows are made of: all others need not be parsed."""
    return (item for item in found if isinstance(item, Damage) or item.type in TYPES)


def _entry(booking: Booking, emitted: Emitted, path: Path, rebuilt: Rebuilt) -> Entry | None:
    try:
        entry = booking.entry(emitted)
    except ValueError as error:
        rebuilt.unreadable.append(f"{path}: {emitted.event.type} at {emitted.at}: {error}")
        return None
    if isinstance(entry, RequestEntry):
        rebuilt.requests.add((entry.run_id, entry.number))
    elif entry is not None:
        rebuilt.calls += 1
    return entry


def _tell(unreadable: list[str]) -> None:
    for line in unreadable[:MOST_TOLD]:
        notice(f"finclaw: {line}")
    if len(unreadable) > MOST_TOLD:
        notice(f"finclaw: and {len(unreadable) - MOST_TOLD} more; `finclaw sessions repair SESSION` says what is wrong")
