"""`company` and `list_filings`: who a company is, and what it filed."""

from __future__ import annotations

import json
import sqlite3
from datetime import date

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_filings.live import up_to_date
from finclaw_filings.queries import Company, StoredFiling, filings_between, sources_by_id
from finclaw_filings.registers import filing_url, is_dart, zone
from finclaw_filings.results import NEEDS, Cap, cap_for, cite, find, instrument_of, listed, opened, today

_MAX_LIMIT = 200
_MAX_FORMS = 20


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    external=True,
    timeout=60,
    examples=({"identifier": "AAPL"},),
    needs=NEEDS,
)
def company(identifier: str, ctx: ToolContext) -> FinanceResult:
    """Who a company is: name, CIK, tickers, industry, fiscal year end, and which filings are stored.

    Args:
        identifier: ticker, CIK, Korean stock code or whole name.
        ctx: given by finclaw.
    """
    cap = cap_for(ctx, None)
    notes = up_to_date(ctx, identifier, cap.day)
    with opened(ctx.home) as db:
        found = find(db, identifier, ctx)
        return _company(db, found, cap, notes)


def _company(db: sqlite3.Connection, found: Company, cap: Cap, notes: tuple[str, ...]) -> FinanceResult:
    query = (
        "SELECT sic, industry, fiscal_year_end, former_names, facts_source, profile_source FROM companies WHERE cik = ?"
    )
    sic, industry, year_end, former, facts, profile = db.execute(query, (found.cik,)).fetchone()
    stored = filings_between(db, found.cik, date.min, cap.day, ())
    ticker_source = db.execute("SELECT source_id FROM tickers WHERE cik = ? LIMIT 1", (found.cik,)).fetchone()
    files = (facts, profile, ticker_source[0] if ticker_source else None)
    data = {
        "name": found.name,
        "dart_code" if is_dart(found.cik) else "cik": found.number.removeprefix("DART").removeprefix("CIK"),
        "tickers": list(found.tickers),
        "exchanges": list(found.exchanges),
        "sic": sic,
        "industry": industry,
        "fiscal_year_end": f"{year_end[:2]}-{year_end[2:]}" if year_end and len(year_end) == 4 else None,  # noqa: PLR2004 - MMDD
        "former_names": json.loads(former) if former else [],
        "filings": _summary(stored),
    }
    missing = () if found.tickers else ("tickers are not in companyfacts files; import submissions or company_tickers",)
    method = Method(
        name="company_profile",
        convention=f"filings: those filed by {cap.day}; all else as of the import of the sources, see retrieved_at",
        n=len(stored),
    )
    dated = ("name, tickers and industry are as of the import, not as of an earlier day",) if cap.day < today() else ()
    return FinanceResult(
        data={name: value for name, value in data.items() if value not in (None, [])},
        as_of=cap.day.isoformat(),
        instrument=instrument_of(found),
        tz=zone(found.cik),
        units={"fiscal_year_end": "month-day"},
        method=method,
        sources=cite(sources_by_id(db, files), f"{len(stored)} filings by {cap.day}"),
        warnings=(*cap.warnings, *notes, *missing, *dated),
    )


def _summary(stored: list[StoredFiling]) -> dict[str, object]:
    if not stored:
        return {"count": 0}
    return {
        "count": len(stored),
        "with_text": sum(filing.name is not None for filing in stored),
        "first_filed": stored[-1].filed,
        "last_filed": stored[0].filed,
    }


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    external=True,
    timeout=60,
    examples=({"identifier": "AAPL", "forms": ["10-K"]},),
    needs=NEEDS,
)
def list_filings(
    identifier: str,
    ctx: ToolContext,
    *,
    forms: list[str] | None = None,
    start: date | None = None,
    end: date | None = None,
    limit: int = 20,
    as_of: date | None = None,
) -> FinanceResult:
    """A company's filings, the latest first: accession, form, day filed, period, whether the text is stored.

    Args:
        identifier: ticker, CIK or whole name.
        ctx: given by finclaw.
        forms: e.g. ["10-K", "10-Q"]; amendments are forms of their own, 10-K/A.
        start: first day filed.
        end: last day filed.
        limit: 1 to 200.
        as_of: answer as of this day.
    """
    if not 1 <= limit <= _MAX_LIMIT:
        raise no_data(f"limit {limit} is not between 1 and {_MAX_LIMIT}", code="BAD_INPUT")
    wanted = [form.strip().upper() for form in forms or ()]
    if len(wanted) > _MAX_FORMS:
        raise no_data(f"more than {_MAX_FORMS} forms", code="BAD_INPUT")
    cap = cap_for(ctx, as_of)
    first, last = start or date.min, min(end or cap.day, cap.day)
    if first > last:
        raise no_data(f"start {first} is after the end of the window, {last}", code="BAD_INPUT")
    notes = up_to_date(ctx, identifier, cap.day)
    with opened(ctx.home) as db:
        found = find(db, identifier, ctx)
        stored = filings_between(db, found.cik, first, last, wanted)
        if not stored:
            raise no_data(_none_found(db, found, cap, wanted))
        return _listed(db, found, stored, limit, Cap(day=cap.day, warnings=(*cap.warnings, *notes)))


def _none_found(db: sqlite3.Connection, found: Company, cap: Cap, wanted: list[str]) -> str:
    known = filings_between(db, found.cik, date.min, cap.day, ())
    if not known:
        source = f"https://data.sec.gov/submissions/{found.number}.json"
        how = f"run finclaw filings fetch {found.symbol}" if is_dart(found.cik) else f"import {source}"
        return f"no filings of {found.shown} up to {cap.day} are stored; {how}"
    forms = ", ".join(sorted({filing.form for filing in known})[:_MAX_FORMS])
    kind = f"of form {', '.join(wanted)} " if wanted else ""
    span = f"{len(known)} filings from {known[-1].filed} to {known[0].filed}, of forms {forms}"
    return f"{found.shown} has no filings {kind}in that window; stored are {span}"


def _listed(db: sqlite3.Connection, found: Company, stored: list[StoredFiling], limit: int, cap: Cap) -> FinanceResult:
    shown = stored[:limit]
    rows = [_row(filing) for filing in shown]
    more = (f"{len(stored)} filings match; the latest {limit} are shown",) if len(stored) > limit else ()
    indexed = db.execute(
        "SELECT 1 FROM companies WHERE cik = ? AND profile_source IS NOT NULL", (found.cik,)
    ).fetchone()
    partial = () if indexed else ("only filings with tagged facts or imported texts are known: no submissions file",)
    return FinanceResult(
        data={"filings": rows, "count": len(stored)},
        as_of=cap.day.isoformat(),
        instrument=instrument_of(found),
        tz=zone(found.cik),
        units={"filed": "day at the SEC", "period": "last day reported on"},
        sources=cite(
            sources_by_id(db, [filing.source_id for filing in shown]), listed(filing.accession for filing in shown)
        ),
        warnings=(*cap.warnings, *partial, *more),
        truncated=len(stored) > limit,
    )


def _row(filing: StoredFiling) -> dict[str, object]:
    return {
        "accession": filing.accession,
        "form": filing.form,
        "filed": filing.filed,
        "period": filing.period,
        "text": filing.name is not None,
        "url": filing_url(filing.cik, filing.accession, filing.document),
    }
