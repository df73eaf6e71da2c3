"""Bringing companies, reports and statements of OpenDART into the store."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.asked import mark_asked
from finclaw_filings.facts_file import CompanyFacts, Concept
from finclaw_filings.importer import Imported
from finclaw_filings.opendart_files import Report, company_list, periodic_reports, statement_values
from finclaw_filings.opendart_http import DartAccess, fetch_json, fetch_zip
from finclaw_filings.problems import LiveProblem
from finclaw_filings.profile_file import Listing, Profile
from finclaw_filings.registers import dart_code, number_text
from finclaw_filings.sec_json import text_from
from finclaw_filings.store import writing
from finclaw_filings.writing import Origin, write_facts, write_listings, write_profile

LIST, COMPANY, REPORTS = "/api/corpCode.xml", "/api/company.json", "/api/list.json"
STATEMENTS = "/api/fnlttSinglAcntAll.json"
_YEARS = 5
_MAX_PAGES = 5
_MARKETS = {"Y": "KOSPI", "K": "KOSDAQ", "N": "KONEX"}
_BASES = {"CFS": "consolidated", "OFS": "separate"}


@dataclass(frozen=True, slots=True)
class OpenDart:
    """OpenDART with one key, and the store that its answers go to."""

    access: DartAccess
    home: Path

    def fetch_companies(self) -> Imported:
        """Bring in the listed companies with their stock codes."""
        content = fetch_zip(self.access, self.home, LIST)
        try:
            listings, others = company_list(content)
        except FileProblem as problem:
            raise LiveProblem(f"OpenDART's list of companies cannot be used: {problem}", outage=True) from None
        with writing(self.home) as db:
            write_listings(db, listings, self._origin(LIST, content))
        mark_asked(self.home, self.access.url + LIST)
        detail = f"{len(listings)} listed companies; {others} without a stock code left out"
        return Imported(file=self.access.url + LIST, outcome="imported", detail=detail)

    def fetch_company(self, number: int) -> Imported:
        """Bring in what a company is, its periodic reports of five years, and the values of their statements.

        Raises:
            LiveProblem: RATE_LIMITED, NOT_CONFIGURED or NO_DATA; nothing of it is stored.
        """
        about = self._json(COMPANY, number, {})
        if about is None:
            raise LiveProblem(f"OpenDART has no company {number_text(number)}")
        month = _month(about.get("acc_mt"))
        reports = {report.filed.accession: report for report in self._reports(number, month)}
        basis, concepts, left_out = self._statements(number, reports, month)
        facts = CompanyFacts(cik=number, name=text_from(about.get("corp_name")), concepts=concepts, rejected=left_out)
        facts.filings = {row[3]: (row[6], row[7]) for concept in concepts for row in concept.rows}
        query = f"?corp_code={dart_code(number)}"
        with writing(self.home) as db:
            profile = _profile(number, about, month, reports)
            write_profile(db, profile, self._origin(f"{COMPANY}{query}", repr(about).encode()))
            if concepts:
                content = repr(concepts).encode()
                write_facts(db, facts, self._origin(f"{STATEMENTS}{query}&fs_div={basis}", content))
        mark_asked(self.home, self.company_url(number))
        what = f"{facts.count} values of {_BASES[basis]} statements" if concepts else "no statements"
        detail = f"{number_text(number)} {facts.name or ''}: {len(reports)} reports, {what}, {left_out} rows left out"
        return Imported(file=self.company_url(number), outcome="imported", detail=detail)

    def company_url(self, number: int) -> str:
        """The address that stands for all of a company's data."""
        return f"{self.access.url}{COMPANY}?corp_code={dart_code(number)}"

    def _json(self, path: str, number: int, params: Mapping[str, str]) -> dict[str, object] | None:
        return fetch_json(self.access, self.home, path, {"corp_code": dart_code(number), **params})

    def _reports(self, number: int, month: int) -> Iterator[Report]:
        today = datetime.now(UTC).date()
        asked = {"bgn_de": f"{today.year - _YEARS}0101", "end_de": f"{today:%Y%m%d}", "pblntf_ty": "A"}
        for page in range(1, _MAX_PAGES + 1):
            answer = self._json(REPORTS, number, {**asked, "page_no": str(page), "page_count": "100"})
            if answer is None:
                return
            yield from periodic_reports(answer.get("list"), month)
            if str(answer.get("total_page", "1")) == str(page):
                return

    def _statements(self, number: int, reports: Mapping[str, Report], month: int) -> tuple[str, list[Concept], int]:
        """The values of all reports on one basis: consolidated statements or, where there are none, separate ones."""
        for basis in _BASES:
            found, left_out = self._on_basis(number, reports, basis, month)
            if found:
                return basis, found, left_out
        return "CFS", [], 0

    def _on_basis(
        self, number: int, reports: Mapping[str, Report], basis: str, month: int
    ) -> tuple[list[Concept], int]:
        found: dict[tuple[str, str, str], Concept] = {}
        left_out = 0
        periods = {(report.filed.period or "", report.code) for report in reports.values()}
        for period, code in sorted(periods, reverse=True):
            concepts, unread = self._statement(number, reports, (period, code, basis), month)
            left_out += unread
            for item in concepts:
                known = found.setdefault((item.taxonomy, item.tag, item.unit), item)
                if known is not item:
                    known.rows.extend(item.rows)
        return list(found.values()), left_out

    def _statement(
        self, number: int, reports: Mapping[str, Report], wanted: tuple[str, str, str], month: int
    ) -> tuple[list[Concept], int]:
        """One statement; where the fiscal year is no calendar year, its business year may be that before its end."""
        period, code, basis = wanted
        year = int(period[:4])
        same = {name: item for name, item in reports.items() if (item.filed.period, item.code) == (period, code)}
        for business_year in (year,) if month == 12 else (year - 1, year):  # noqa: PLR2004 - December
            asked = {"bsns_year": str(business_year), "reprt_code": code, "fs_div": basis}
            answer = self._json(STATEMENTS, number, asked)
            if answer is not None:
                concepts, left_out = statement_values(answer.get("list"), same)
                if concepts:
                    return concepts, left_out
        return [], 0

    def _origin(self, path: str, content: bytes) -> Origin:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return Origin(kind="service", ref=self.access.url + path, sha256=sha256(content).hexdigest(), retrieved_at=now)


def _month(value: object) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:3]) <= 12):  # noqa: PLR2004
        raise LiveProblem("OpenDART's answer about the company has no month in which its fiscal year ends (acc_mt)")
    return int(text)


def _profile(number: int, about: Mapping[str, object], month: int, reports: Mapping[str, Report]) -> Profile:
    name, stock = text_from(about.get("corp_name")), str(about.get("stock_code", "")).strip()
    market = _MARKETS.get(str(about.get("corp_cls", "")))
    listing = Listing(ticker=stock, cik=number, name=name, exchange=market)
    return Profile(
        cik=number,
        name=name,
        fiscal_year_end=f"{month:02d}{monthrange(2023, month)[1]:02d}",
        listings=[listing] if stock else [],
        filings=[report.filed for report in reports.values()],
    )
