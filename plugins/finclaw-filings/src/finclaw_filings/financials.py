"""`financials`: reported values of a company, as they were known on a day, each with the filing it is from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_filings.live import up_to_date
from finclaw_filings.queries import Company
from finclaw_filings.registers import zone
from finclaw_filings.reported import Answer, Reported, accessions_in
from finclaw_filings.results import NEEDS, Cap, cap_for, cite, find, instrument_of, opened
from finclaw_filings.series import Frequency
from finclaw_filings.value_rows import value_row

_MAX_CONCEPTS, _MAX_PERIODS, _MAX_NAME = 15, 40, 300
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
        period: years, quarters, or ttm: twelve months up to each quarter's end.
        periods: how many, 1 to 40.
        as_of: only what had been filed by this day.
        unit: e.g. EUR, where there are several.
    """
    names = _checked(concepts, periods)
    cap = cap_for(ctx, as_of)
    notes = up_to_date(ctx, identifier, cap.day)
    with opened(ctx.home) as db:
        found = find(db, identifier, ctx)
        reported = Reported(db, found, cap.day)
        answers = [reported.answer(name, period, periods, unit) for name in names]
        values = [value for answer in answers for value in answer.series.values]
        cited = cite([reported.source], accessions_in(values))
    if not values:
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


def _result(
    company: Company, answers: Sequence[Answer], cap: Cap, notes: tuple[str, ...], cited: tuple[object, ...]
) -> FinanceResult:
    data: dict[str, object] = {}
    warnings: list[str] = []
    for answer in answers:
        if answer.series.values:
            data[answer.name] = [value_row(value) for value in answer.series.values]
            warnings.extend(f"{answer.name}: {warning}" for warning in answer.series.warnings)
        else:
            data[answer.name] = None
            warnings.append(f"unavailable, do not estimate: {answer.problem}")
    n = sum(len(answer.series.values) for answer in answers)
    return FinanceResult(
        data=data,
        as_of=cap.day.isoformat(),
        instrument=instrument_of(company),
        tz=zone(company.cik),
        units={
            "value": "see unit of each value",
            "duration_days": "days, both ends counted",
            "filed": "day at the register, in tz",
        },
        method=Method(name="reported_facts", convention=_CONVENTION, n=n),
        sources=cited,  # type: ignore[arg-type]
        warnings=(*cap.warnings, *notes, *warnings),
    )
