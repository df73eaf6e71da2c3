"""Which register a company is fetched from, for `finclaw filings fetch`."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.importer import Imported
from finclaw_filings.opendart_http import dart_access, has_key
from finclaw_filings.registers import is_dart, may_be_korean, number_in
from finclaw_filings.results import exact_matches
from finclaw_filings.store import reading


def fetch(home: Path, text: str) -> list[Imported]:
    """Fetch a company from OpenDART where it may be Korean and a key is set and its list has it; else from EDGAR.

    Raises:
        FileProblem: neither register's list has it, or several companies have the ticker.
        LiveProblem: the register gave nothing that can be used.
        StoreProblem: the store cannot be written.
    """
    number = number_in(text)
    if number is not None and is_dart(number):
        return _from_dart(home, number)
    done: list[Imported] = []
    if may_be_korean(text) and has_key():
        from finclaw_filings.opendart import OpenDart

        done.append(OpenDart(dart_access(), home).fetch_companies())
    korean = dart_number(home, text)
    return [*done, *(_from_edgar(home, text, number) if korean is None else _from_dart(home, korean))]


def dart_number(home: Path, text: str) -> int | None:
    """The one company of OpenDART that is stored under a stock code or name."""
    with reading(home) as db:
        found = [number for number in exact_matches(db, text.strip()) if is_dart(number)] if db else []
    return found[0] if len(found) == 1 else None


def known_number(home: Path, ticker: str) -> int:
    """The company of a stored ticker or name.

    Raises:
        FileProblem: there is none, or there are several.
    """
    with reading(home) as db:
        found = exact_matches(db, ticker.strip()) if db else []
    if len(found) == 1:
        return found[0]
    why = "is used by several companies" if found else "is not known; import company_tickers.json"
    raise FileProblem(f"{quoted(ticker)} {why}, or say --cik")


def _from_dart(home: Path, number: int) -> list[Imported]:
    from finclaw_filings.opendart import OpenDart

    return [OpenDart(dart_access(), home).fetch_company(number)]


def _from_edgar(home: Path, text: str, number: int | None) -> list[Imported]:
    from finclaw_filings.edgar import Edgar
    from finclaw_filings.settings import access

    edgar = Edgar(access(), home)
    tickers = [edgar.fetch_tickers()] if number is None else []
    return [*tickers, *edgar.fetch_company(known_number(home, text) if number is None else number)]
