"""Where rows wait until all files have been read: a private table on disk, so that memory stays flat.

Nothing reaches the store before every row is known to be good; then all of it does, in one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from datetime import date
from pathlib import Path

from finclaw_cli.sdk.store import Mode
from finclaw_cli.sdk.tabular import Rejection
from finclaw_market.bars import Bar, Basis, exact_text
from finclaw_market.order import out_of_order
from finclaw_market.queries import bar_of
from finclaw_market.store import STORE

_CREATE = """
CREATE TABLE stage (
    symbol TEXT, date TEXT, open TEXT, high TEXT, low TEXT, close TEXT, adj_close TEXT, volume TEXT, dividend TEXT,
    split TEXT, file INTEGER, line INTEGER, content TEXT, state TEXT
)
"""
# An absent number is bound as an empty text: `sqlite3` takes long to bind None.
_INSERT = "INSERT INTO stage VALUES (?, ?" + ", nullif(?, '')" * 8 + ", ?, ?, ?, 'new')"
_INDEX = "CREATE INDEX stage_key ON stage (symbol, date)"
_REPEATED = """
SELECT row, file, line, content, first_file, first_line FROM (
    SELECT rowid AS row, file, line, content, first_value(file) OVER same AS first_file,
        first_value(line) OVER same AS first_line, row_number() OVER same AS nth
    FROM stage WHERE (symbol, date) IN (SELECT symbol, date FROM stage GROUP BY symbol, date HAVING count(*) > 1)
    WINDOW same AS (
        PARTITION BY symbol, date, open, high, low, close, adj_close, volume, dividend, split ORDER BY rowid
    )
) WHERE nth > 1
"""
_CONTRADICTING = """
SELECT rowid, file, line, content FROM stage
WHERE (symbol, date) IN (SELECT symbol, date FROM stage GROUP BY symbol, date HAVING count(*) > 1)
"""
_DAYS = "SELECT rowid, date FROM stage WHERE file = ? AND symbol = ? ORDER BY rowid"
_ROW = "SELECT file, line, content FROM stage WHERE rowid = ?"
_COMPARE = """
UPDATE stage SET state = coalesce((
    SELECT CASE WHEN b.open IS stage.open AND b.high IS stage.high AND b.low IS stage.low AND b.close IS stage.close
        AND b.adj_close IS stage.adj_close AND b.volume IS stage.volume AND b.dividend IS stage.dividend
        AND b.split IS stage.split THEN CASE WHEN s.adjustment IS :basis THEN 'unchanged'
        WHEN s.adjustment IS 'unstated' THEN 'stated' ELSE 'changed' END ELSE 'changed' END
    FROM store.bars b JOIN store.sources s ON s.id = b.source_id
    WHERE b.symbol = stage.symbol AND b.date = stage.date
), 'new')
"""
_CHANGES = """
SELECT g.symbol, g.date, b.open, g.open, b.high, g.high, b.low, g.low, b.close, g.close, b.adj_close, g.adj_close,
    b.volume, g.volume, b.dividend, g.dividend, b.split, g.split, s.adjustment, :basis
