"""Putting what was read from files into the store; the caller holds the transaction."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from finclaw_filings.facts_file import CompanyFacts
from finclaw_filings.passages import indexed, passages_of
from finclaw_filings.profile_file import Filed, Listing, Profile
from finclaw_filings.sections import Section

_MOST_CONFLICTS = 3
Outcome = Literal["imported", "replaced", "unchanged", "older", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a file came from: `kind` is `file` or `service`."""

    kind: str
    ref: str
    sha256: str
    retrieved_at: str


def name_key(name: str) -> str:
    """A company's name as it is compared: without case, punctuation and legal form."""
    words = re.findall(r"\w+", name.casefold())
    forms = {
        "inc",
        "corp",
        "corporation",
        "co",
        "company",
        "ltd",
        "limited",
        "plc",
        "llc",
        "lp",
        "sa",
        "ag",
        "nv",
        "the",
        "주",
        "주식회사",
    }
    return " ".join(word for word in words if word not in forms) or " ".join(words)


def _source(db: sqlite3.Connection, origin: Origin, rows: str) -> int:
    db.execute(
        "INSERT INTO sources (kind, ref, sha256, retrieved_at, rows) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (kind, ref, sha256) DO UPDATE SET retrieved_at = excluded.retrieved_at, rows = excluded.rows",
        (origin.kind, origin.ref, origin.sha256, origin.retrieved_at, rows),
    )
    key = (origin.kind, origin.ref, origin.sha256)
    return int(db.execute("SELECT id FROM sources WHERE kind = ? AND ref = ? AND sha256 = ?", key).fetchone()[0])


def _company(db: sqlite3.Connection, cik: int, name: str | None) -> None:
    db.execute("INSERT INTO companies (cik) VALUES (?) ON CONFLICT DO NOTHING", (cik,))
    if name:
        db.execute("UPDATE companies SET name = ?, name_key = ? WHERE cik = ?", (name, name_key(name), cik))


def write_facts(db: sqlite3.Connection, facts: CompanyFacts, origin: Origin) -> None:
    """Replace all facts of a company."""
    source = _source(db, origin, f"{facts.count} values from {len(facts.filings)} filings")
    _company(db, facts.cik, facts.name)
    stand = (source, facts.last_filed, facts.cik)
    db.execute("UPDATE companies SET facts_source = ?, facts_until = ? WHERE cik = ?", stand)
    db.execute("DELETE FROM concepts WHERE cik = ?", (facts.cik,))
    db.executemany(
        "INSERT INTO concepts (cik, taxonomy, tag, unit, label, count, facts) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (facts.cik, item.taxonomy, item.tag, item.unit, item.label, len(item.rows), json.dumps(item.rows))
            for item in facts.concepts
        ),
    )
    periods = _periods(facts)
    known = [
        Filed(accession=accession, form=form, filed=filed, period=periods.get(accession), document=None)
        for accession, (form, filed) in facts.filings.items()
    ]
    _filings(db, facts.cik, known, source)


def _periods(facts: CompanyFacts) -> dict[str, str]:
    """The last day of what each filing reports on: its latest end of a duration."""
    found: dict[str, str] = {}
    for concept in facts.concepts:
        for start, end, _, accession, _, _, _, filed in concept.rows:
            if start is not None and end <= filed and end > found.get(accession, ""):
                found[accession] = end
    return found


def write_profile(db: sqlite3.Connection, profile: Profile, origin: Origin) -> None:
    """Store who a company is and what it filed; what is known already is completed."""
    source = _source(db, origin, f"{len(profile.filings)} filings")
    _company(db, profile.cik, profile.name)
    if profile.name is not None:
        db.execute(
            "UPDATE companies SET sic = ?, industry = ?, fiscal_year_end = ?, former_names = ?, profile_source = ?"
            " WHERE cik = ?",
            (
                profile.sic,
                profile.industry,
                profile.fiscal_year_end,
                json.dumps(profile.former_names),
                source,
                profile.cik,
            ),
        )
        db.execute("DELETE FROM tickers WHERE cik = ?", (profile.cik,))
    write_tickers(db, profile.listings, source)
    _filings(db, profile.cik, profile.filings, source)


