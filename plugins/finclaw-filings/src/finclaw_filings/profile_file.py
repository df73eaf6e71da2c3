"""SEC's `submissions/CIK##########.json` and `company_tickers.json`: who a company is, and what it filed when."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.sec_json import accession_from, cik_from, date_from, mapping_from, strings_from, text_from

MAX_LISTED = 500_000
_TICKER = re.compile(r"[A-Z0-9][A-Z0-9.^=_-]{0,19}")
_DOCUMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}(?:/[A-Za-z0-9][A-Za-z0-9_.-]{0,119})?")
_OLDER = re.compile(r"CIK(\d{10})-submissions-\d{3}\.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """One filing as an index names it."""

    accession: str
    form: str
    filed: str
    period: str | None
    document: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A ticker and the company behind it."""

    ticker: str
    cik: int
    name: str | None
    exchange: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The data of one company in a submissions file; the older part of an index has filings only."""

    cik: int
    name: str | None = None
    sic: str | None = None
    industry: str | None = None
    fiscal_year_end: str | None = None
    former_names: list[str] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    filings: list[Filed] = field(default_factory=list)


def normal_ticker(given: object) -> str | None:
    """A ticker in capitals as the SEC writes it (BRK-B, not BRK.B), or None where it can be none."""
    text = given.strip().upper().replace(".", "-") if isinstance(given, str) else ""
    return text if _TICKER.fullmatch(text) else None


def company_profile(document: dict[str, object]) -> Profile:
    """Read a submissions document.

    Raises:
        FileProblem: it is none.
    """
    index = mapping_from(document.get("filings"))
    if "cik" not in document or not index:
        raise FileProblem("no submissions of a company in it (keys cik and filings)")
    cik, name = cik_from(document["cik"]), text_from(document.get("name"))
    exchanges = strings_from(document.get("exchanges"))
    pairs = zip_longest(strings_from(document.get("tickers"))[:100], exchanges[:100], fillvalue="")
    former = document.get("formerNames")
    names = [text_from(mapping_from(item).get("name")) for item in former] if isinstance(former, list) else []
    return Profile(
        cik=cik,
        name=name,
        sic=text_from(document.get("sic"), 10),
        industry=text_from(document.get("sicDescription")),
        fiscal_year_end=text_from(document.get("fiscalYearEnd"), 4),
        former_names=[known for known in names[:20] if known],
        listings=[
            Listing(ticker=ticker, cik=cik, name=name, exchange=text_from(exchange, 20))
            for symbol, exchange in pairs
            if (ticker := normal_ticker(symbol))
        ],
        filings=list(_filed(mapping_from(index.get("recent")))),
    )


def older_filings(document: dict[str, object], name: str) -> Profile:
    """Read the older part of an index, `CIK##########-submissions-001.json`; only its name has the company.

    Raises:
        FileProblem: it is none.
    """
    found = _OLDER.fullmatch(name)
    if found is None:
        raise FileProblem("an older part of an index must keep its name, CIK##########-submissions-001.json")
    return Profile(cik=cik_from(found.group(1)), filings=list(_filed(document)))


def _filed(columns: dict[str, object]) -> Iterator[Filed]:
    names = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument")
    lists = [strings_from(columns.get(name))[:MAX_LISTED] for name in names]
    if len({len(column) for column in lists[:3]}) > 1:
        lengths = ", ".join(f"{name} {len(column)}" for name, column in zip(names[:3], lists, strict=False))
        raise FileProblem(f"its columns have different lengths: {lengths}")
    for number, form, day, period, document in zip_longest(*lists, fillvalue=""):
        accession, filed, kind = accession_from(number), date_from(day), text_from(form, 20)
        if accession and filed and kind:
            page = document if _DOCUMENT.fullmatch(document) else None
            yield Filed(accession=accession, form=kind, filed=filed, period=date_from(period), document=page)


def company_listings(document: dict[str, object]) -> list[Listing]:
    """Read `company_tickers.json` or `company_tickers_exchange.json`.

    Raises:
        FileProblem: it is neither.
    """
    names, table = document.get("fields"), document.get("data")
    if isinstance(names, list) and isinstance(table, list):
        rows = [dict(zip(strings_from(names), row, strict=False)) for row in table if isinstance(row, list)]
    else:
        rows = [mapping_from(value) for value in document.values()]
    listings = [listing for row in rows[:MAX_LISTED] if (listing := _listing(row))]
    if not listings:
        raise FileProblem("not a file that we know: companyfacts, submissions or company_tickers")
    return listings


def _listing(row: dict[str, object]) -> Listing | None:
    ticker = normal_ticker(row.get("ticker"))
    try:
        cik = cik_from(row.get("cik_str", row.get("cik")))
    except FileProblem:
        return None
    if ticker is None:
        return None
    name = text_from(row.get("title", row.get("name")))
    return Listing(ticker=ticker, cik=cik, name=name, exchange=text_from(row.get("exchange"), 20))
