"""What the tools ask the store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finclaw_filings.registers import number_text
from finclaw_filings.sections import Section

# A company is known since its first stored filing; one without stored filings has no date.
_KNOWN = "coalesce((SELECT min(f.filed) FROM filings f WHERE f.cik = c.cik), '') <= :day"


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """A company as the store knows it."""

    cik: int
    name: str | None
    tickers: tuple[str, ...] = ()
    exchanges: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        return number_text(self.cik)

    @property
    def symbol(self) -> str:
        return self.tickers[0] if self.tickers else self.number

    @property
    def shown(self) -> str:
        return f"{self.symbol} ({self.name or 'name unknown'}, {self.number})"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSource:
    """A file or an answer of EDGAR that was imported."""

    id: int
    kind: str
    ref: str
    sha256: str
    retrieved_at: str
    rows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFiling:
    """A filing that is known, and whether its text is stored."""

    accession: str
    cik: int
    form: str
    filed: date
    period: str | None
    document: str | None
    name: str | None
    source_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Where the text of a filing is, and its sections."""

    filing: StoredFiling
    length: int
    sections: tuple[Section, ...]


def company_of(db: sqlite3.Connection, cik: int) -> Company | None:
    """The company of that number."""
    row = db.execute("SELECT name FROM companies WHERE cik = ?", (cik,)).fetchone()
    if row is None:
        return None
    pairs = db.execute("SELECT ticker, exchange FROM tickers WHERE cik = ? ORDER BY length(ticker), ticker", (cik,))
    found = pairs.fetchall()
    exchanges = dict.fromkeys(exchange for _, exchange in found if exchange)
    return Company(cik=cik, name=row[0], tickers=tuple(ticker for ticker, _ in found), exchanges=tuple(exchanges))


def ciks_of_ticker(db: sqlite3.Connection, ticker: str) -> list[int]:
    """The companies that use a ticker."""
    return [row[0] for row in db.execute("SELECT cik FROM tickers WHERE ticker = ? ORDER BY cik", (ticker,))]


def ciks_of_name(db: sqlite3.Connection, key: str) -> list[int]:
    """The companies of exactly that name; see `writing.name_key`."""
    return [row[0] for row in db.execute("SELECT cik FROM companies WHERE name_key = ? LIMIT 20", (key,))]


def ciks_like(db: sqlite3.Connection, key: str, ticker: str, day: date, limit: int) -> list[int]:
    """Companies whose name holds these words or whose ticker begins so, known by a day; those with facts first."""
    pattern = "%" + "".join(f"\\{mark}" if mark in "\\%_" else mark for mark in key) + "%"
    rows = db.execute(
        f"SELECT c.cik FROM companies c WHERE {_KNOWN} AND ((:key <> '' AND c.name_key LIKE :pattern ESCAPE '\\')"  # noqa: S608
        " OR EXISTS (SELECT 1 FROM tickers t WHERE t.cik = c.cik AND :ticker <> ''"
        " AND substr(t.ticker, 1, length(:ticker)) = :ticker))"
        " ORDER BY c.facts_source IS NULL, length(c.name_key), c.cik LIMIT :limit",
        {"day": day.isoformat(), "key": key, "pattern": pattern, "ticker": ticker, "limit": limit},
    )
    return [row[0] for row in rows]


def known_by(db: sqlite3.Connection, ciks: Sequence[int], day: date) -> list[int]:
    """Those of the companies that are known by a day."""
    query = f"SELECT 1 FROM companies c WHERE c.cik = :cik AND {_KNOWN}"  # noqa: S608 - a constant
    return [cik for cik in ciks if db.execute(query, {"cik": cik, "day": day.isoformat()}).fetchone()]


def names_of(db: sqlite3.Connection, day: date, limit: int) -> list[tuple[str, int]]:
    """Names of companies that are known by a day, as they are compared, for finding what was misspelt."""
    query = f"SELECT name_key, cik FROM companies c WHERE name_key IS NOT NULL AND {_KNOWN} LIMIT :limit"  # noqa: S608
    return [(name, cik) for name, cik in db.execute(query, {"day": day.isoformat(), "limit": limit})]


