"""What a filing is: by SEC's header of a full submission, or by options; see also `cover_page`."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.sec_json import accession_from, cik_from, date_from, text_from

_HEAD = 200_000
_HEADER = re.compile(r"^[ \t]*+([A-Z][A-Z /()-]{2,50}):[ \t]*([^\n]*)$", re.MULTILINE)
# Reports of owners name the owner first; whose shares they are about follows.
_ISSUER = re.compile(r"^ISSUER:[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingFacts:
    """What a filing is; None for what is not known."""

    cik: int | None = None
    company: str | None = None
    form: str | None = None
    filed: str | None = None
    period: str | None = None
    accession: str | None = None

    def or_else(self, other: FilingFacts) -> FilingFacts:
        """These facts, completed from others."""
        names = [field.name for field in fields(self)]
        return replace(self, **{name: getattr(other, name) for name in names if getattr(self, name) is None})

    def differing(self, other: FilingFacts) -> list[tuple[str, str, str]]:
        """The facts but the name that both have and do not agree on: which, the value here, the value there."""
        names = [field.name for field in fields(self) if field.name != "company"]
        pairs = [(name, getattr(self, name), getattr(other, name)) for name in names]
        return [
            (name, str(here), str(there))
            for name, here, there in pairs
            if here is not None and there is not None and str(here).upper() != str(there).upper()
        ]


def header_facts(markup: str) -> FilingFacts:
    """The facts in SEC's header of a full submission; nothing where there is none."""
    head = markup[:_HEAD].partition("</SEC-HEADER>")[0]
    if "<SEC-HEADER>" not in head and "<IMS-HEADER>" not in head:
        return FilingFacts()
    values = _first_values(head)
    issuer = _ISSUER.search(head)
    company = _first_values(head[issuer.end() :]) if issuer else values
    return FilingFacts(
        cik=cik_or_none(company.get("CENTRAL INDEX KEY", "")),
        company=text_from(company.get("COMPANY CONFORMED NAME")),
        form=text_from(values.get("CONFORMED SUBMISSION TYPE") or values.get("FORM TYPE"), 20),
        filed=_day(values.get("FILED AS OF DATE")),
        period=_day(values.get("CONFORMED PERIOD OF REPORT")),
        accession=accession_from(values.get("ACCESSION NUMBER")),
    )


def _first_values(head: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for key, value in _HEADER.findall(head):
        values.setdefault(key.strip(), value.strip())
    return values


def cik_or_none(value: str) -> int | None:
    """A company's number at the SEC, or None where the text is none."""
    try:
        return cik_from(value)
    except FileProblem:
        return None


def _day(value: str | None) -> str | None:
    if value is None or not re.fullmatch(r"\d{8}", value):
        return None
    return date_from(f"{value[:4]}-{value[4:6]}-{value[6:]}")
