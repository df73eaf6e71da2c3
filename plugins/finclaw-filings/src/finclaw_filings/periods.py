"""Which value of a fact was known on a day: the latest report of each period, what it replaced, and how long it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext

ANNUAL_FORMS = ("10-K", "10-KT", "20-F", "40-F", "사업보고서")
# In days, both ends counted: years of 52 or 53 weeks, quarters of 12 to 14 weeks.
ANNUAL = range(350, 381)
QUARTER = range(80, 101)
_NEAR_DAYS = 7
_DAYS_A_MONTH = 30.4375
# Digits enough for the difference of any two numbers that `sec_json.exact` lets in.
EXACT = 90


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Period:
    """From `start` to `end`, both included; an instant has no start."""

    end: date
    start: date | None

    @property
    def days(self) -> int | None:
        return None if self.start is None else (self.end - self.start).days + 1

    @property
    def months(self) -> int | None:
        return None if self.days is None else round(self.days / _DAYS_A_MONTH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One value as one filing gave it; `fy` and `fp` are the filing's."""

    value: Decimal
    accession: str
    filed: date
    form: str
    fy: int | None
    fp: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was known of one period: the latest report, and the different values before it, oldest first."""

    period: Period
    latest: Report
    earlier: tuple[Report, ...]
    contradicted: tuple[Report, ...]
    """Other values for the period in the very same filing."""
    reports: tuple[Report, ...]
    """All of them, oldest first."""
    in_annual_form: bool

    @property
    def restated(self) -> bool:
        """Whether an earlier filing had another value."""
        return bool(self.earlier)


def known_by(rows: Sequence[Sequence[object]], cap: date) -> dict[Period, Known]:
    """The values of one concept in one unit as they were known on a day, by period.

    Args:
        rows: as `facts_file.Row`.
        cap: nothing that was filed later counts, nor a period that had not ended when it was filed.
    """
    reports: dict[Period, list[Report]] = defaultdict(list)
    for row in rows:
        start, end, value, accession, fy, fp, form, filed = row
        day, last = date.fromisoformat(str(filed)), date.fromisoformat(str(end))
        if day <= cap and last <= day:
            period = Period(end=last, start=date.fromisoformat(str(start)) if start else None)
            reports[period].append(
                Report(
                    value=Decimal(str(value)),
                    accession=str(accession),
                    filed=day,
                    form=str(form),
                    fy=fy if isinstance(fy, int) else None,
                    fp=str(fp) if fp else None,
                )
            )
    return {period: _known(period, found) for period, found in reports.items()}


def _known(period: Period, reports: list[Report]) -> Known:
    # Reports of one filing keep the file's order; the last one counts.
    ordered = sorted(reports, key=lambda report: (report.filed, report.accession))
    latest = ordered[-1]
    changes: list[Report] = []
    for report in ordered:
        if report.accession != latest.accession and (not changes or changes[-1].value != report.value):
            changes.append(report)
    if changes and changes[-1].value == latest.value:
        changes.pop()
    others = {r.value: r for r in ordered if r.accession == latest.accession and r.value != latest.value}
    annual = any(report.form.removesuffix("/A") in ANNUAL_FORMS for report in ordered)
    return Known(
        period=period,
        latest=latest,
        earlier=tuple(changes),
        contradicted=tuple(others.values()),
        reports=tuple(ordered),
        in_annual_form=annual,
    )


def one_for_each_end(periods: Iterable[Known]) -> dict[date, Known]:
    """Periods by their end; of those that end within a week of one another the one that was filed last."""
    found: dict[date, Known] = {}
    for known in sorted(periods, key=lambda item: (item.latest.filed, item.period.end), reverse=True):
        if not near(known.period.end, found):
            found[known.period.end] = known
    return found


def near(day: date, days: Iterable[date]) -> date | None:
    """The one of these days that is within a week of that day."""
    return next((other for other in days if abs((other - day).days) <= _NEAR_DAYS), None)


def annual_periods(known: Iterable[Known]) -> dict[date, Known]:
    """The fiscal years, by their end. Twelve months up to some quarter, as quarterly reports have them, are none."""
    years = [item for item in known if item.period.days in ANNUAL]
    return one_for_each_end([item for item in years if item.in_annual_form] or years)


def quarterly_periods(known: Iterable[Known]) -> dict[date, Known]:
    """The quarters that were reported as such, by their end."""
    return one_for_each_end(item for item in known if item.period.days in QUARTER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A quarter that was not reported: a longer period less the part of it before the quarter."""

    period: Period
    value: Decimal
    whole: Known
    part: Known
    used: tuple[Report, Report]
    """The reports of the whole and of the part that were subtracted: of one vintage."""

    @property
    def since_restated(self) -> tuple[Known, ...]:
        """Of the two the ones that have another value by now."""
        pairs = zip((self.whole, self.part), self.used, strict=True)
        return tuple(known for known, report in pairs if known.latest.value != report.value)


def derived_quarters(known: Iterable[Known], reported: Iterable[date]) -> dict[date, Derived]:
    """The quarters that follow by subtraction from cumulative periods with the same start, by their end.

    The fourth quarter is the year less nine months; cash flows, which are reported from the year's start on, give the
    second and third one as well. Only sums may be put in: neither values per share nor averages can be subtracted.
    """
    taken = list(reported)
    by_start: dict[date, list[Known]] = defaultdict(list)
    for item in known:
        if item.period.start is not None and (item.period.days or 0) <= ANNUAL[-1]:
            by_start[item.period.start].append(item)
    found: dict[date, Derived] = {}
    for items in by_start.values():
        for whole in items:
            for part in items:
                days = (whole.period.end - part.period.end).days
                if days in QUARTER and not near(whole.period.end, [*taken, *found]):
                    found[whole.period.end] = _difference(whole, part)
    return found


def _difference(whole: Known, part: Known) -> Derived:
    period = Period(end=whole.period.end, start=date.fromordinal(part.period.end.toordinal() + 1))
    used = _same_vintage(whole, part)
    with localcontext(prec=EXACT):
        value = used[0].value - used[1].value
    return Derived(period=period, value=value, whole=whole, part=part, used=used)


def _same_vintage(whole: Known, part: Known) -> tuple[Report, Report]:
    """Reports of both periods that fit together: a restated year less nine months as they were first is no quarter.

    The latest filing that has both; where there is none and something was restated, the whole as it was first
    reported and the part as it was known on that day.
    """
    by_filing = {report.accession: report for report in part.reports}
    both = [(report, by_filing[report.accession]) for report in whole.reports if report.accession in by_filing]
    if both:
        return both[-1]
    if not whole.restated and not part.restated:
        return whole.latest, part.latest
    first = whole.reports[0]
    # A filing's last value counts where it contradicts itself.
    first = [report for report in whole.reports if report.accession == first.accession][-1]
    known = [report for report in part.reports if report.filed <= first.filed]
    return first, known[-1] if known else part.reports[0]
