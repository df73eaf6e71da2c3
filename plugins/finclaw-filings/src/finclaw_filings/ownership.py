"""`ownership`: what managers report on Form 13F, and insiders on Forms 3, 4 and 5."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_filings.queries import Company, sources_by_id
from finclaw_filings.reading import UNTRUSTED
from finclaw_filings.registers import zone
from finclaw_filings.results import NEEDS, Cap, cap_for, cite, find, instrument_of, listed, opened

_MAX_LIMIT, _MAX_SEARCH = 200, 100
_STORED = (
    "SELECT accession, form, filed, period, about, rows, source_id FROM ownership"
    " WHERE cik = ? AND filed <= ? ORDER BY filed DESC, accession DESC"
)
# Form 4, General Instruction 8.
_CODES = {
    "P": "purchase", "S": "sale", "V": "reported earlier than required", "A": "grant or award",
    "D": "disposition to the issuer", "F": "shares withheld for price or tax", "I": "discretionary transaction",
    "M": "exercise or conversion of a derivative", "C": "conversion of a derivative", "E": "expiration, short",
    "H": "expiration or cancellation, long", "O": "exercise out of the money", "X": "exercise in or at the money",
    "G": "gift", "L": "small acquisition", "W": "will or descent", "Z": "voting trust", "J": "other, see footnotes",
    "K": "equity swap", "U": "tender in a change of control",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """One stored report."""

    accession: str
    form: str
    filed: str
    period: str | None
    about: dict[str, object]
    content: str
    source: int

    @property
    def is_13f(self) -> bool:
        return self.form.upper().startswith("13F")

    @property
    def rows(self) -> list[dict[str, object]]:
        """The rows, read when they are wanted: a manager may have many quarters of thousands of rows."""
        found: list[dict[str, object]] = json.loads(self.content)
        return found

    @property
    def named(self) -> dict[str, object]:
        return {"accession": self.accession, "form": self.form, "filed": self.filed}


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    timeout=15,
    examples=({"identifier": "BRK-B", "search": "apple"},),
    needs=NEEDS,
)
def ownership(
    identifier: str, ctx: ToolContext, search: str | None = None, limit: int = 30, as_of: date | None = None
) -> FinanceResult:
    """Holdings that a manager reported on Form 13F, and trades of a company's insiders (Forms 3, 4, 5).

    Args:
        identifier: the manager or the company: ticker, CIK or whole name.
        ctx: given by finclaw.
        search: only rows with these words: security, CUSIP or owner.
        limit: rows of each kind, 1 to 200.
        as_of: only what had been filed by this day.
    """
    if not 1 <= limit <= _MAX_LIMIT:
        raise no_data(f"limit {limit} is not between 1 and {_MAX_LIMIT}", code="BAD_INPUT")
    if search is not None and not 0 < len(search.strip()) <= _MAX_SEARCH:
        raise no_data(f"search must have 1 to {_MAX_SEARCH} characters", code="BAD_INPUT")
    cap = cap_for(ctx, as_of)
    with opened(ctx.home) as db:
        found = find(db, identifier, ctx)
        reports = _reports(db, found.cik, cap.day)
        if not reports:
            raise no_data(_nothing(found, cap))
        words = (search or "").casefold().split()
        held = _quarter([report for report in reports if report.is_13f])
        traded = [report for report in reports if not report.is_13f]
        data, warnings = _holdings(held, words, limit)
        trades, more = _transactions(traded, words, limit)
        used = [*held, *traded]
        cited = cite(
            sources_by_id(db, list(dict.fromkeys(report.source for report in used))),
            listed(report.accession for report in used),
        )
    return FinanceResult(
        data=data | trades,
        as_of=cap.day.isoformat(),
        instrument=instrument_of(found),
        tz=zone(found.cik),
        units={
            "value": "USD",
            "price": "USD, unless a footnote has another currency",
            "amount": "see type or security",
        },
        method=Method(
            name="ownership_reports",
            convention="13F: long positions of the latest quarter, with its amendments; Forms 3-5: the latest first",
            n=len(used),
        ),
        sources=cited,
        warnings=(*cap.warnings, *warnings, *more),
        truncated=any("are shown" in warning for warning in (*warnings, *more)),
    )


def _reports(db: sqlite3.Connection, cik: int, day: date) -> list[_Report]:
    """The reports of a manager, or about a company, the latest first."""
    return [
        _Report(
            accession=accession,
            form=form,
            filed=filed,
            period=period,
            about=json.loads(about),
            content=rows,
            source=source,
        )
        for accession, form, filed, period, about, rows, source in db.execute(_STORED, (cik, day.isoformat()))
    ]


def _nothing(found: Company, cap: Cap) -> str:
    what = f"no 13F and no Form 3, 4 or 5 of {found.shown} filed by {cap.day} is stored"
    return f"{what}; save the full submission text of such a filing and run finclaw filings import FILE"


def _quarter(reports: Sequence[_Report]) -> list[_Report]:
    """The reports that make up the latest quarter: the last whole one, and what amendments added to it since."""
    latest = max((report.period or "" for report in reports), default="")
    added: list[_Report] = []
    for report in reports:
        if (report.period or "") == latest:
            added.append(report)
            if report.about.get("amendment") != "NEW HOLDINGS":
                break
    return added


def _holdings(reports: Sequence[_Report], words: Sequence[str], limit: int) -> tuple[dict[str, object], list[str]]:
    if not reports:
        return {}, []
    tables = {report.accession: report.rows for report in reports}
    rows = [{**row, "accession": accession} for accession, table in tables.items() for row in table]
    matching = [row for row in rows if _has(words, row, "issuer", "class", "cusip")]
    largest = sorted(matching, key=_value, reverse=True)
    data: dict[str, object] = {
        "period": reports[0].period,
        "reports": [report.named for report in reports],
        "count": len(rows),
        "total_value": format(sum(map(_value, rows), Decimal(0)), "f"),
        "matching": len(matching),
        "rows": largest[:limit],
    }
    warnings = [
        f"the cover of {report.accession} counts {entries} holdings, its table has {len(tables[report.accession])}"
        for report in reports
        if (entries := report.about.get("entries")) is not None and entries != len(tables[report.accession])
    ]
    if reports[-1].about.get("amendment") == "NEW HOLDINGS":
        warnings.append("only additions to the quarter are stored, not the report that they add to")
    if len(matching) > limit:
        warnings.append(f"the {limit} largest of {len(matching)} holdings are shown")
    return {"holdings": data}, warnings


def _value(row: dict[str, object]) -> Decimal:
    return Decimal(str(row["value"]))


def _transactions(reports: Sequence[_Report], words: Sequence[str], limit: int) -> tuple[dict[str, object], list[str]]:
    rows = [(report, row) for report in reports for row in report.rows]
    matching = [(report, row) for report, row in rows if _has(words, {**report.about, **row}, "security", "owners")]
    shown = matching[:limit]
    if not reports:
        return {}, []
    warnings = [UNTRUSTED]
    if len(matching) > limit:
        warnings.append(f"the latest {limit} of {len(matching)} rows are shown")
    if any(report.form.upper().endswith("/A") for report, _ in shown):
        warnings.append("an amendment (/A) repeats rows of the report that it corrects; both are shown")
    return {"insiders": {"matching": len(matching), "rows": [_row(report, row) for report, row in shown]}}, warnings


def _row(report: _Report, row: dict[str, object]) -> dict[str, object]:
    meaning = _CODES.get(str(row.get("code")))
    footnotes = report.about.get("footnotes")
    marks = row.get("footnotes")
    notes = footnotes if isinstance(footnotes, dict) else {}
    texts = {mark: notes.get(mark) for mark in marks} if isinstance(marks, list) else {}
    shown = {**report.named, "owners": report.about.get("owners"), **row, "meaning": meaning, "footnotes": texts}
    return {name: value for name, value in shown.items() if value not in (None, [], {})}


def _has(words: Sequence[str], row: dict[str, object], *names: str) -> bool:
    text = " ".join(str(row.get(name, "")) for name in names).casefold()
    return all(word in text for word in words)
