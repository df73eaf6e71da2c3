"""`finclaw filings import|list|check|fetch`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.sdk import echo, echo_table, finclaw_home
from finclaw_cli.sdk.render import bounded, echo_json, quoted
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.checks import check, company_rows
from finclaw_filings.fetching import fetch, known_number
from finclaw_filings.filing_facts import FilingFacts
from finclaw_filings.importer import Imported, ImportOptions, import_paths
from finclaw_filings.problems import LiveProblem, StoreProblem
from finclaw_filings.registers import number_in
from finclaw_filings.sec_json import accession_from, cik_from, date_from
from finclaw_filings.store import reading

FAILED = 2
# A check has found something.
FOUND = 1

filings = typer.Typer(
    name="filings",
    help="Company facts and filings of the SEC: import files, list what is stored, look for errors, fetch from EDGAR.",
    no_args_is_help=True,
)
_JSON = typer.Option("--json", help="One JSON object on stdout.")


@filings.command("import")
def import_(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="JSON of companyfacts, submissions, company_tickers; zips; saved filings; XML of 13F, Form 4; folders."
        ),
    ],
    *,
    cik: Annotated[
        list[str] | None, typer.Option(help="Only this company of a folder or zip; whose filing it is.")
    ] = None,
    ticker: Annotated[list[str] | None, typer.Option(help="The same by a ticker that is stored already.")] = None,
    form: Annotated[str | None, typer.Option(help="Form of a saved filing, e.g. 10-K.")] = None,
    filed: Annotated[str | None, typer.Option(help="Day it was filed, YYYY-MM-DD.")] = None,
    period: Annotated[str | None, typer.Option(help="Last day it reports on, YYYY-MM-DD.")] = None,
    accession: Annotated[str | None, typer.Option(help="Its accession number.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Take every company of a large zip.")] = False,
    as_json_: Annotated[bool, _JSON] = False,
) -> None:
    """Import SEC's files and saved filings: each as a whole, or not at all. The same file twice changes nothing."""
    with _trouble():
        ciks = _ciks(cik or [], ticker or [])
        facts = FilingFacts(
            cik=ciks[0] if len(ciks) == 1 else None,
            form=bounded(form, 20) or None if form else None,
            filed=_day("--filed", filed),
            period=_day("--period", period),
            accession=_accession(accession),
        )
        options = ImportOptions(ciks=tuple(ciks), facts=facts, everything=all_)
        _report(import_paths(paths, finclaw_home(), options), as_json=as_json_)


@filings.command("fetch")
def fetch_(
    company: Annotated[str, typer.Argument(help="Ticker, CIK, Korean stock code or name.")],
    *,
    as_json_: Annotated[bool, _JSON] = False,
) -> None:
    """Fetch a company's facts and list of filings into the store, from EDGAR or OpenDART (Korea).

    EDGAR needs EDGAR_IDENTITY, OpenDART a key in OPENDART_API_KEY.
    """
    with _trouble():
        _report(fetch(finclaw_home(), company), as_json=as_json_)


@filings.command("list")
def list_(*, as_json_: Annotated[bool, _JSON] = False) -> None:
    """List the companies with facts, filings or texts, and from which files."""
    with _trouble(), reading(finclaw_home()) as db:
        rows = company_rows(db) if db else []
    if as_json_:
        echo_json({"companies": rows})
        return
    if not rows:
        echo("No filings are stored yet: finclaw filings import CIK##########.json", err=True)
        return
    echo_table([name.upper() for name in rows[0]], [[str(cell) for cell in row.values()] for row in rows])


@filings.command("check")
def check_(*, as_json_: Annotated[bool, _JSON] = False) -> None:
    """Look for errors: a damaged store, contradicting values, values older than their period. Changes nothing.

    Exit code 1 where something is found.
    """
    with _trouble(), reading(finclaw_home()) as db:
        checked, findings = check(db) if db else (0, [])
    if as_json_:
        echo_json({"checked": checked, "findings": findings})
    else:
        for finding in findings:
            echo(finding)
        companies = "1 company" if checked == 1 else f"{checked} companies"
        echo(f"{companies} checked, {len(findings)} finding{'s' * (len(findings) != 1)}.", err=True)
    if findings:
        raise typer.Exit(FOUND)


@contextmanager
def _trouble() -> Iterator[None]:
    try:
        yield
    except (StoreProblem, FileProblem) as error:
        echo(f"error: {error}", err=True)
        raise typer.Exit(FAILED) from None
    except LiveProblem as error:
        echo(f"error: {error.code}: {error}", err=True)
        raise typer.Exit(FAILED) from None


def _report(results: Iterable[Imported], *, as_json: bool) -> None:
    done: list[Imported] = []
    for result in results:
        done.append(result)
        if not as_json:
            echo(f"{result.file}: {result.outcome}: {result.detail}", err=result.outcome == "failed")
    if as_json:
        echo_json({"files": [asdict(result) for result in done]})
    if any(result.outcome == "failed" for result in done):
        raise typer.Exit(FAILED)


def _ciks(numbers: list[str], tickers: list[str]) -> list[int]:
    found = [cik_from(number_in(number) or number) for number in numbers]
    return list(dict.fromkeys([*found, *(known_number(finclaw_home(), ticker) for ticker in tickers)]))


def _day(option: str, given: str | None) -> str | None:
    day = date_from(given)
    if given is not None and day is None:
        raise FileProblem(f"{option} {quoted(given)} is not a day YYYY-MM-DD")
    return day


def _accession(given: str | None) -> str | None:
    number = accession_from(given)
    if given is not None and number is None:
        raise FileProblem(f"--accession {quoted(given)} is not an accession number such as 0000320193-23-000106")
    return number
