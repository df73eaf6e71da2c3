"""Importing one saved filing: what it is, by options, its header, its cover page, or the stored list of filings."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from finclaw_filings.filing_facts import FilingFacts
from finclaw_filings.filing_file import saved_filing
from finclaw_filings.problems import FileProblem
from finclaw_filings.profile_file import Filed
from finclaw_filings.store import writing
from finclaw_filings.writing import Origin, Outcome, conflicts, write_cover_tickers, write_document

_LISTED = (
    "SELECT accession, filed FROM filings"
    " WHERE cik = ? AND upper(form) = ? AND period = ? AND accession NOT LIKE 'file-%'"
)


def import_filing(name: str, content: bytes, home: Path, origin: Origin, stated: FilingFacts) -> tuple[Outcome, str]:
    """Store the text of a filing; returns what became of it, in words.

    Raises:
        FileProblem: it is no text, is not known well enough, or is not what was stated.
        StoreProblem: the store cannot be written.
    """
    saved = saved_filing(content, name, stated.form)
    if origin.kind == "file":
        _check_agreement(stated, saved.facts)
    facts = stated.or_else(saved.facts)
    with writing(home) as db:
        facts, listed = _from_list(db, facts)
        filing, cik = _complete(facts, origin)
        known = _stored(db, filing, cik)
        what = f"{filing.accession} {filing.form} of CIK{cik:010d}, filed {filing.filed}{listed}"
        what += f": {len(saved.text)} characters"
        if known == origin.sha256:
            return "unchanged", what
        sections = saved.sections(filing.form)
        source = write_document(db, filing, (cik, facts.company), (saved.text, sections), origin)
        write_cover_tickers(db, cik, saved.tickers, filing.filed, source)
        conflicting = conflicts(db, cik)
    return "replaced" if known else "imported", f"{what}, {len(sections)} sections{saved.note}{conflicting}"


def _check_agreement(stated: FilingFacts, found: FilingFacts) -> None:
    """Check that options do not contradict the file, as they may be meant for another one."""
    for name, given, there in stated.differing(found):
        raise FileProblem(f"its own {name} is {there}, not {given}")


def _from_list(db: sqlite3.Connection, facts: FilingFacts) -> tuple[FilingFacts, str]:
    """The day and accession from the stored list, where it has exactly one filing of that form and period."""
    if facts.filed is not None or None in {facts.cik, facts.form, facts.period}:
        return facts, ""
    rows = db.execute(_LISTED, (facts.cik, str(facts.form).upper(), facts.period)).fetchall()
    if len(rows) != 1 or facts.accession not in {None, rows[0][0]}:
        return facts, ""
    return replace(facts, accession=rows[0][0], filed=rows[0][1]), " by the stored list"


def _complete(facts: FilingFacts, origin: Origin) -> tuple[Filed, int]:
    """The filing as the store needs it; it needs a filing date, from which on it was known."""
    options = (("--cik (or --ticker)", facts.cik), ("--form", facts.form), ("--filed", facts.filed))
    if facts.cik is None or facts.form is None or facts.filed is None:
        missing = ", ".join(option for option, value in options if value is None)
        raise FileProblem(f"its header or cover page does not have all that is needed, so say {missing}")
    # A filing without an accession number is named by its content.
    accession = facts.accession or f"file-{origin.sha256[:16]}"
    filing = Filed(accession=accession, form=facts.form, filed=facts.filed, period=facts.period, document=None)
    return filing, facts.cik


def _stored(db: sqlite3.Connection, filing: Filed, cik: int) -> str | None:
    """The digest of the text that is stored of a filing."""
    query = "SELECT s.sha256, d.cik FROM documents d JOIN sources s ON s.id = d.source_id WHERE d.accession = ?"
    known = db.execute(query, (filing.accession,)).fetchone()
    if known and known[1] != cik:
        raise FileProblem(f"{filing.accession} is stored already as a text of CIK{known[1]:010d}, not CIK{cik:010d}")
    return str(known[0]) if known else None
