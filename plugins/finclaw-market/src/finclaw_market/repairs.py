"""The repairs of a store: bars in place of imported ones, which are kept. Applied, listed and undone by symbol."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from finclaw_market.bars import Bar, exact_text
from finclaw_market.mending import repair_words
from finclaw_market.remedies import Remedy
from finclaw_market.store import STORE, holds_repairs

_FORGET_REPAIRS = "DELETE FROM repairs WHERE symbol = ?"
_FORGET_BARS = "DELETE FROM repaired WHERE symbol = ?"
_WRITE_REPAIR = "INSERT INTO repairs (symbol, made_at, date, reason, change) VALUES (?, ?, ?, ?, ?)"
_WRITE_BAR = "INSERT INTO repaired VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_APPLIED = "SELECT date, reason, change, made_at FROM repairs WHERE symbol = ? ORDER BY id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A repair that is applied."""

    date: str
    reason: str
    change: str
    made_at: str


def repair_note(symbol: str, bars: Sequence[Bar]) -> tuple[str, ...]:
    """The warning of an answer from repaired bars."""
    count = sum(bar.repaired for bar in bars)
    if not count:
        return ()
    return (f"{count} of these bars are repaired, not as imported: finclaw data repair {symbol} lists and undoes that",)


def applied_to(connection: sqlite3.Connection, symbol: str) -> list[Applied]:
    """The repairs that are applied to a symbol, in their order."""
    if not holds_repairs(connection):
        return []
    rows = connection.execute(_APPLIED, (symbol,))
    return [Applied(date=day, reason=reason, change=change, made_at=made) for day, reason, change, made in rows]


def apply(home: Path, symbol: str, raw: Sequence[Bar], found: Remedy) -> int:
    """Put repaired bars in the place of imported ones; the number of those that differ.

    Args:
        home: finclaw's data folder.
        symbol: whose bars they are.
        raw: all of them as they were imported.
        found: what is to be shown in their place, and why.

    Raises:
        StoreProblem: the store cannot be written.
    """
    STORE.create(home)
    after = {bar.day: bar for bar in found.bars}
    rows = [_row(symbol, bar.day, after.get(bar.day)) for bar in raw if _differs(bar, after.get(bar.day))]
    made_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    with STORE.writing(home) as store:
        store.execute(_FORGET_BARS, (symbol,))
        store.executemany(_WRITE_BAR, rows)
        reasons = [
            (symbol, made_at, finding.first, finding.detail, repair_words(repair))
            for finding in found.findings
            if (repair := finding.repair) is not None
        ]
        store.executemany(_WRITE_REPAIR, reasons)
    return len(rows)


def undo(home: Path, symbol: str) -> int:
    """Show the bars of a symbol as they were imported again; the number of those that were repaired.

    Raises:
        StoreProblem: the store cannot be written.
    """
    with STORE.writing(home) as store:
        store.execute(_FORGET_REPAIRS, (symbol,))
        return store.execute(_FORGET_BARS, (symbol,)).rowcount


def _values(bar: Bar) -> tuple[str | None, ...]:
    numbers = (bar.open, bar.high, bar.low, bar.close, bar.adj_close, bar.volume, bar.dividend, bar.split)
    return tuple(exact_text(number) for number in numbers)


def _differs(raw: Bar, after: Bar | None) -> bool:
    return after is None or _values(raw) != _values(after)


def _row(symbol: str, day: date, bar: Bar | None) -> tuple[str | None, ...]:
    values = _values(bar) if bar is not None else (None,) * 8
    return (symbol, day.isoformat(), *values)