FROM stage g JOIN store.bars b USING (symbol, date) JOIN store.sources s ON s.id = b.source_id
WHERE g.state IN ('changed', 'stated') ORDER BY g.symbol, g.date LIMIT :limit
"""
_OVERWRITTEN = "SELECT count(*) FROM stage WHERE state = 'changed' OR (state = 'stated' AND NOT :may_state)"
_VALUES = ("open", "high", "low", "close", "adj_close", "volume", "dividend", "split", "adjustment")
_WRITE_BARS = """
INSERT OR REPLACE INTO store.bars
SELECT symbol, date, open, high, low, close, adj_close, volume, dividend, split, ?, line FROM stage
WHERE file = ? AND state <> 'unchanged'
"""
WRITE_SOURCE = """
INSERT INTO store.sources (kind, ref, sha256, retrieved_at, adjustment, licence, rows)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_WRITE_INSTRUMENTS = """
INSERT INTO store.instruments (symbol, name, exchange, currency, tz)
SELECT DISTINCT symbol, :name, :exchange, :currency, :tz FROM stage WHERE true
ON CONFLICT (symbol) DO UPDATE SET name = coalesce(excluded.name, name),
    exchange = coalesce(excluded.exchange, exchange), currency = coalesce(excluded.currency, currency),
    tz = coalesce(excluded.tz, tz)
"""
_CONFLICTS = """
SELECT DISTINCT symbol, i.currency FROM stage JOIN store.instruments i USING (symbol)
WHERE i.currency <> :currency ORDER BY symbol LIMIT 5
"""
_STORED_CURRENCIES = """
SELECT DISTINCT symbol, i.currency FROM stage JOIN store.instruments i USING (symbol)
WHERE file = ? AND i.currency IS NOT NULL ORDER BY symbol LIMIT 5
"""
_OWN_FILE = """
SELECT s.ref FROM store.bars b JOIN store.sources s ON s.id = b.source_id
WHERE b.symbol = ? AND s.kind <> 'service' LIMIT 1
"""
_CREATE_EMPTY_STORE = (
    "ATTACH ':memory:' AS store",
    "CREATE TABLE store.bars (symbol, date, open, high, low, close, adj_close, volume, dividend, split, source_id)",
    "CREATE TABLE store.sources (id, adjustment)",
    "CREATE TABLE store.instruments (symbol, currency, exchange)",
    "CREATE TABLE store.repaired (symbol, date, open, high, low, close, adj_close, volume, dividend, split)",
)
_SERIES = """
SELECT date, open, high, low, close, adj_close, volume, dividend, split, 0, line, 0 FROM stage
WHERE symbol = :symbol
    AND (state <> 'unchanged' OR date NOT IN (SELECT date FROM store.repaired WHERE symbol = :symbol))
UNION ALL SELECT date, open, high, low, close, adj_close, volume, dividend, split, 0, 0, 0 FROM store.bars b
WHERE symbol = :symbol AND NOT EXISTS (SELECT 1 FROM stage WHERE symbol = :symbol AND date = b.date)
    AND NOT EXISTS (SELECT 1 FROM store.repaired WHERE symbol = :symbol AND date = b.date)
UNION ALL SELECT date, open, high, low, close, adj_close, volume, dividend, split, 0, 0, 1 FROM store.repaired r
WHERE symbol = :symbol AND close IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM stage WHERE symbol = :symbol AND date = r.date AND state <> 'unchanged') ORDER BY 1
"""
# Repairs were made for the bars that were stored; where such a bar changes, they no longer hold.
_OUTDATED = """
SELECT DISTINCT symbol FROM store.repairs
WHERE symbol IN (SELECT symbol FROM stage WHERE state IN ('changed', 'stated'))
"""
_COUNTS = """
SELECT symbol, count(*), sum(state = 'new'), sum(state IN ('changed', 'stated')), sum(state = 'unchanged'),
    min(date), max(date)
FROM stage GROUP BY symbol ORDER BY symbol
"""
_FORGET_REPAIRS = ("DELETE FROM store.repairs WHERE symbol = ?", "DELETE FROM store.repaired WHERE symbol = ?")
_SEVERAL = "several different rows for this date; only daily prices are stored"


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolCount:
    """What an import means for one symbol."""

    symbol: str
    rows: int
    new: int
    changed: int
    unchanged: int
    first: str
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The given facts of the instruments of an import."""

    name: str | None = None
    exchange: str | None = None
    currency: str | None = None
    tz: str | None = None
    unit: str | None = None
    """Of a series' values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """One file of an import, as the store remembers it."""

    kind: str
    ref: str
    sha256: str
    retrieved_at: str
    basis: Basis
    licence: str
    rows: str