def concepts_of(db: sqlite3.Connection, cik: int) -> list[tuple[str, str, str, str, int]]:
    """What a company reports: taxonomy, tag, unit, label, number of values."""
    query = "SELECT taxonomy, tag, unit, coalesce(label, ''), count FROM concepts WHERE cik = ? ORDER BY count DESC"
    return db.execute(query, (cik,)).fetchall()


def facts_of(db: sqlite3.Connection, cik: int, tag: str) -> dict[str, Sequence[Sequence[object]]]:
    """The values of `taxonomy:tag` by their unit; see `facts_file.Row`."""
    taxonomy, _, name = tag.partition(":")
    query = "SELECT unit, facts FROM concepts WHERE cik = ? AND taxonomy = ? AND tag = ? ORDER BY unit"
    return {unit: json.loads(facts) for unit, facts in db.execute(query, (cik, taxonomy, name))}


def sources_by_id(db: sqlite3.Connection, ids: Sequence[int | None]) -> list[StoredSource]:
    """The sources of those ids."""
    query = "SELECT id, kind, ref, sha256, retrieved_at, rows FROM sources WHERE id = ?"
    found = [db.execute(query, (number,)).fetchone() for number in dict.fromkeys(ids) if number is not None]
    return [
        StoredSource(id=number, kind=kind, ref=ref, sha256=sha256, retrieved_at=at, rows=rows)
        for number, kind, ref, sha256, at, rows in found
    ]


_FILING = (
    "SELECT f.accession, f.cik, f.form, max(f.filed, coalesce(d.filed, f.filed)) AS known, f.period, f.document,"
    " d.name, f.source_id FROM filings f LEFT JOIN documents d ON d.accession = f.accession AND d.cik = f.cik"
)


def _filing(row: Sequence[object]) -> StoredFiling:
    accession, cik, form, filed, period, document, name, source = row
    return StoredFiling(
        accession=str(accession),
        cik=int(str(cik)),
        form=str(form),
        filed=date.fromisoformat(str(filed)),
        period=str(period) if period else None,
        document=str(document) if document else None,
        name=str(name) if name else None,
        source_id=int(str(source)),
    )


def filings_between(
    db: sqlite3.Connection, cik: int, first: date, last: date, forms: Sequence[str]
) -> list[StoredFiling]:
    """A company's filings by the day they were filed, the latest first; of these forms, or of all."""
    marks = ", ".join("?" * len(forms))
    only = f" AND upper(f.form) IN ({marks})" if forms else ""
    query = f"{_FILING} WHERE f.cik = ? AND known BETWEEN ? AND ?{only} ORDER BY known DESC, f.accession DESC"
    rows = db.execute(query, (cik, first.isoformat(), last.isoformat(), *forms))
    return [_filing(row) for row in rows]


def filings_named(db: sqlite3.Connection, name: str) -> list[StoredFiling]:
    """The filings of that accession, or whose text came from a file of that name."""
    return [_filing(row) for row in db.execute(f"{_FILING} WHERE f.accession = ? OR d.name = ?", (name, name))]


def document_of(db: sqlite3.Connection, filing: StoredFiling) -> Document | None:
    """The text of a filing, where it is stored."""
    query = "SELECT length(text), sections, source_id FROM documents WHERE accession = ?"
    row = db.execute(query, (filing.accession,)).fetchone()
    if row is None:
        return None
    sections = tuple(Section(**section) for section in json.loads(row[1]))
    return Document(filing=filing, length=row[0], sections=sections)


def document_source(db: sqlite3.Connection, accession: str) -> int:
    """The source of a stored text."""
    return int(db.execute("SELECT source_id FROM documents WHERE accession = ?", (accession,)).fetchone()[0])


def text_of(db: sqlite3.Connection, accession: str, start: int, stop: int) -> str:
    """`text[start:stop]` of a stored filing."""
    query = "SELECT substr(text, ?, ?) FROM documents WHERE accession = ?"
    return str(db.execute(query, (start + 1, stop - start, accession)).fetchone()[0])
