"""One concept of one company: its tags, its series, and what to say where it was not reported."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from finclaw_cli.sdk import no_data
from finclaw_cli.sdk.render import quoted
from finclaw_filings.concepts import ANCHORS, CONCEPTS
from finclaw_filings.queries import Company, StoredSource, concepts_of, facts_of, sources_by_id
from finclaw_filings.registers import is_dart
from finclaw_filings.results import FACTS_URL, listed
from finclaw_filings.series import ConceptSeries, Frequency, Value, Wanted, concept_series, ends_of, is_known
from finclaw_filings.trailing import reports_of

_CANDIDATES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The series of one name, or the problem."""

    name: str
    series: ConceptSeries
    problem: str = ""


class Reported:
    """What a company reported, as it was known on a day."""

    def __init__(self, db: sqlite3.Connection, company: Company, cap: date) -> None:
        """Read the ends of the company's years and quarters.

        Raises:
            ToolError: NO_DATA: no facts of the company are stored.
        """
        self._db, self.company, self.cap = db, company, cap
        self._source = db.execute("SELECT facts_source FROM companies WHERE cik = ?", (company.cik,)).fetchone()[0]
        if self._source is None:
            raise no_data(_no_facts(company))
        self._ends = ends_of((facts_of(db, company.cik, tag) for tag in ANCHORS), cap)

    @property
    def source(self) -> StoredSource:
        """The file that the facts are from."""
        return sources_by_id(self._db, [self._source])[0]

    def answer(self, name: str, frequency: Frequency, periods: int, unit: str | None = None) -> Answer:
        """The latest values of a concept or tag."""
        wanted = Wanted(frequency=frequency, periods=periods, cap=self.cap, ends=self._ends, unit=unit)
        return _answer(self._db, self.company, name, wanted)


def _no_facts(found: Company) -> str:
    if is_dart(found.cik):
        return f"no statements of {found.shown} are stored; run finclaw filings fetch {found.symbol}"
    file = f"{found.number}.json"
    return f"no facts of {found.shown} are stored; download {FACTS_URL}{file} and run finclaw filings import {file}"


def _answer(db: sqlite3.Connection, company: Company, name: str, wanted: Wanted) -> Answer:
    tags = _tags(name, {f"{taxonomy}:{tag}" for taxonomy, tag, *_ in concepts_of(db, company.cik)})
    found = {tag: facts_of(db, company.cik, tag) for tag in tags}
    series = concept_series(found, wanted)
    if series.values:
        return Answer(name=name, series=series)
    reported = [tag for tag, facts in found.items() if is_known(facts, wanted.cap)]
    if reported:
        return Answer(name=name, series=series, problem=_not_in(name, reported, series, wanted))
    return Answer(name=name, series=series, problem=_not_reported(db, company, name, wanted.cap))


def _tags(name: str, there: set[str]) -> list[str]:
    """The tags of this company that a name may mean, the preferred one first."""
    folded = name.casefold()
    friendly = CONCEPTS.get(folded.replace(" ", "_").replace("-", "_"))
    if friendly is not None:
        return [tag for tag in friendly if tag in there]
    if ":" in name:
        return sorted(tag for tag in there if tag.casefold() == folded)
    return sorted(tag for tag in there if tag.partition(":")[2].casefold() == folded)


def _not_in(name: str, tags: Sequence[str], series: ConceptSeries, wanted: Wanted) -> str:
    lengths = ", ".join(str(days) for days in sorted(series.durations)[:12])
    there = f"; there are periods of {lengths} days" if lengths else ""
    unit = f" in {quoted(wanted.unit)}" if wanted.unit else ""
    what = {"annual": "years", "quarterly": "quarters", "ttm": "twelve months to the end of a quarter"}
    return f"{name}: no {what[wanted.frequency]}{unit} filed by {wanted.cap} ({', '.join(tags)}){there}"


def _not_reported(db: sqlite3.Connection, company: Company, name: str, cap: date) -> str:
    # Which tags a company used later is not known on that day, either.
    listed = [
        row for row in concepts_of(db, company.cik) if is_known(facts_of(db, company.cik, f"{row[0]}:{row[1]}"), cap)
    ]
    near = _similar(name, listed)
    return f"{quoted(name)} is not among the company's tags; candidates: {', '.join(near) or 'none'}"


def _similar(name: str, listed: Sequence[tuple[str, str, str, str, int]]) -> list[str]:
    """Tags and names that look or sound like what was asked for."""
    words = [word for word in name.casefold().replace("_", " ").replace(":", " ").split() if len(word) > 2]  # noqa: PLR2004
    scored: dict[str, float] = {}
    for taxonomy, tag, _, label, _ in listed:
        text = f"{tag} {label}".casefold()
        shared = sum(word in text for word in words)
        likeness = difflib.SequenceMatcher(None, name.casefold(), tag.casefold()).quick_ratio()
        if shared or likeness > 0.8:  # noqa: PLR2004 - a misspelling
            scored[f"{taxonomy}:{tag}"] = shared + likeness
    friendly = difflib.get_close_matches(name.casefold(), CONCEPTS, 2)
    return [*friendly, *sorted(scored, key=lambda tag: -scored[tag])[:_CANDIDATES]]


def accessions_in(values: Iterable[Value]) -> str:
    """The accessions that values are from, as a source names them."""
    return listed(report.accession for value in values for report in reports_of(value.found))
