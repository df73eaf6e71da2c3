"""Form 13F: what an institutional manager holds at the end of a quarter.

Filings since 3 January 2023 have values in dollars, earlier ones in thousands, whichever quarter they are about: SEC
release 34-95148.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from finclaw_cli.sdk.tabular import BadCell, FileProblem
from finclaw_cli.sdk.xml import Element, exact
from finclaw_filings.filing_facts import FilingFacts, cik_or_none
from finclaw_filings.sec_json import date_from, text_from

IN_DOLLARS_SINCE = "2023-01-03"
_MAX_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of an information table, with values as they were written."""

    rows: list[dict[str, object]]

    def in_dollars(self, filed: str) -> list[dict[str, object]]:
        """The rows with values in dollars, by the day of filing."""
        factor = 1 if filed >= IN_DOLLARS_SINCE else 1000
        return [{**row, "value": format(Decimal(str(row["value"])) * factor, "f")} for row in self.rows]


def table_13f(root: Element) -> Table:
    """Read an information table.

    Raises:
        FileProblem: a row has no issuer, value or amount.
    """
    entries = list(root.all("infoTable"))
    if not entries or len(entries) > _MAX_ROWS:
        raise FileProblem(f"{len(entries)} holdings in it; 1 to {_MAX_ROWS} are read")
    return Table([_row(entry) for entry in entries])


def _row(entry: Element) -> dict[str, object]:
    try:
        value = exact(entry.first("value"), "value")
        amount = exact(entry.first("shrsOrPrnAmt", "sshPrnamt"), "amount")
    except BadCell as error:
        raise FileProblem(f"line {entry.line}: {error}") from None
    issuer = text_from(entry.first("nameOfIssuer"))
    if issuer is None:
        raise FileProblem(f"line {entry.line}: a holding without an issuer")
    row: dict[str, object] = {
        "issuer": issuer,
        "class": text_from(entry.first("titleOfClass")),
        "cusip": text_from(entry.first("cusip"), 12),
        "value": format(value, "f"),
        "amount": format(amount, "f"),
        "type": text_from(entry.first("shrsOrPrnAmt", "sshPrnamtType"), 5),
        "put_call": text_from(entry.first("putCall"), 5),
        "discretion": text_from(entry.first("investmentDiscretion"), 10),
    }
    return {name: item for name, item in row.items() if item is not None}


def cover_13f(root: Element | None) -> tuple[FilingFacts, dict[str, object]]:
    """Who reports on which quarter; the kind of an amendment and the number of holdings."""
    if root is None:
        return FilingFacts(), {}
    header, cover = ("headerData",), ("formData", "coverPage")
    summary = root.first("formData", "summaryPage", "tableEntryTotal")
    month, _, rest = root.first(*header, "filerInfo", "periodOfReport").partition("-")
    day, _, year = rest.partition("-")
    facts = FilingFacts(
        cik=cik_or_none(root.first(*header, "filerInfo", "filer", "credentials", "cik")),
        company=text_from(root.first(*cover, "filingManager", "name")),
        form=text_from(root.first(*header, "submissionType"), 20),
        period=date_from(f"{year}-{month}-{day}"),
    )
    kind = root.first(*cover, "amendmentInfo", "amendmentType").upper()
    about: dict[str, object] = {"amendment": kind} if kind else {}
    if summary.isascii() and summary.isdigit() and len(summary) < 10:  # noqa: PLR2004
        about["entries"] = int(summary)
    return facts, about
