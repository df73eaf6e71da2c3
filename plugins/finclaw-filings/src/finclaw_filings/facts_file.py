"""SEC's `companyfacts/CIK##########.json`: every value of a company's filings that was tagged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.sec_json import accession_from, cik_from, date_from, exact, mapping_from, text_from

MAX_FACTS = 2_000_000
# A company has reported a concept a few hundred times; every answer goes through all of them.
MAX_FACTS_OF_CONCEPT = 5_000
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,254}")
_UNIT = re.compile(r"[A-Za-z0-9_./()*^-]{1,100}")
# start, end, value, accession, fiscal year, fiscal period, form, filed; start is null for an instant.
Row = tuple[str | None, str, str, str, int | None, str | None, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """All values of one tag in one unit."""

    taxonomy: str
    tag: str
    unit: str
    label: str | None
    rows: list[Row]


@dataclass(slots=True, kw_only=True)
class CompanyFacts:
    """The data of one company in one file."""

    cik: int
    name: str | None
    concepts: list[Concept] = field(default_factory=list)
    rejected: int = 0
    """Values left out because they are no numbers, or lack a date, an accession or a form."""
    too_late: int = 0
    """Values left out because the day they were filed on is still to come."""
    filings: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The form and date of each accession."""

    @property
    def count(self) -> int:
        return sum(len(concept.rows) for concept in self.concepts)

    @property
    def last_filed(self) -> str:
        return max((filed for _, filed in self.filings.values()), default="")


def company_facts(document: dict[str, object], today: str) -> CompanyFacts:
    """Read a companyfacts document.

    Args:
        document: the whole of it.
        today: the last day `YYYY-MM-DD` on which anything can have been filed.

    Raises:
        FileProblem: it is none, or holds nothing that can be used.
    """
    facts = mapping_from(document.get("facts"))
    if "cik" not in document or not facts:
        raise FileProblem("no facts of a company in it (keys cik and facts)")
    company = CompanyFacts(cik=cik_from(document["cik"]), name=text_from(document.get("entityName")))
    total = 0
    for concept in _concepts(facts, company, today):
        total += len(concept.rows)
        company.concepts.append(concept)
        for row in concept.rows:
            company.filings[row[3]] = (row[6], row[7])
        if len(concept.rows) > MAX_FACTS_OF_CONCEPT:
            raise FileProblem(f"more than {MAX_FACTS_OF_CONCEPT} values of {concept.taxonomy}:{concept.tag}")
        if total > MAX_FACTS:
            raise FileProblem(f"more than {MAX_FACTS} values")
    if not company.concepts:
        late = f"; {company.too_late} were filed after {today}" if company.too_late else ""
        raise FileProblem(f"none of its {company.rejected + company.too_late} values can be used{late}")
    return company


def _concepts(facts: dict[str, object], company: CompanyFacts, today: str) -> Iterator[Concept]:
    for taxonomy, tags in facts.items():
        for tag, described in mapping_from(tags).items():
            about = mapping_from(described)
            for unit, values in mapping_from(about.get("units")).items():
                given = values if isinstance(values, list) else []
                if not (_NAME.fullmatch(taxonomy) and _NAME.fullmatch(tag) and _UNIT.fullmatch(unit)):
                    company.rejected += len(given)
                elif rows := _rows(given, company, today):
                    label = text_from(about.get("label"))
                    yield Concept(taxonomy=taxonomy, tag=tag, unit=unit, label=label, rows=rows)


def _rows(values: list[object], company: CompanyFacts, today: str) -> list[Row]:
    """The rows that can be used; the others are counted."""
    usable = [row for row in map(_row, values) if row is not None]
    rows = [row for row in usable if row[-1] <= today]
    company.rejected += len(values) - len(usable)
    company.too_late += len(usable) - len(rows)
    return rows


def _row(value: object) -> Row | None:
    fact = mapping_from(value)
    start, end = date_from(fact.get("start")), date_from(fact.get("end"))
    number, accession = exact(fact.get("val")), accession_from(fact.get("accn"))
    form, filed = text_from(fact.get("form"), 20), date_from(fact.get("filed"))
    if end is None or number is None or accession is None or form is None or filed is None:
        return None
    if (fact.get("start") is not None and start is None) or (start is not None and start > end):
        return None
    year = fact.get("fy")
    return start, end, number, accession, year if type(year) is int else None, text_from(fact.get("fp"), 4), form, filed
