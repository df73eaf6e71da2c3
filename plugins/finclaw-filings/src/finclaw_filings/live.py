"""Asking EDGAR or OpenDART before an answer is given from the store, where the user has switched that on."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError, no_data
from finclaw_cli.sdk.render import quoted
from finclaw_filings.asked import age_hours
from finclaw_filings.fetching import dart_number
from finclaw_filings.opendart_http import dart_access, has_key
from finclaw_filings.problems import LiveProblem, StoreProblem
from finclaw_filings.queries import StoredFiling, filings_named
from finclaw_filings.registers import is_dart, may_be_korean, number_in
from finclaw_filings.results import checked_identifier, exact_matches
from finclaw_filings.settings import LiveSettings, access, live_settings
from finclaw_filings.store import reading

_TICKERS_HOURS = 24 * 7


def up_to_date(ctx: ToolContext, identifier: str, day: date) -> tuple[str, ...]:
    """See that the store has what EDGAR knows of a company up to that day; what could not be had is a warning.

    Raises:
        ToolError: EDGAR could not be asked, and the store does not know the company.
    """
    text = checked_identifier(identifier)
    try:
        settings = live_settings(ctx)
        if settings.live:
            _refresh(ctx, text, day, settings)
    except LiveProblem as problem:
        if problem.code == "NOT_CONFIGURED" or not _stored(ctx, text):
            raise _tool_error(problem) from None
        return (f"{problem.code}: {problem}; answered from what is stored",)
    except StoreProblem as problem:
        raise no_data(str(problem), code="NOT_CONFIGURED") from None
    return ()


def _refresh(ctx: ToolContext, text: str, day: date, settings: LiveSettings) -> None:
    if has_key() and _refresh_korean(ctx.home, text, day, settings):
        return
    if dart_number(ctx.home, text) is None:
        _refresh_edgar(ctx, text, day, settings)


def _refresh_korean(home: Path, text: str, day: date, settings: LiveSettings) -> bool:
    """Ask OpenDART about a company of its list; whether it is one."""
    from finclaw_filings.opendart import LIST, OpenDart

    dart, number = OpenDart(dart_access(), home), dart_number(home, text)
    if number is None and may_be_korean(text):
        age = age_hours(home, dart.access.url + LIST)
        if age is None or age > _TICKERS_HOURS:
            dart.fetch_companies()
            number = dart_number(home, text)
    if number is not None and _is_due(age_hours(home, dart.company_url(number)), day, settings):
        dart.fetch_company(number)
    return number is not None


def _is_due(age: float | None, day: date, settings: LiveSettings) -> bool:
    """Whether to ask again: what was filed by a day that was over when a register was asked does not change."""
    closed = age is not None and (datetime.now(UTC).date() - day).days * 24 > age + 24
    return age is None or (age > settings.max_age_hours and not closed)


def _refresh_edgar(ctx: ToolContext, text: str, day: date, settings: LiveSettings) -> None:
    from finclaw_filings.edgar import Edgar

    edgar = Edgar(access(), ctx.home)
    cik = _cik(ctx, text)
    if cik is None:
        age = age_hours(ctx.home, edgar.tickers_url)
        if age is None or age > _TICKERS_HOURS:
            edgar.fetch_tickers()
            cik = _cik(ctx, text)
    if cik is not None and _is_due(age_hours(ctx.home, edgar.facts_url(cik)), day, settings):
        edgar.fetch_company(cik)


def _cik(ctx: ToolContext, text: str) -> int | None:
    if (number := number_in(text)) is not None:
        return number
    with reading(ctx.home) as db:
        found = exact_matches(db, text) if db else []
    return found[0] if len(found) == 1 else None


def _stored(ctx: ToolContext, text: str) -> bool:
    try:
        with reading(ctx.home) as db:
            query = "SELECT 1 FROM companies WHERE cik = ? AND facts_source IS NOT NULL"
            return db is not None and any(db.execute(query, (cik,)).fetchone() for cik in exact_matches(db, text))
    except StoreProblem:
        return False


def filing_at_hand(ctx: ToolContext, name: str, day: date) -> tuple[str, ...]:
    """See that the text of a listed filing is stored, where EDGAR may be asked for it.

    Raises:
        ToolError: EDGAR was asked and did not give it.
    """
    try:
        wanted = _listed_without_text(ctx, name, day) if live_settings(ctx).live else None
        if wanted is not None:
            from finclaw_filings.edgar import Edgar

            Edgar(access(), ctx.home).fetch_filing(wanted)
    except LiveProblem as problem:
        raise _tool_error(problem) from None
    except StoreProblem as problem:
        raise no_data(f"{quoted(name)}: {problem}", code="NOT_CONFIGURED") from None
    return ()


def _listed_without_text(ctx: ToolContext, name: str, day: date) -> StoredFiling | None:
    """The filing of that name, if EDGAR lists it, it was filed by that day, and its text is not stored."""
    with reading(ctx.home) as db:
        found = filings_named(db, name) if db else []
    if any(filing.name is not None for filing in found):
        return None
    listed = next((filing for filing in found if filing.filed <= day), None)
    if listed is None or listed.accession.startswith("file-") or is_dart(listed.cik):
        return None
    return listed


def _tool_error(problem: LiveProblem) -> ToolError:
    error = no_data(str(problem), code=problem.code)
    return ToolError(str(error), outage=True) if problem.outage else error
