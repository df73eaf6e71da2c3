"""Bringing files of EDGAR into the store: the same files, through the same import, as those that users download."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from finclaw_filings.asked import mark_asked
from finclaw_filings.edgar_http import Want, fetch
from finclaw_filings.files import Found
from finclaw_filings.filing_facts import FilingFacts
from finclaw_filings.importer import Imported, ImportOptions, import_file
from finclaw_filings.problems import LiveProblem
from finclaw_filings.queries import StoredFiling
from finclaw_filings.settings import Access

# Of one request from beginning to end; a tool of ours that makes three has a minute.
_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Edgar:
    """EDGAR as one user sees it, and the store that its files go to."""

    access: Access
    home: Path

    @property
    def tickers_url(self) -> str:
        return f"{self.access.base_url}/files/company_tickers.json"

    def facts_url(self, cik: int) -> str:
        """Where a company's facts are."""
        return f"{self.access.data_url}/api/xbrl/companyfacts/CIK{cik:010d}.json"

    def profile_url(self, cik: int) -> str:
        """Where a company's list of filings is."""
        return f"{self.access.data_url}/submissions/CIK{cik:010d}.json"

    def fetch_tickers(self) -> Imported:
        """Bring in the tickers of all companies."""
        return self._bring(self.tickers_url, "json", ImportOptions())

    def fetch_company(self, cik: int) -> list[Imported]:
        """Bring in a company's list of filings, and its facts where it has any."""
        profile = self._bring(self.profile_url(cik), "json", ImportOptions())
        return [profile, self._bring(self.facts_url(cik), "json", ImportOptions())]

    def fetch_filing(self, filing: StoredFiling) -> Imported:
        """Bring in the text of a filing that is listed: its main document, or the whole submission."""
        folder = f"{self.access.base_url}/Archives/edgar/data/{filing.cik}/{filing.accession.replace('-', '')}"
        facts = FilingFacts(
            cik=filing.cik,
            form=filing.form,
            filed=filing.filed.isoformat(),
            period=filing.period,
            accession=filing.accession,
        )
        document = filing.document or f"{filing.accession}.txt"
        return self._bring(f"{folder}/{document}", "text", ImportOptions(facts=facts))

    def _bring(self, url: str, want: Want, options: ImportOptions) -> Imported:
        content = fetch(self.access, self.home, url, want, timeout_s=_TIMEOUT_S)
        found = Found(name=url.rpartition("/")[2], ref=url, read=lambda: content)
        imported = import_file(found, self.home, options, kind="service")
        if imported.outcome == "failed":
            raise LiveProblem(f"EDGAR's answer cannot be used: {imported.detail}: {url}", outage=True)
        mark_asked(self.home, url)
        return imported
