"""`ratios`: ratios, growth and comparisons of companies, each with its formula and the reports that it follows from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_filings.live import up_to_date
from finclaw_filings.measures import Formula, Input, formulas_of, result_of
from finclaw_filings.periods import near
from finclaw_filings.queries import Company
from finclaw_filings.registers import zone
from finclaw_filings.reported import Reported, accessions_in
from finclaw_filings.results import NEEDS, TZ, Cap, cap_for, cite, find, instrument_of, opened
from finclaw_filings.series import Frequency, Value
from finclaw_filings.trailing import amount
from finclaw_filings.value_rows import input_row

_MAX_COMPANIES, _MAX_MEASURES, _MAX_PERIODS = 10, 12, 12
_A_YEAR = {"annual": 1, "quarterly": 4, "ttm": 4}
_DAYS_A_YEAR = 365.25
_SAME_END_DAYS = 7


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    external=True,
    timeout=60,
    examples=({"identifiers": ["AAPL", "MSFT"], "measures": ["net_margin", "revenue_growth"]},),
    needs=NEEDS,
)
def ratios(
    identifiers: list[str],
    measures: list[str],
    ctx: ToolContext,
    *,
    period: Frequency = "annual",
    periods: int = 1,
    as_of: date | None = None,
    unit: str | None = None,
) -> FinanceResult:
    """Ratios, growth, and comparison of companies, with formulas, inputs and their accessions.

    Args:
        identifiers: one company, or up to 10 to compare.
        measures: gross_margin, operating_margin, net_margin, fcf_margin, roe, roa, asset_turnover, current_ratio,
            quick_ratio, debt_to_equity, liabilities_to_equity, interest_cover, effective_tax_rate, payout, fcf; any
            concept, also as revenue_growth (on the year before) or revenue_cagr.
        ctx: given by finclaw.
        period: as for financials.
        periods: how many, 1 to 12; for a cagr, the years it spans.
        as_of: only what had been filed by this day.
        unit: e.g. EUR, where there are several.
    """
    wanted = _Wanted(measures=_checked(identifiers, measures, periods), period=period, periods=periods, unit=unit)
    cap = cap_for(ctx, as_of)
    notes = tuple(note for name in dict.fromkeys(identifiers) for note in up_to_date(ctx, name, cap.day))
    with opened(ctx.home) as db:
        companies = list(dict.fromkeys(find(db, name, ctx) for name in identifiers))
        every = [Reported(db, company, cap.day) for company in companies]
        cells = [cell for reported in every for cell in _cells(reported, wanted)]
        used = [value for cell in cells for _, value in cell.inputs]
        cited = cite([reported.source for reported in every], accessions_in(used))
    if not used:
        raise no_data("; ".join(dict.fromkeys(cell.problem for cell in cells)))
    return _result(companies, cells, Cap(day=cap.day, warnings=(*cap.warnings, *notes)), cited)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    measures: list[str]
    period: Frequency
    periods: int
    unit: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """One measure of one company for one period, or the problem."""

    company: Company
    measure: str
    formula: Formula
    inputs: tuple[tuple[Input, Value], ...] = ()
    value: Decimal | None = None
    problem: str = ""
    doubts: tuple[str, ...] = ()
    """Warnings about the series of the inputs."""

    @property
    def unit(self) -> str:
        return self.formula.unit or (self.inputs[0][1].unit if self.inputs else "")

    @property
    def end(self) -> date | None:
        return self.inputs[0][1].period.end if self.inputs else None


def _checked(identifiers: list[str], measures: list[str], periods: int) -> list[str]:
    if not 1 <= periods <= _MAX_PERIODS:
        raise no_data(f"periods {periods} is not between 1 and {_MAX_PERIODS}", code="BAD_INPUT")
    if not 1 <= len(identifiers) <= _MAX_COMPANIES:
        raise no_data(f"identifiers must be 1 to {_MAX_COMPANIES} companies", code="BAD_INPUT")
    if not 1 <= len(measures) <= _MAX_MEASURES:
        raise no_data(f"measures must be 1 to {_MAX_MEASURES} names", code="BAD_INPUT")
    return list(dict.fromkeys(name.strip() for name in measures))


def _cells(reported: Reported, wanted: _Wanted) -> list[_Cell]:
    cells: list[_Cell] = []
    for measure in wanted.measures:
        tried = [_by(reported, measure, formula, wanted) for formula in formulas_of(measure, wanted.periods)]
        cells.extend(next((found for found in tried if any(cell.value is not None for cell in found)), tried[0]))
    return cells


def _by(reported: Reported, measure: str, formula: Formula, wanted: _Wanted) -> list[_Cell]:
    """The latest periods of a measure by one formula."""
    empty = _Cell(company=reported.company, measure=measure, formula=formula)
    doubts: list[str] = []
    if formula.of_a_year and wanted.period == "quarterly":
        return [replace(empty, problem="compares a year with a balance; ask for annual or ttm")]
    count = 1 if measure.endswith("_cagr") else wanted.periods
    years = max(need.back for need in formula.inputs)
    series: dict[str, list[Value]] = {}
    unit = wanted.unit
    for need in formula.inputs:
        if need.concept not in series:
            answer = reported.answer(need.concept, wanted.period, count + years * _A_YEAR[wanted.period] + 1, unit)
            if not answer.series.values:
                return [replace(empty, problem=answer.problem)]
            series[need.concept] = answer.series.values
            doubts += [f"{reported.company.symbol} {need.concept}: {warning}" for warning in answer.series.warnings]
            # All inputs are in the unit of the first one.
            unit = answer.series.values[0].unit
    ends = [value.period.end for value in series[formula.inputs[0].concept][:count]]
    return [replace(_cell(empty, series, end), doubts=tuple(doubts)) for end in ends]


def _cell(empty: _Cell, series: dict[str, list[Value]], end: date) -> _Cell:
    inputs: list[tuple[Input, Value]] = []
    for need in empty.formula.inputs:
        value = _at(series[need.concept], end, need.back)
        if value is None:
            return replace(empty, problem=f"{need.shown} is not reported for the period to {end}")
        inputs.append((need, value))
    found = result_of(empty.formula, [amount(value.found) for _, value in inputs])
    if isinstance(found, str):
        return replace(empty, problem=f"{found} (period to {end})")
    return replace(empty, inputs=tuple(inputs), value=found)


def _at(values: Sequence[Value], end: date, years: int) -> Value | None:
    """The value of the period that ends on that day, or so many years before; years have 52 or 53 weeks."""
    day = date.fromordinal(round(end.toordinal() - years * _DAYS_A_YEAR))
    by_end = {value.period.end: value for value in values}
    at = near(day, by_end)
    return by_end[at] if at is not None else None


def _result(companies: Sequence[Company], cells: Sequence[_Cell], cap: Cap, cited: tuple[object, ...]) -> FinanceResult:
    data: dict[str, object] = {"values": [_row(cell) for cell in cells]}
    warnings: list[str] = []
    if len(companies) > 1:
        ranking, warnings = _compared(cells)
        data["ranking"] = ranking
    missing = [f"unavailable, do not estimate: {c.company.symbol} {c.measure}: {c.problem}" for c in cells if c.problem]
    return FinanceResult(
        data=data,
        as_of=cap.day.isoformat(),
        instrument=instrument_of(companies[0]) if len(companies) == 1 else None,
        tz=zone(companies[0].cik) if len(companies) == 1 else TZ,
        units={"value": "see unit of each value; a ratio of 0.1 is 10 %"},
        method=Method(
            name="reported_ratios",
            convention="inputs: for each period the report filed last on or before as_of; signs as reported",
            n=sum(cell.value is not None for cell in cells),
        ),
        sources=cited,  # type: ignore[arg-type]
        warnings=(*cap.warnings, *warnings, *dict.fromkeys(doubt for cell in cells for doubt in cell.doubts), *missing),
    )


def _row(cell: _Cell) -> dict[str, object]:
    row = {"company": cell.company.symbol, "measure": cell.measure, "formula": cell.formula.text}
    if cell.value is None:
        return row | {"value": None}
    start = cell.inputs[0][1].period.start
    shown = {"value": format(cell.value, "f"), "unit": cell.unit, "start": start, "end": cell.end}
    return row | shown | {"inputs": [input_row(need.shown, value) for need, value in cell.inputs]}


def _compared(cells: Sequence[_Cell]) -> tuple[dict[str, object], list[str]]:
    """The companies by the latest value of each measure, the highest first: one order for each unit."""
    ranking: dict[str, object] = {}
    warnings: list[str] = []
    for measure in dict.fromkeys(cell.measure for cell in cells):
        latest: dict[int, _Cell] = {}
        for cell in cells:
            if cell.measure == measure and cell.value is not None:
                latest.setdefault(cell.company.cik, cell)
        by_unit: dict[str, list[_Cell]] = defaultdict(list)
        for cell in sorted(latest.values(), key=lambda cell: cell.value or Decimal(0), reverse=True):
            by_unit[cell.unit].append(cell)
        ranking[measure] = {unit: [cell.company.symbol for cell in ranked] for unit, ranked in by_unit.items()}
        if len(by_unit) > 1:
            warnings.append(f"{measure} is in {', '.join(sorted(by_unit))}: not ranked as one")
        warnings.extend(_differing(measure, list(latest.values())))
    return ranking, warnings


def _differing(measure: str, cells: Sequence[_Cell]) -> list[str]:
    ends = {cell.company.symbol: cell.end for cell in cells if cell.end}
    days = sorted(ends.values())
    if not days or (days[-1] - days[0]).days <= _SAME_END_DAYS:
        return []
    return [f"{measure}: the periods differ: {', '.join(f'{symbol} to {end}' for symbol, end in ends.items())}"]
