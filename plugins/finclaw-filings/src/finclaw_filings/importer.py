"""`finclaw filings import`: each file is imported as a whole or not at all; one that is known changes nothing."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from finclaw_cli.sdk.render import one_line
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.facts_file import CompanyFacts, company_facts
from finclaw_filings.files import Found, digest, files_in
from finclaw_filings.filing_facts import FilingFacts
from finclaw_filings.filing_import import import_filing
from finclaw_filings.profile_file import Profile, company_listings, company_profile, older_filings
from finclaw_filings.sec_json import parsed
from finclaw_filings.store import writing
from finclaw_filings.writing import Origin, Outcome, conflicts, write_facts, write_listings, write_profile


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The options for the files."""

    ciks: tuple[int, ...] = ()
    facts: FilingFacts = field(default_factory=FilingFacts)
    everything: bool = False

    @property
    def stated(self) -> FilingFacts:
        """What the options state of a saved filing; the one company that is meant is its filer."""
        return self.facts.or_else(FilingFacts(cik=self.ciks[0] if len(self.ciks) == 1 else None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of one file."""

    file: str
    outcome: Outcome
    detail: str


def import_paths(paths: Sequence[Path], home: Path, options: ImportOptions) -> Iterator[Imported]:
    """Import files, one after the other, and say of each what became of it.

    Raises:
        StoreProblem: the store cannot be written; what was imported before stays.
    """
    for path in paths:
        try:
            for found in files_in(path, options.ciks, everything=options.everything):
                yield import_file(found, home, options)
        except FileProblem as error:
            yield Imported(file=one_line(path.name or str(path)), outcome="failed", detail=str(error))


def import_file(found: Found, home: Path, options: ImportOptions, *, kind: str = "file") -> Imported:
    """Import one file; `kind` is `file`, or `service` for what was fetched.

    Raises:
        StoreProblem: the store cannot be written.
    """
    name = one_line(found.ref)
    try:
        content = found.read()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        origin = Origin(kind=kind, ref=name, sha256=digest(content), retrieved_at=now)
        if found.name.lower().endswith(".json"):
            outcome, detail = _import_json(found.name, content, home, origin)
        else:
            outcome, detail = import_filing(found.name, content, home, origin, options.stated)
    except FileProblem as error:
        return Imported(file=name, outcome="failed", detail=str(error))
    return Imported(file=name, outcome=outcome, detail=detail)


def _import_json(name: str, content: bytes, home: Path, origin: Origin) -> tuple[Outcome, str]:
    document = parsed(content)
    if "facts" in document:
        facts = company_facts(document, _today())
        _check_cik(name, facts.cik)
        return _import_facts(facts, home, origin)
    if "-submissions-" in name:
        return _import_profile(older_filings(document, name), home, origin)
    if "filings" in document:
        profile = company_profile(document)
        _check_cik(name, profile.cik)
        return _import_profile(profile, home, origin)
    listings = company_listings(document)
    with writing(home) as db:
        if _has(db, origin):
            return "unchanged", f"{len(listings)} tickers"
        write_listings(db, listings, origin)
    return "imported", f"{len(listings)} tickers"


def _check_cik(name: str, cik: int) -> None:
    """Check that a file with the name that the SEC gives it is of the company in its name."""
    named = re.match(r"CIK(\d{10})[.-]", name)
    if named and int(named[1]) != cik:
        raise FileProblem(f"it is of CIK{cik:010d}, which its name does not say")


def _today() -> str:
    """The day it is in UTC, which is never behind the SEC's."""
    return datetime.now(UTC).date().isoformat()


def _import_facts(facts: CompanyFacts, home: Path, origin: Origin) -> tuple[Outcome, str]:
    left_out = f", {facts.rejected} values left out" if facts.rejected else ""
    if facts.too_late:
        left_out += f", {facts.too_late} values left out whose filing date is after today"
    what = f"CIK{facts.cik:010d} {facts.name or ''}: {facts.count} values, {len(facts.filings)} filings{left_out}"
    query = "SELECT s.sha256, c.facts_until FROM companies c JOIN sources s ON s.id = c.facts_source WHERE c.cik = ?"
    with writing(home) as db:
        known = db.execute(query, (facts.cik,)).fetchone()
        if known and known[0] == origin.sha256:
            return "unchanged", what
        # What reaches into the future was stored by a version that believed it.
        if known and facts.last_filed < (known[1] or "") <= _today():
            return "older", f"{what}; kept what is stored, which reaches {known[1]} and not only {facts.last_filed}"
        write_facts(db, facts, origin)
        what += conflicts(db, facts.cik)
    return "replaced" if known else "imported", what


def _import_profile(profile: Profile, home: Path, origin: Origin) -> tuple[Outcome, str]:
    what = f"CIK{profile.cik:010d} {profile.name or ''}: {len(profile.filings)} filings listed"
    with writing(home) as db:
        if _has(db, origin):
            return "unchanged", what
        write_profile(db, profile, origin)
        what += conflicts(db, profile.cik)
    return "imported", what


def _has(db: sqlite3.Connection, origin: Origin) -> bool:
    return db.execute("SELECT 1 FROM sources WHERE sha256 = ?", (origin.sha256,)).fetchone() is not None
