"""Which filing a saved file is: by options, its own facts, or the stored list of filings."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.filing_facts import FilingFacts
from finclaw_filings.profile_file import Filed
from finclaw_filings.writing import Origin

_LISTED = (
    "SELECT accession, filed FROM filings"
    " WHERE cik = ? AND upper(form) = ? AND period = ? AND accession NOT LIKE 'file-%'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identified:
    """A filing that is known well enough to be stored."""

    filing: Filed
    cik: int
    company: str | None
    listed: bool
    """Whether the day it was filed on is from the stored list."""

    @property
    def shown(self) -> str:
        filed = f"{self.filing.filed}{' by the stored list' if self.listed else ''}"
        return f"{self.filing.accession} {self.filing.form} of CIK{self.cik:010d}, filed {filed}"


def identified(db: sqlite3.Connection, stated: FilingFacts, found: FilingFacts, origin: Origin) -> Identified:
    """Put together what a file is.

    Args:
        db: the store.
        stated: the options, or what a list has where the file was fetched.
        found: what stands in the file.
        origin: the file; the options of a file of the user must not contradict it.

    Raises:
        FileProblem: something is missing, or contradicts.
    """
    differing = stated.differing(found) if origin.kind == "file" else []
    for name, given, there in differing:
        raise FileProblem(f"its own {name} is {there}, not {given}")
    facts = stated.or_else(found)
    listed = _from_list(db, facts)
    filing, cik = _complete(listed or facts, origin)
    return Identified(filing=filing, cik=cik, company=facts.company, listed=listed is not None)


def _from_list(db: sqlite3.Connection, facts: FilingFacts) -> FilingFacts | None:
    """The facts with day and accession of the stored list, where it has exactly one filing of that form and period."""
    if facts.filed is not None or None in {facts.cik, facts.form, facts.period}:
        return None
    rows = db.execute(_LISTED, (facts.cik, str(facts.form).upper(), facts.period)).fetchall()
    if len(rows) != 1 or facts.accession not in {None, rows[0][0]}:
        return None
    return replace(facts, accession=rows[0][0], filed=rows[0][1])


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


def stored_digest(db: sqlite3.Connection, table: str, found: Identified) -> str | None:
    """The digest of the file that `documents` or `ownership` has of a filing.

    Raises:
        FileProblem: it is stored for another company.
    """
    query = f"SELECT s.sha256, d.cik FROM {table} d JOIN sources s ON s.id = d.source_id WHERE d.accession = ?"  # noqa: S608
    known = db.execute(query, (found.filing.accession,)).fetchone()
    if known and known[1] != found.cik:
        owner = f"{found.filing.accession} is stored already as a text of CIK{known[1]:010d}"
        raise FileProblem(f"{owner}, not CIK{found.cik:010d}")
    return str(known[0]) if known else None