class Stage:
    """Rows that have been read but not yet imported."""

    def __init__(self) -> None:
        # An empty name is SQLite's for a private file that vanishes when closed.
        self._db = sqlite3.connect("", isolation_level=None, uri=True, timeout=20.0)
        self._db.execute(_CREATE)
        self._batch: list[tuple[object, ...]] = []

    def close(self) -> None:
        """Forget everything."""
        self._db.close()

    def add(self, symbol: str, bar: Bar, file: int, content: str) -> None:
        """Keep one row."""
        numbers = (bar.open, bar.high, bar.low, bar.close, bar.adj_close, bar.volume, bar.dividend, bar.split)
        texts = [exact_text(number) or "" for number in numbers]
        self._batch.append((symbol, bar.day.isoformat(), *texts, file, bar.line, content))
        if len(self._batch) >= 5_000:  # noqa: PLR2004 - any size that makes a statement worth while
            self.flush()

    def flush(self) -> None:
        """Write what is still in memory."""
        self._db.execute("BEGIN")
        self._db.executemany(_INSERT, self._batch)
        self._db.execute("COMMIT")
        self._batch.clear()

    def take_duplicates(self, names: list[str]) -> list[Rejection]:
        """Take out rows with the same symbol and date: repeated ones but the first, contradicting ones all."""
        self.flush()
        self._db.execute(_INDEX)
        found: list[Rejection] = []
        rows = self._db.execute(_REPEATED).fetchall()
        for _, file, line, content, first_file, first_line in rows:
            elsewhere = "" if first_file == file else f"{names[first_file]}, "
            reason = f"duplicate of {elsewhere}line {first_line}"
            found.append(Rejection(file=names[file], line=line, content=content, reason=reason))
        self._delete(row[0] for row in rows)
        rows = self._db.execute(_CONTRADICTING).fetchall()
        found.extend(
            Rejection(file=names[file], line=line, content=content, reason=_SEVERAL) for _, file, line, content in rows
        )
        self._delete(row[0] for row in rows)
        return found

    def take_out_of_order(self, symbol: str, file: int, names: list[str]) -> list[Rejection]:
        """Take out the rows of a symbol that break the order of their file; duplicates must be gone."""
        # There are not so many days that those of one symbol would not fit into memory.
        rows = self._db.execute(_DAYS, (file, symbol)).fetchall()
        broken = [(rows[at][0], why) for at, why in out_of_order([date.fromisoformat(day) for _, day in rows])]
        found: list[Rejection] = []
        for row, reason in broken:
            _, line, content = self._db.execute(_ROW, (row,)).fetchone()
            found.append(Rejection(file=names[file], line=line, content=content, reason=reason))
        self._delete(row for row, _ in broken)
        return found

    def _delete(self, rows: Iterable[int]) -> None:
        self._db.execute("BEGIN")
        self._db.executemany("DELETE FROM stage WHERE rowid = ?", ((row,) for row in rows))
        self._db.execute("COMMIT")

    def attach(self, home: Path | None, mode: Mode) -> None:
        """Connect the store, or an empty one where there is none yet, and hold it until `commit` or `rollback`."""
        if home is None:
            for statement in _CREATE_EMPTY_STORE:
                self._db.execute(statement)
        else:
            self._db.execute("ATTACH ? AS store", (STORE.address(home, mode),))
        self._db.execute("BEGIN IMMEDIATE" if mode == "rw" else "BEGIN")

    def compare(self, basis: Basis) -> list[SymbolCount]:
        """Mark every row as new, changed or unchanged, and count them by symbol."""
        self._db.execute(_COMPARE, {"basis": basis})
        return [
            SymbolCount(symbol=s, rows=n, new=new, changed=changed, unchanged=same, first=first, last=last)
            for s, n, new, changed, same, first, last in self._db.execute(_COUNTS)
        ]

    def overwritten(self, *, may_state: bool) -> int:
        """How many stored bars would change; of equal bars, to state their adjustment is none where that is allowed."""
        return int(self._db.execute(_OVERWRITTEN, {"may_state": may_state}).fetchone()[0])

    def changes(self, basis: Basis, limit: int) -> list[str]:
        """The first changed bars, in words."""
        found: list[str] = []
        for symbol, day, *values in self._db.execute(_CHANGES, {"basis": basis, "limit": limit}):
            pairs = zip(_VALUES, values[::2], values[1::2], strict=True)
            parts = [f"{name} {old or '-'} → {new or '-'}" for name, old, new in pairs if old != new]
            found.append(f"{symbol} {day}: {', '.join(parts)}")
        return found

    def series_of(self, symbol: str) -> list[Bar]:
        """The bars of a symbol as they will be stored, oldest first: the new rows and what is stored beside them."""
        return [bar_of(row, symbol) for row in self._db.execute(_SERIES, {"symbol": symbol})]

    def currency_conflicts(self, currency: str | None) -> list[str]:
        """Instruments that the store knows in another currency."""
        rows = self._db.execute(_CONFLICTS, {"currency": currency})
        return [f"{symbol} is stored in {known}, not {currency}" for symbol, known in rows]

    def stored_currencies(self, file: int) -> list[tuple[str, str]]:
        """The instruments of a file that the store knows, each with its currency there."""
        return [(symbol, known) for symbol, known in self._db.execute(_STORED_CURRENCIES, (file,))]

    def exchange_of(self, symbol: str) -> str | None:
        """The exchange of an instrument that the store knows."""
        row = self._db.execute("SELECT exchange FROM store.instruments WHERE symbol = ?", (symbol,)).fetchone()
        return row[0] if row else None

    def own_file_of(self, symbol: str) -> str | None:
        """The user's own file that bars of a symbol are from; None where all are from a service."""
        row = self._db.execute(_OWN_FILE, (symbol,)).fetchone()
        return row[0] if row else None

    def write(self, origins: list[Origin], facts: Facts) -> list[str]:
        """Put all new and changed rows into the store; the symbols whose repairs are undone by that."""
        given = {"name": facts.name, "exchange": facts.exchange, "currency": facts.currency, "tz": facts.tz}
        self._db.execute(_WRITE_INSTRUMENTS, given)
        for file, origin in enumerate(origins):
            pending = "SELECT 1 FROM stage WHERE file = ? AND state <> 'unchanged' LIMIT 1"
            if self._db.execute(pending, (file,)).fetchone() is None:
                continue
            source = self._db.execute(WRITE_SOURCE, astuple(origin)).lastrowid
            self._db.execute(_WRITE_BARS, (source, file))
        outdated = [symbol for (symbol,) in self._db.execute(_OUTDATED)]
        for forget in _FORGET_REPAIRS:
            self._db.executemany(forget, [(symbol,) for symbol in outdated])
        return outdated

    def commit(self) -> None:
        """Make it last."""
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        """Leave the store as it was."""
        self._db.execute("ROLLBACK")
