"""`search_filings`: passages of stored filings that have the words, with the offsets that read_filing knows."""

from __future__ import annotations

import sqlite3
from datetime import date

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_filings.passages import search_terms
from finclaw_filings.queries import company_of, document_source, sources_by_id, text_of
from finclaw_filings.reading import UNTRUSTED
from finclaw_filings.registers import number_text, zone
from finclaw_filings.results import NEEDS, TZ, Cap, cap_for, cite, find, instrument_of, opened

_MAX_LIMIT, _MAX_QUERY = 30, 500
_QUERY = """
SELECT DISTINCT p.id, p.accession, p.section, p.start, p.stop, bm25(words) AS score
FROM words JOIN passages p ON p.id = words.rowid
WHERE words MATCH :match AND EXISTS (
    SELECT 1 FROM texts t WHERE t.accession = p.accession AND t.filed <= :last AND (:cik IS NULL OR t.cik = :cik)
)
ORDER BY score, p.id LIMIT :limit
"""
_FILING = "SELECT cik, form, filed FROM texts WHERE accession = ?"
Row = tuple[int, str, str | None, int, int, float]


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    timeout=10,
    examples=({"query": "supply chain risk", "identifier": "AAPL"},),
    needs=NEEDS,
)
def search_filings(
    query: str, ctx: ToolContext, identifier: str | None = None, limit: int = 5, as_of: date | None = None
) -> FinanceResult:
    """Find passages in the texts of stored filings; the offsets are those of read_filing.

    Args:
        query: words, or a "quoted phrase"; English forms of a word count as one.
        ctx: given by finclaw.
        identifier: only this company.
        limit: 1 to 30.
        as_of: only what had been filed by this day.
    """
    if not 1 <= limit <= _MAX_LIMIT:
        raise no_data(f"limit {limit} is not between 1 and {_MAX_LIMIT}", code="BAD_INPUT")
    terms = search_terms(query) if len(query) <= _MAX_QUERY else []
    if not terms:
        raise no_data(f"query must have words, and at most {_MAX_QUERY} characters", code="BAD_INPUT")
    cap = cap_for(ctx, as_of)
    with opened(ctx.home) as db:
        company = find(db, identifier, ctx) if identifier is not None else None
        cik = company.cik if company else None
        rows, notes = _matches(db, terms, {"last": cap.day.isoformat(), "cik": cik, "limit": limit})
        if not rows:
            raise no_data(_nothing(db, cik, cap))
        passages = [_passage(db, row) for row in rows]
        numbers = list(dict.fromkeys(row[1] for row in rows))
        cited = cite(sources_by_id(db, [document_source(db, number) for number in numbers]))
    return FinanceResult(
        data={"passages": passages},
        as_of=cap.day.isoformat(),
        instrument=instrument_of(company) if company else None,
        tz=zone(company.cik) if company else TZ,
        units={"start": "characters of the filing's whole text", "end": "characters, not included"},
        method=Method(name="full_text_search", convention="best match first (bm25 over passages)", n=len(passages)),
        sources=cited,
        warnings=(*cap.warnings, *notes, UNTRUSTED),
    )


def _matches(db: sqlite3.Connection, terms: list[str], given: dict[str, object]) -> tuple[list[Row], tuple[str, ...]]:
    """The passages that have all words or, where none has, the ones with the most telling of them."""
    rows = db.execute(_QUERY, {**given, "match": " AND ".join(terms)}).fetchall()
    if rows or len(terms) == 1:
        return rows, ()
    rows = db.execute(_QUERY, {**given, "match": " OR ".join(terms)}).fetchall()
    return rows, ("no passage has all of the words; these have some",)


def _nothing(db: sqlite3.Connection, cik: int | None, cap: Cap) -> str:
    query = "SELECT count(*) FROM texts WHERE filed <= ? AND (? IS NULL OR cik = ?)"
    count = db.execute(query, (cap.day.isoformat(), cik, cik)).fetchone()[0]
    if count:
        return f"no passage of the {count} filings with text has these words"
    return f"no texts of filings up to {cap.day} are stored; save a filing and run finclaw filings import FILE"


def _passage(db: sqlite3.Connection, row: Row) -> dict[str, object]:
    _, accession, section, start, stop, _ = row
    cik, form, filed = db.execute(_FILING, (accession,)).fetchone()
    company = company_of(db, cik)
    return {
        "accession": accession,
        "company": company.shown if company else number_text(cik),
        "form": form,
        "filed": filed,
        "section": section,
        "start": start,
        "end": stop,
        "text": text_of(db, accession, start, stop),
    }
