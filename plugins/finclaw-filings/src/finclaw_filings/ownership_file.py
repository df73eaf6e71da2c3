"""Reports of who owns what: information tables of Form 13F, and Forms 3, 4 and 5 of insiders, in SEC's XML.

Structures: EDGAR Form 13F XML and EDGAR Ownership XML Technical Specifications.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_cli.sdk.xml import Element, read_xml
from finclaw_filings.filing_facts import FilingFacts, cik_or_none, header_facts
from finclaw_filings.filing_file import MAX_FILING_BYTES, decoded
from finclaw_filings.holdings_13f import Table, cover_13f, table_13f
from finclaw_filings.insider_forms import insider_form
from finclaw_filings.sec_json import accession_from
from finclaw_filings.submission import parts_of

_ROOT = re.compile(rb"<(?:[A-Za-z][\w-]{0,20}:)?(?:ownershipDocument|informationTable)[\s>]")
_DECLARATION = re.compile(r"^\s*+(?:<XML>)?\s*+(?:<\?xml[^<>]{0,200}\?>)?", re.IGNORECASE)
_END = re.compile(r"</XML>\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnershipReport:
    """A report as it was read."""

    facts: FilingFacts
    about: dict[str, object]
    """What holds for all rows: owners and footnotes, or the kind of amendment and the totals that the cover has."""
    rows: list[dict[str, object]]
    note: str = ""
    table: Table | None = None

    @property
    def counted(self) -> str:
        what = "holdings" if self.table else "transactions and holdings"
        return f"{len(self.rows)} {what}"

    def stored(self, filed: str) -> tuple[dict[str, object], list[dict[str, object]]]:
        """What is kept of the whole and of the rows; the unit of a 13F's values follows from the day it was filed."""
        return self.about, self.table.in_dollars(filed) if self.table else self.rows


def has_ownership(content: bytes) -> bool:
    """Whether a file is one of these reports, by itself or in a full submission."""
    return _ROOT.search(content) is not None


def ownership_report(content: bytes, name: str) -> OwnershipReport:
    """Read a report: its XML alone, or SEC's full submission.

    Raises:
        FileProblem: it is damaged, or has a row that cannot be read.
    """
    if len(content) > MAX_FILING_BYTES:
        raise FileProblem(f"larger than {MAX_FILING_BYTES} bytes")
    parts = parts_of(decoded(content))
    bodies = [part.body for part in parts if part.is_xml] if parts else None
    roots = [_root(body.encode()) for body in map(_bare, bodies)] if bodies else [_root(content)]
    report = _report({root.name: root for root in roots})
    header = header_facts(decoded(content))
    stem = name.rpartition("/")[2].partition(".")[0]
    named = FilingFacts(accession=accession_from(stem))
    return replace(report, facts=header.or_else(report.facts).or_else(named))


def _bare(body: str) -> str:
    """The XML of a part, without a declaration of an encoding that the text has no more."""
    return _END.sub("", _DECLARATION.sub("", body, count=1))


def _root(content: bytes) -> Element:
    return read_xml(content.lstrip()).children[0]


def _report(roots: dict[str, Element]) -> OwnershipReport:
    if document := roots.get("ownershipDocument"):
        about, rows = insider_form(document)
        return OwnershipReport(facts=_facts_of_form(document), about=about, rows=rows)
    if "informationTable" not in roots:
        raise FileProblem(f"neither a table of holdings nor a report of an insider in it, but {', '.join(roots)}")
    facts, about = cover_13f(roots.get("edgarSubmission"))
    table = table_13f(roots["informationTable"])
    return OwnershipReport(facts=facts, about=about, rows=table.rows, note=_note(table.rows, about), table=table)


def _facts_of_form(document: Element) -> FilingFacts:
    return FilingFacts(
        cik=cik_or_none(document.first("issuer", "issuerCik")),
        company=document.first("issuer", "issuerName") or None,
        form=document.first("documentType") or None,
        period=document.first("periodOfReport") or None,
    )


def _note(rows: Sequence[dict[str, object]], about: dict[str, object]) -> str:
    """Whether the cover has another number of rows than the table."""
    entries = about.get("entries")
    return f"; warning: its cover counts {entries} holdings" if entries is not None and entries != len(rows) else ""
