"""`financials`: reported values of a company, as they were known on a day, each with the filing it is from."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.render import quoted
from finclaw_filings.concepts import ANCHORS, CONCEPTS
from finclaw_filings.live import up_to_date
from finclaw_filings.periods import Derived, Known, Report
from finclaw_filings.queries import Company, concepts_of, facts_of, sources_by_id
from finclaw_filings.results import FACTS_URL, NEEDS, TZ, Cap, cap_for, cite, find, instrument_of, listed, opened
from finclaw_filings.series import ConceptSeries, Frequency, Value, Wanted, concept_series, ends_of, is_known

_MAX_CONCEPTS, _MAX_PERIODS, _MAX_NAME = 15, 40, 300
_CANDIDATES = 6
_CONVENTION = (
    "for each period the report filed last on or before as_of; durations of 350-380 days are years, 80-100 days "
    "quarters; signs as reported; filing_fy and filing_fp describe the filing, not the value"
)


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    external=True,
    timeout=60,
    examples=({"identifier": "AAPL", "concepts": ["revenue", "net_income"]},),
    needs=NEEDS,
)
def financials(
    identifier: str,
    concepts: list[str],
    ctx: ToolContext,
    *,
    period: Frequency = "annual",
    periods: int = 4,
    as_of: date | None = None,
    unit: str | None = None,
) -> FinanceResult:
    """Values a company reported to the SEC, the latest first, each with accession, filing date, tag and restatements.

    Args:
        identifier: ticker, CIK or whole name.
        concepts: revenue, gross_profit, operating_income, net_income, eps_diluted, assets, liabilities, equity, cash,
            debt, operating_cash_flow, capex, shares_outstanding, ... or tags as us-gaap:Revenues.
        ctx: given by finclaw.
        period: years or quarters.
        periods: how many, 1 to 40.
        as_of: only what had been filed by this day.
        unit: e.g. EUR, where there are several.
    """
    names = _checked(concepts, periods)
    cap = cap_for(ctx, as_of)
    notes = up_to_date(ctx, identifier, cap.day)
    with opened(ctx.home) as db:
        found = find(db, identifier, ctx)
        query = "SELECT facts_source FROM companies WHERE cik = ?"
        source = db.execute(query, (found.cik,)).fetchone()[0]
        if source is None:
            raise no_data(_no_facts(found))
        ends = ends_of((facts_of(db, found.cik, tag) for tag in ANCHORS), cap.day)
        wanted = Wanted(frequency=period, periods=periods, cap=cap.day, ends=ends, unit=unit)
        answers = [_answer(db, found, name, wanted) for name in names]
        cited = cite(sources_by_id(db, [source]), _rows(answers))
    if not any(answer.series.values for answer in answers):
        raise no_data("; ".join(answer.problem for answer in answers))
    return _result(found, answers, cap, notes, cited)


def _checked(concepts: list[str], periods: int) -> list[str]:
    """The names that were asked for, each once."""
    if not 1 <= periods <= _MAX_PERIODS:
        raise no_data(f"periods {periods} is not between 1 and {_MAX_PERIODS}", code="BAD_INPUT")
    names = list(dict.fromkeys(name.strip() for name in concepts))
    if not names or len(names) > _MAX_CONCEPTS or any(not 0 < len(name) <= _MAX_NAME for name in names):
        raise no_data(f"concepts must be 1 to {_MAX_CONCEPTS} names", code="BAD_INPUT")
    return names


def _no_facts(found: Company) -> str:
    file = f"{found.number}.json"
    return f"no facts of {found.shown} are stored; download {FACTS_URL}{file} and run finclaw filings import {file}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    name: str
    series: ConceptSeries
    problem: str = ""


def _answer(db: sqlite3.Connection, company: Company, name: str, wanted: Wanted) -> _Answer:
    tags = _tags(name, {f"{taxonomy}:{tag}" for taxonomy, tag, *_ in concepts_of(db, company.cik)})
    found = {tag: facts_of(db, company.cik, tag) for tag in tags}
    series = concept_series(found, wanted)
    if series.values:
        return _Answer(name=name, series=series)
    reported = [tag for tag, facts in found.items() if is_known(facts, wanted.cap)]
    if reported:
        return _Answer(name=name, series=series, problem=_not_in(name, reported, series, wanted))
    return _Answer(name=name, series=series, problem=_not_reported(db, company, name, wanted.cap))


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
    what = "no years" if wanted.frequency == "annual" else "no quarters"
    return f"{name}: {what}{unit} filed by {wanted.cap} ({', '.join(tags)}){there}"


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


def _rows(answers: Sequence[_Answer]) -> str:
    return listed(
        report.accession for answer in answers for value in answer.series.values for report in _reports(value)
    )


def _reports(value: Value) -> list[Report]:
    found = value.found
    return list(found.used) if isinstance(found, Derived) else [found.latest]


def _result(
    company: Company, answers: Sequence[_Answer], cap: Cap, notes: tuple[str, ...], cited: tuple[object, ...]
) -> FinanceResult:
    data: dict[str, object] = {}
    warnings: list[str] = []
    for answer in answers:
        if answer.series.values:
            data[answer.name] = [_shown(value) for value in answer.series.values]
            warnings.extend(f"{answer.name}: {warning}" for warning in answer.series.warnings)
        else:
            data[answer.name] = None
            warnings.append(f"unavailable, do not estimate: {answer.problem}")
    n = sum(len(answer.series.values) for answer in answers)
    return FinanceResult(
        data=data,
        as_of=cap.day.isoformat(),
        instrument=instrument_of(company),
        tz=TZ,
        units={
            "value": "see unit of each value",
            "duration_days": "days, both ends counted",
            "filed": "day at the SEC",
        },
        method=Method(name="reported_facts", convention=_CONVENTION, n=n),
        sources=cited,  # type: ignore[arg-type]
        warnings=(*cap.warnings, *notes, *warnings),
    )


def _shown(value: Value) -> dict[str, object]:
    found, period = value.found, value.period
    shown: dict[str, object] = {
        "value": format(found.value if isinstance(found, Derived) else found.latest.value, "f"),
        "unit": value.unit,
        "start": period.start,
        "end": period.end,
        "duration_days": period.days,
        "months": period.months,
        "tag": value.tag,
    }
    if isinstance(found, Derived):
        shown |= _derivation(found)
    else:
        latest = found.latest
        shown |= _report(latest) | {"filing_fy": latest.fy, "filing_fp": latest.fp}
        shown["restated"] = found.restated
        shown["earlier"] = [{"value": format(old.value, "f"), **_report(old)} for old in found.earlier]
        shown["contradicted"] = [format(other.value, "f") for other in found.contradicted]
        shown["also_reported"] = [_other(tag, other) for tag, other in value.others]
    return {name: item for name, item in shown.items() if item is not None and item != []}


def _report(report: Report) -> dict[str, object]:
    return {"accession": report.accession, "filed": report.filed, "form": report.form}


def _other(tag: str, known: Known) -> dict[str, object]:
    return {"tag": tag, "value": format(known.latest.value, "f"), **_report(known.latest)}


def _derivation(derived: Derived) -> dict[str, object]:
    """How a quarter that was not reported follows from what was."""
    inputs = [
        {
            "value": format(report.value, "f"),
            "start": known.period.start,
            "end": known.period.end,
            "months": known.period.months,
            "restated": known.restated,
            **_report(report),
        }
        for known, report in zip((derived.whole, derived.part), derived.used, strict=True)
    ]
    method = f"not reported: {inputs[0]['months']} months less the first {inputs[1]['months']} months"
    return {
        "derived": True,
        "method": method,
        "inputs": inputs,
        "filed": max(report.filed for report in derived.used),
    }
