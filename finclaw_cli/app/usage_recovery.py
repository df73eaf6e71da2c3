"""Rows of the usage store made again from transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from finclaw_cli.core.events.agent import Emitted
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.lock import recover_dead
from finclaw_cli.transcript.reader import Damage, Found, read_file
from finclaw_cli.transcript.replay import events_of
from finclaw_cli.transcript.store import SUFFIX, SessionStore
from finclaw_cli.usage.booking import TYPES, Booking
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.entries import Entry, RequestEntry
from finclaw_cli.usage.spending import has_requests
from finclaw_cli.usage.store import Ledger


@dataclass(slots=True)
class Rebuilt:
    """What was found in the transcripts."""

    sessions: int = 0
    requests: set[tuple[str, int]] = field(default_factory=set)
    calls: int = 0
    unreadable: list[str] = field(default_factory=list)
    """A line for each transcript of which something could not be read: what stood there is not in the ledger."""


def rebuild(ledger: Ledger) -> Rebuilt:
    """Write a row for each request and each call in the transcripts.

    Raises:
        LedgerFailed: the ledger cannot be written; what was written before stays.
        UsageError: the folder of sessions cannot be read.
    """
    rebuilt = Rebuilt()
    ledger.record_all(_entries(_transcripts(), rebuilt))
    ledger.checkpoint()
    return rebuilt


def recover(session: Path, ledger: Ledger) -> None:
    """Write the rows of one session, whose last run was killed: perhaps before it had written them itself.

    Raises:
        LedgerFailed: the ledger cannot be written.
    """
    ledger.record_all(_entries([session], Rebuilt()))


def rebuild_if_empty(ledger: Ledger) -> None:
    """The same where the ledger has no rows, or is not there: a budget counts what was spent before.

    All rows are written in one transaction. Another process sees none of them or all, and writes them again where it
    saw none; so does the next one where this process is killed meanwhile.

    Raises:
        LedgerFailed: the ledger cannot be read or written.
        UsageError: the folder of sessions cannot be read.
    """
    with reading(ledger.path) as connection:
        if has_requests(connection):
            return
    if entries := tuple(_entries(_transcripts(), Rebuilt())):
        ledger.record(*entries)


def book_dead(ledger: Ledger) -> None:
    """Write the rows of sessions whose process was killed, perhaps before it had written them itself.

    Raises:
        LedgerFailed: the ledger cannot be written.
    """
    recover_dead(sessions_folder(), partial(recover, ledger=ledger))


def is_missing(path: Path) -> bool:
    """Whether there is no ledger though there are sessions it would tell of."""
    return not path.exists() and bool(_transcripts())


def _transcripts() -> list[Path]:
    return SessionStore(sessions_folder()).paths()


def _entries(paths: Iterable[Path], rebuilt: Rebuilt) -> Iterator[Entry]:
    for path in paths:
        problems: list[str] = []
        try:
            yield from _of_session(path, rebuilt, problems)
        except OSError as error:
            problems.append(f"cannot be read: {error.strerror}")
        if problems:
            rebuilt.unreadable.append(f"{path}: {problems[0]}{_others(len(problems) - 1)}")


def _others(count: int) -> str:
    return f" (and {count:,} more place{'s' if count > 1 else ''})" if count else ""


def _of_session(path: Path, rebuilt: Rebuilt, problems: list[str]) -> Iterator[Entry]:
    rebuilt.sessions += 1
    booking = Booking(path.name.removesuffix(SUFFIX))
    for item in events_of(_of_money(read_file(path))):
        if isinstance(item, Damage):
            problems.append(f"damaged at byte {item.offset}: {item.reason}")
        elif (entry := _entry(booking, item, rebuilt, problems)) is not None:
            yield entry


def _of_money(found: Iterable[Found]) -> Iterator[Found]:
    """The records that rows are made of: all others need not be parsed."""
    return (item for item in found if isinstance(item, Damage) or item.type in TYPES)


def _entry(booking: Booking, emitted: Emitted, rebuilt: Rebuilt, problems: list[str]) -> Entry | None:
    try:
        entry = booking.entry(emitted)
    except ValueError as error:
        problems.append(f"{emitted.event.type} at {emitted.at}: {error}")
        return None
    if isinstance(entry, RequestEntry):
        rebuilt.requests.add((entry.run_id, entry.number))
    elif entry is not None:
        rebuilt.calls += 1
    return entry
