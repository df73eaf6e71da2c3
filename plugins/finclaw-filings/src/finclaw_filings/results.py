"""What all answers share: which company, as of which day, from which file."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from finclaw_cli.sdk import Instrument, Need, Source, ToolContext, no_data
from finclaw_cli.sdk.render import quoted
from finclaw_filings.problems import StoreProblem
from finclaw_filings.profile_file import normal_ticker
from finclaw_filings.queries import (
    Company,
    StoredSource,
    ciks_like,
    ciks_of_name,
    ciks_of_ticker,
    company_of,
    known_by,
    names_of,
)
from finclaw_filings.registers import is_dart, number_in
from finclaw_filings.store import FILE_NAME, reading
from finclaw_filings.writing import name_key

NEEDS = (Need(file=FILE_NAME, how="finclaw filings import FILE"),)
# Filing dates are days at the SEC.
TZ = "America/New_York"
FACTS_URL = "https://data.sec.gov/api/xbrl/companyfacts/"
NOTHING_YET = (
    f"nothing has been imported yet; the user can download {FACTS_URL}CIK##########.json (ten digits) and run: "
    "finclaw filings import CIK##########.json"
)
_CANDIDATES = 5
_MAX_IDENTIFIER = 120
_MAX_NAMES = 100_000
_MAX_CITED = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The last visible day, and the warnings of the answer."""

    day: date
    warnings: tuple[str, ...] = ()


def today() -> date:
    """The day it is at the SEC."""
    return datetime.now(ZoneInfo(TZ)).date()


def cap_for(ctx: ToolContext, as_of: date | None) -> Cap:
    """The last day that may be seen: the earliest of the run's, the call's and today's."""
    latest = min(ctx.as_of or date.max, today())
    if as_of is not None and as_of > latest:
        return Cap(day=latest, warnings=(f"as_of {as_of} is not reached yet; answered as of {latest}",))
    return Cap(day=as_of or latest)


@contextmanager
def opened(home: Path) -> Iterator[sqlite3.Connection]:
    """The store, for a tool.

    Raises:
        ToolError: there is none, or it cannot be read.
    """
    try:
        with reading(home) as db:
            if db is None:
                raise no_data(NOTHING_YET)
            yield db
    except StoreProblem as error:
        raise no_data(str(error), code="NOT_CONFIGURED") from None


def checked_identifier(given: str) -> str:
    """What a company is called by, where it is short enough to be compared.

    Raises:
        ToolError: it is empty, or longer than any name.
    """
    text = given.strip()
    if not text or len(text) > _MAX_IDENTIFIER:
        raise no_data(f"identifier {quoted(given)} is no ticker, CIK or company name", code="BAD_INPUT")
    return text


def find(db: sqlite3.Connection, given: str, ctx: ToolContext) -> Company:
    """The one company of that ticker, CIK or whole name that is known on the run's day; never a guess.

    Raises:
        ToolError: unknown, or meaning several; with candidates.
    """
    text, cap = checked_identifier(given), cap_for(ctx, None).day
    ciks = known_by(db, exact_matches(db, text), cap)
    if len(ciks) > 1:
        raise no_data(f"{quoted(text)} may be {_shown(db, ciks)}; say which by its number", code="AMBIGUOUS_SYMBOL")
    company = company_of(db, ciks[0]) if ciks else None
    if company is not None:
        return company
    how = (
        f"To add a company, download {FACTS_URL}CIK##########.json and run finclaw filings import FILE; tickers come "
        "from SEC's company_tickers.json or submissions file"
    )
    known = _shown(db, candidates(db, text, cap)) or "none"
    raise no_data(f"{quoted(text)} is not in the filings store; candidates: {known}. {how}", code="UNKNOWN_SYMBOL")


def exact_matches(db: sqlite3.Connection, text: str) -> list[int]:
    """The companies that are called exactly so; six digits are a CIK as well as a Korean stock code."""
    number, ticker = number_in(text), normal_ticker(text)
    listed = ciks_of_ticker(db, ticker) if ticker else []
    if number is not None:
        return [number, *(cik for cik in listed if is_dart(cik))]
    return listed or ciks_of_name(db, name_key(text))


def candidates(db: sqlite3.Connection, text: str, cap: date) -> list[int]:
    """Companies that may be meant, of those that are known by a day: all, where there are only a few."""
    key = name_key(text)
    found = ciks_like(db, key, normal_ticker(text) or "", cap, _CANDIDATES)
    if not found and key:
        names = dict(names_of(db, cap, _MAX_NAMES))
        alike = difflib.get_close_matches(key, names, _CANDIDATES, 0.75)
        found = [names[name] for name in alike or (names if len(names) <= _CANDIDATES else ())]
    return found


def _shown(db: sqlite3.Connection, ciks: Sequence[int]) -> str:
    companies = [company_of(db, cik) for cik in ciks[:_CANDIDATES]]
    return ", ".join(company.shown for company in companies if company)


def instrument_of(company: Company) -> Instrument:
    """The company as results name it."""
    return Instrument(symbol=company.symbol, name=company.name, exchange=", ".join(company.exchanges) or None)


def listed(accessions: Iterable[str]) -> str:
    """Accessions as a source names them: each once, the first ones and how many more."""
    every = list(dict.fromkeys(accessions))
    more = f" and {len(every) - _MAX_CITED} more" if len(every) > _MAX_CITED else ""
    return ", ".join(every[:_MAX_CITED]) + more


def cite(sources: Sequence[StoredSource], rows: str | None = None) -> tuple[Source, ...]:
    """The files as results name them; `rows` has the accessions that were used."""
    return tuple(
        Source(
            id=f"s{number}",
            kind=source.kind,
            ref=source.ref,
            sha256=source.sha256,
            rows=rows or source.rows,
            retrieved_at=source.retrieved_at,
        )
        for number, source in enumerate(sources, 1)
    )
