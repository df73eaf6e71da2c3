"""What is in the store, and whether it is sound: for `finclaw filings list` and `check`."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from finclaw_filings.queries import company_of
from finclaw_filings.registers import number_text

_MAX_FINDINGS = 200
_SHOWN = (
    "SELECT c.cik, (SELECT count(*) FROM filings f WHERE f.cik = c.cik),"
    " (SELECT count(*) FROM documents d WHERE d.cik = c.cik),"
    " coalesce((SELECT sum(count) FROM concepts k WHERE k.cik = c.cik), 0), c.facts_until, s.ref"
    " FROM companies c LEFT JOIN sources s ON s.id = c.facts_source"
    " WHERE c.facts_source IS NOT NULL OR EXISTS (SELECT 1 FROM filings f WHERE f.cik = c.cik) ORDER BY c.cik"
)


def company_rows(db: sqlite3.Connection) -> list[dict[str, object]]:
    """Each company of which more than a ticker is known."""
    rows: list[dict[str, object]] = []
    for cik, filings, texts, values, until, ref in db.execute(_SHOWN).fetchall():
        company = company_of(db, cik)
        rows.append({
            "cik": number_text(cik).removeprefix("CIK"),
            "ticker": (company and " ".join(company.tickers)) or "-",
            "name": (company and company.name) or "-",
            "values": values,
            "filed_until": until or "-",
            "filings": filings,
            "texts": texts,
            "source": ref or "-",
        })  # fmt: skip
    return rows


def check(db: sqlite3.Connection) -> tuple[int, list[str]]:
    """How many companies were looked at, and what is wrong, in words."""
    findings = [f"the store is damaged: {row[0]}" for row in db.execute("PRAGMA quick_check(10)") if row[0] != "ok"]
    ciks = [row[0] for row in db.execute("SELECT cik FROM companies WHERE facts_source IS NOT NULL ORDER BY cik")]
    for cik in ciks:
        findings.extend(_facts_findings(db, cik))
        if len(findings) > _MAX_FINDINGS:
            break
    query = "SELECT accession FROM documents WHERE sections = '[]' ORDER BY accession"
    findings.extend(f"{row[0]}: no sections could be found in its text" for row in db.execute(query))
    return len(ciks), findings[:_MAX_FINDINGS]


def _facts_findings(db: sqlite3.Connection, cik: int) -> list[str]:
    found: list[str] = []
    query = "SELECT taxonomy, tag, unit, facts FROM concepts WHERE cik = ? ORDER BY taxonomy, tag, unit"
    for taxonomy, tag, unit, facts in db.execute(query, (cik,)):
        name = f"{number_text(cik)} {taxonomy}:{tag} {unit}"
        found.extend(f"{name}: {problem}" for problem in _problems(json.loads(facts)))
    return found


def _problems(rows: Sequence[Sequence[object]]) -> list[str]:
    """Values that one filing contradicts itself in, and values of periods that had not ended."""
    values: dict[tuple[object, object, object], set[object]] = defaultdict(set)
    found: list[str] = []
    for start, end, value, accession, _, _, _, filed in rows:
        values[start, end, accession].add(value)
        if str(end) > str(filed):
            found.append(f"{value} for a period up to {end} was filed before that, on {filed} ({accession}): not used")
    for (start, end, accession), different in values.items():
        if len(different) > 1:
            shown = ", ".join(sorted(map(str, different))[:5])
            found.append(f"{accession} gives several values for {start or ''}..{end}: {shown}")
    return found