def write_listings(db: sqlite3.Connection, listings: Sequence[Listing], origin: Origin) -> None:
    """Store the tickers of many companies."""
    source = _source(db, origin, f"{len(listings)} tickers")
    rows = [(item.cik, item.name, name_key(item.name) if item.name else None) for item in listings]
    db.executemany("INSERT INTO companies (cik, name, name_key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)
    write_tickers(db, listings, source)


def write_tickers(db: sqlite3.Connection, listings: Iterable[Listing], source: int) -> None:
    """Store tickers; an exchange that is known stays known."""
    db.executemany(
        "INSERT INTO tickers (ticker, cik, exchange, source_id) VALUES (?, ?, ?, ?) ON CONFLICT (ticker, cik)"
        " DO UPDATE SET exchange = coalesce(excluded.exchange, exchange), source_id = excluded.source_id",
        ((item.ticker, item.cik, item.exchange, source) for item in listings),
    )


def _filings(db: sqlite3.Connection, cik: int, filings: Iterable[Filed], source: int) -> None:
    db.executemany(
        "INSERT INTO filings (accession, cik, form, filed, period, document, source_id) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (accession, cik) DO UPDATE SET period = coalesce(excluded.period, period),"
        " document = coalesce(excluded.document, document)",
        ((item.accession, cik, item.form, item.filed, item.period, item.document, source) for item in filings),
    )


def write_cover_tickers(db: sqlite3.Connection, cik: int, tickers: Sequence[str], filed: str, source: int) -> None:
    """Store the tickers of a cover page, unless other files or the cover page of a later filing have the company's."""
    earlier = "SELECT source_id FROM documents WHERE cik = ? AND filed <= ?"
    if tickers:
        db.execute(f"DELETE FROM tickers WHERE cik = ? AND source_id IN ({earlier})", (cik, cik, filed))  # noqa: S608
        if not db.execute("SELECT 1 FROM tickers WHERE cik = ?", (cik,)).fetchone():
            write_tickers(db, [Listing(ticker=name, cik=cik, name=None, exchange=None) for name in tickers], source)


def write_document(
    db: sqlite3.Connection,
    filing: Filed,
    filer: tuple[int, str | None],
    content: tuple[str, Sequence[Section]],
    origin: Origin,
) -> int:
    """Store the text of a filing with its index, in place of an earlier one; returns the id of its source.

    Args:
        db: the store.
        filing: what it is.
        filer: the company's CIK, and its name where it is known.
        content: the text, and its sections.
        origin: the file.
    """
    text, sections = content
    cik, company = filer
    forget_document(db, filing.accession)
    source = _source(db, origin, filing.accession)
    if not db.execute("SELECT name FROM companies WHERE cik = ? AND name IS NOT NULL", (cik,)).fetchone():
        _company(db, cik, company)
    _filings(db, cik, [filing], source)
    listed = json.dumps([asdict(section) for section in sections])
    name = origin.ref.rpartition("/")[2]
    db.execute(
        "INSERT INTO documents (accession, name, text, sections, source_id, cik, filed) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (filing.accession, name, text, listed, source, cik, filing.filed),
    )
    for passage in passages_of(text, sections):
        row = (filing.accession, passage.section, passage.start, passage.stop)
        found = db.execute("INSERT INTO passages (accession, section, start, stop) VALUES (?, ?, ?, ?)", row).lastrowid
        words = indexed(text[passage.start : passage.stop])
        db.execute("INSERT INTO words (rowid, content) VALUES (?, ?)", (found, words))
    return source


def write_ownership(
    db: sqlite3.Connection,
    filing: Filed,
    filer: tuple[int, str | None],
    content: tuple[dict[str, object], list[dict[str, object]]],
    origin: Origin,
) -> None:
    """Store a report of holdings or transactions, in place of an earlier reading of it.

    Args:
        db: the store.
        filing: what it is.
        filer: the manager's or the issuer's CIK, and its name where it is known.
        content: what holds for the whole, and the rows.
        origin: the file.
    """
    cik, company = filer
    source = _source(db, origin, filing.accession)
    if not db.execute("SELECT name FROM companies WHERE cik = ? AND name IS NOT NULL", (cik,)).fetchone():
        _company(db, cik, company)
    _filings(db, cik, [filing], source)
    about, rows = map(json.dumps, content)
    db.execute(
        "INSERT OR REPLACE INTO ownership (accession, cik, form, filed, period, about, rows, source_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (filing.accession, cik, filing.form, filing.filed, filing.period, about, rows, source),
    )


def conflicts(db: sqlite3.Connection, cik: int) -> str:
    """What files of several companies or days say of one accession of which there is a text, in words; or nothing."""
    found = db.execute(
        "SELECT d.accession, f.cik, f.filed, d.cik, d.filed"
        " FROM documents d JOIN filings f ON f.accession = d.accession"
        " WHERE f.filed <> d.filed AND (f.cik = ? OR d.cik = ?) ORDER BY d.accession, f.cik",
        (cik, cik),
    ).fetchall()
    parts = [
        f"; conflict: the list of CIK{other:010d} has {accession} as filed on {day}, but that is a text of "
        f"CIK{owner:010d} filed on {filed}, and known from {max(day, filed) if other == owner else filed} only"
        for accession, other, day, owner, filed in found[:_MOST_CONFLICTS]
    ]
    more = f"; and {len(found) - _MOST_CONFLICTS} more conflicts" if len(found) > _MOST_CONFLICTS else ""
    return "".join(parts) + more


def forget_document(db: sqlite3.Connection, accession: str) -> None:
    """Take the text of a filing and its passages out of the store and the index."""
    stored = db.execute("SELECT text FROM documents WHERE accession = ?", (accession,)).fetchone()
    if stored is None:
        return
    for row, start, stop in db.execute(
        "SELECT id, start, stop FROM passages WHERE accession = ?", (accession,)
    ).fetchall():
        # An index without content needs the words of an entry to remove it.
        words = indexed(stored[0][start:stop])
        db.execute("INSERT INTO words (words, rowid, content) VALUES ('delete', ?, ?)", (row, words))
    db.execute("DELETE FROM passages WHERE accession = ?", (accession,))
    db.execute("DELETE FROM documents WHERE accession = ?", (accession,))
