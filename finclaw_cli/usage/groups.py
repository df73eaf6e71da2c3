"""Grouping rows by anything, and by time: one query for each stretch of time, none where there are no rows.

A short stretch is sorted in no time where a million rows at once are not.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Literal, cast, get_args

from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Tier
from finclaw_cli.usage.periods import UNITS, Stretch, Unit, finest, stretch_at
from finclaw_cli.usage.rows import Value, milliseconds

Column = Literal["model", "provider", "session", "agent", "run", "purpose", "tier", "tool"]
Key = tuple[str, ...]

# The source of a price ends with the tier, where that is not the usual one.
_TIERS = " ".join(f"WHEN price_source LIKE '%, {tier}' THEN '{tier}'" for tier in get_args(Tier)[1:])
_COLUMNS: dict[str, str] = {name: name for name in get_args(Column)} | {
    "session": "session_id",
    "agent": "agent_id",
    "run": "run_id",
    "tier": f"CASE {_TIERS} ELSE 'standard' END",
}
_NO_END = 2**62
# Where no times are asked for, so much is grouped by one query.
_SORTED_AT_ONCE: Unit = "week"


@record(kw_only=True)
class Selection:
    """Which rows; all of them by default."""

    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is left out."""
    session_id: str | None = None
    run_id: str | None = None

    def condition(self) -> tuple[str, dict[str, Value]]:
        """The SQL for it, but for the time, and its values."""
        wanted = {"session_id": self.session_id, "run_id": self.run_id}
        values: dict[str, Value] = {name: value for name, value in wanted.items() if value is not None}
        return "".join(f" AND {name} = :{name}" for name in values), values

    def bounds(self) -> tuple[int, int]:
        """The first millisecond, and the first one that is left out."""
        start = 0 if self.since is None else milliseconds(self.since)
        return start, _NO_END if self.until is None else milliseconds(self.until)


@record(kw_only=True)
class Table:
    """What is asked of which table: some columns for all rows, and more for those that a partial index holds."""

    name: str
    columns: str
    odd_columns: str = ""


@record
class Group:
    """A group within one stretch of time, and its sums."""

    key: Key
    values: tuple[Value, ...]
    is_odd: bool


@record(kw_only=True)
class Grouping:
    """What rows are put together by, in this order; with nothing, all of them."""

    by: tuple[Column | Unit, ...] = ()
    zone: tzinfo = UTC
    """Where days begin."""

    def groups(self, connection: sqlite3.Connection, table: Table, selection: Selection) -> Iterator[Group]:
        """The groups, stretch by stretch: one of weeks that begin in another month comes more than once."""
        condition, values = selection.condition()
        for stretch in self._stretches(connection, table, selection):
            bounds: dict[str, Value] = {**values, "start": stretch.start, "end": stretch.end}
            for is_odd, columns in enumerate(filter(None, (table.columns, table.odd_columns))):
                statement = self._statement(table.name, columns, condition + (" AND odd = 1" if is_odd else ""))
                for row in connection.execute(statement, bounds):
                    yield Group(self._key(row, stretch), row[len(self._names()) :], bool(is_odd))

    def _statement(self, table: str, columns: str, condition: str) -> str:
        names = self._names()
        grouped = f" GROUP BY {', '.join(names)}" if names else " HAVING count(*) > 0"
        return (
            f"SELECT {', '.join((*names, columns))} FROM {table} "  # noqa: S608 - names of ours
            f"WHERE at >= :start AND at < :end{condition}{grouped}"
        )

    def _names(self) -> list[str]:
        return [_COLUMNS[name] for name in self.by if name in _COLUMNS]

    def _key(self, row: Sequence[Value], stretch: Stretch) -> Key:
        named = iter(row)
        return tuple(stretch.label(_unit(name)) if name in UNITS else str(next(named)) for name in self.by)

    def _stretches(self, connection: sqlite3.Connection, table: Table, selection: Selection) -> Iterator[Stretch]:
        start, end = selection.bounds()
        units = [_unit(name) for name in self.by if name in UNITS]
        if not units and not self._names():
            yield Stretch(datetime.fromtimestamp(0, UTC).date(), start, end)
            return
        unit = finest(units) if units else _SORTED_AT_ONCE
        condition, values = selection.condition()
        first = (
            f"SELECT at FROM {table.name} "  # noqa: S608 - names of ours
            f"WHERE at >= :start AND at < :end{condition} ORDER BY at LIMIT 1"
        )
        while found := connection.execute(first, {**values, "start": start, "end": end}).fetchone():
            whole = stretch_at(found[0], unit, self.zone)
            yield Stretch(whole.first, found[0], min(whole.end, end))
            start = whole.end


def _unit(name: str) -> Unit:
    return cast("Unit", name)
