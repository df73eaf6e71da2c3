"""Importing one saved filing: its text, or the tables of a report of holdings or transactions."""

from __future__ import annotations

from pathlib import Path

from finclaw_filings.filing_facts import FilingFacts
from finclaw_filings.filing_file import saved_filing
from finclaw_filings.identify import identified, stored_digest
from finclaw_filings.ownership_file import has_ownership, ownership_report
from finclaw_filings.store import writing
from finclaw_filings.writing import (
    Origin,
    Outcome,
    conflicts,
    write_cover_tickers,
    write_document,
    write_ownership,
)  # fmt: skip


def import_filing(name: str, content: bytes, home: Path, origin: Origin, stated: FilingFacts) -> tuple[Outcome, str]:
    """Store a filing; returns what became of it, in words.

    Raises:
        FileProblem: it cannot be read, is not known well enough, or is not what was stated.
        StoreProblem: the store cannot be written.
    """
    if has_ownership(content):
        return _import_ownership(name, content, home, origin, stated)
    saved = saved_filing(content, name, stated.form)
    with writing(home) as db:
        found = identified(db, stated, saved.facts, origin)
        known = stored_digest(db, "documents", found)
        what = f"{found.shown}: {len(saved.text)} characters"
        if known == origin.sha256:
            return "unchanged", what
        sections = saved.sections(found.filing.form)
        source = write_document(db, found.filing, (found.cik, found.company), (saved.text, sections), origin)
        write_cover_tickers(db, found.cik, saved.tickers, found.filing.filed, source)
        conflicting = conflicts(db, found.cik)
    return "replaced" if known else "imported", f"{what}, {len(sections)} sections{saved.note}{conflicting}"


def _import_ownership(
    name: str, content: bytes, home: Path, origin: Origin, stated: FilingFacts
) -> tuple[Outcome, str]:
    report = ownership_report(content, name)
    with writing(home) as db:
        found = identified(db, stated, report.facts, origin)
        known = stored_digest(db, "ownership", found)
        what = f"{found.shown}: {report.counted}"
        if known == origin.sha256:
            return "unchanged", what
        content_of = report.stored(found.filing.filed)
        write_ownership(db, found.filing, (found.cik, found.company), content_of, origin)
    return "replaced" if known else "imported", f"{what}{report.note}"
