"""`finclaw data import|fetch|list|check`; `repair` is in a module of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.sdk import ToolError, echo, echo_table, finclaw_home, show_progress
from finclaw_cli.sdk.render import echo_json, error_text
from finclaw_cli.sdk.tabular import BadOption, decimal_mark, text_encoding
from finclaw_market import given
from finclaw_market.checks import Finding, basis_of, check, when
from finclaw_market.fetching import fetch_observations, fetch_prices
from finclaw_market.kinds import import_kind
from finclaw_market.mending import repair_words
from finclaw_market.options import ImportOptions, ImportReport
from finclaw_market.prices import Found, Prices, all_prices
from finclaw_market.problems import StoreProblem
from finclaw_market.queries import bars_between, holding, rates_held, series_held, sources_of
from finclaw_market.report import complaints, import_json, outcome, succeeded
from finclaw_market.results import IMPORT
from finclaw_market.staging import Facts
from finclaw_market.store import holds_series, reading

FAILED = 2
# A check has found something.
FOUND = 1
_TEN_YEARS = 3_653

data = typer.Typer(
    name="data", help="Your own prices: import files, list what is stored, look for errors.", no_args_is_help=True
)


class _Kind(StrEnum):
    PRICES = "prices"
    FX = "fx"
    SERIES = "series"


class _Service(StrEnum):
    YAHOO = "yahoo"
    FRED = "fred"


class _Adjustment(StrEnum):
    NONE = "none"
    SPLIT = "split"
    TOTAL = "total"


_JSON = typer.Option("--json", help="One JSON object on stdout.")


@data.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="Files to read: CSV, semicolon or tab separated; Parquet.")],
    *,
    kind: Annotated[_Kind, typer.Option(help="What the files hold: prices, exchange rates or series.")] = _Kind.PRICES,
    symbol: Annotated[
        str | None, typer.Option(help="The symbol (or series), where the file has no column for it.")
    ] = None,
    currency: Annotated[str | None, typer.Option(help="Currency of the prices, e.g. USD.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the instrument or series.")] = None,
    unit: Annotated[str | None, typer.Option(help="Unit of a series, e.g. 'percent per year'.")] = None,
    exchange: Annotated[str | None, typer.Option(help="Its exchange, e.g. XNYS.")] = None,
    tz: Annotated[str | None, typer.Option(help="Time zone of its sessions, e.g. America/New_York.")] = None,
    date_format: Annotated[str | None, typer.Option(help="DMY, MDY, or a pattern such as %d.%m.%y.")] = None,
    decimal: Annotated[str | None, typer.Option(help="The decimal mark: . or ,")] = None,
    encoding: Annotated[str | None, typer.Option(help="Text encoding, e.g. cp949; by default UTF-8 or UTF-16.")] = None,
    adjustment: Annotated[_Adjustment | None, typer.Option(help="How the file's prices are already adjusted.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; write nothing.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Let stored bars change.")] = False,
    skip_bad_rows: Annotated[bool, typer.Option("--skip-bad-rows", help="Import the good rows only.")] = False,
    sort: Annotated[bool, typer.Option("--sort", help="Take rows in any order; by default such rows are bad.")] = False,
    wide: Annotated[bool, typer.Option("--wide", help="Each column has the closes of one symbol.")] = False,
    as_json_: Annotated[bool, _JSON] = False,
) -> None:
    """Import prices, exchange rates or series from files: all of them, or nothing where any row is bad."""
    with checked(), show_progress("rows") as progress:
        options = ImportOptions(
            progress=progress,
            symbol=given.symbol(symbol),
            facts=Facts(
                name=given.words(name),
                exchange=given.words(exchange),
                currency=given.currency(currency),
                tz=given.zone(tz),
                unit=given.words(unit),
            ),
            date_format=date_format,
            decimal=decimal_mark(decimal),
            encoding=text_encoding(encoding),
            adjustment=adjustment.value if adjustment else None,
            dry_run=dry_run,
            replace=replace,
            may_state=True,
            skip_bad_rows=skip_bad_rows,
            sort=sort,
            wide=wide,
        )
        report = import_kind(kind.value, files, finclaw_home(), options)
    _say(report, as_json_=as_json_)


def _say(report: ImportReport, *, as_json_: bool) -> None:
    if as_json_:
        echo(import_json(report))
    else:
        for line in complaints(report):
            echo(line, err=True)
        for line in outcome(report):
            echo(line, err=not succeeded(report))
    if not succeeded(report):
        raise typer.Exit(FAILED)


@data.command("fetch")
def fetch_(
    service: Annotated[_Service, typer.Argument(help="yahoo for daily prices, fred for economic series.")],
    names: Annotated[list[str], typer.Argument(help="Symbols or series, as the service names them.")],
    *,
    start: Annotated[str | None, typer.Option(help="First date of prices; by default ten years ago.")] = None,
    as_json_: Annotated[bool, _JSON] = False,
) -> None:
    """Fetch prices or series from a service into the store. This goes out to the network."""
    with checked():
        wanted = [given.symbol(name) or "" for name in names]
        first = given.day(start) or date.today() - timedelta(days=_TEN_YEARS)  # noqa: DTZ011 - any zone will do
    with _reported():
        for name in wanted:
            prices = service is _Service.YAHOO
            home = finclaw_home()
            _say(fetch_prices(home, name, first) if prices else fetch_observations(home, name), as_json_=as_json_)


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except ToolError as error:
        raise failed(error_text(error)) from None


@data.command("list")
def list_(*, as_json_: Annotated[bool, _JSON] = False) -> None:
    """List the instruments, series and exchange rates: first and last date, how many, from which files or packages."""
    with prices_of() as prices:
        rows = [_holding(found) for found in prices.everything(date.max)]
    with _store() as stored:
        others = {"series": series_held(stored), "rates": rates_held(stored)} if stored else {}
    if as_json_:
        echo_json({"instruments": rows, **others})
        return
    if not any(row["dataset"] is None for row in rows):
        echo(f"No prices of your own are stored yet: {IMPORT}", err=True)
    for row in rows:
        if dataset := row.pop("dataset"):
            row["source"] = f"{row['source']} from {dataset}"
    for table in filter(None, (rows, *others.values())):
        cells = [["-" if value is None else str(value) for value in row.values()] for row in table]
        echo_table([name.upper() for name in table[0]], cells)


def _holding(found: Found) -> dict[str, object]:
    item = found.item
    count, refs = holding(found.connection, item.symbol)
    return {
        "symbol": item.symbol,
        "name": item.name,
        "currency": item.currency,
        "first": item.first.isoformat(),
        "last": item.last.isoformat(),
        "bars": count,
        "source": refs,
        "dataset": found.dataset,
    }


@data.command("check")
def check_(
    symbol: Annotated[str | None, typer.Argument(help="Only this symbol; by default all.")] = None,
    *,
    as_json_: Annotated[bool, _JSON] = False,
) -> None:
    """Look for errors in stored prices: gaps, wrong units, missed splits, standstill. Changes nothing.

    Exit code 1 where something is found in your own prices, or in those of the symbol that was named.
    """
    with checked():
        wanted = given.symbol(symbol)
    count, findings, owned = _findings(wanted)
    if wanted and not count:
        adds = IMPORT.replace("SYMBOL", wanted)
        raise failed(f"{wanted} is not in the price store: `finclaw data list` shows what is; `{adds}` adds it")
    if as_json_:
        echo_json({"checked": count, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            echo(f"{finding.symbol} {when(finding)} {finding.kind}: {finding.detail}")
            if finding.repair is not None:
                echo(f"  proposed repair: {repair_words(finding.repair)}")
        instruments = f"{count} instrument{'s' * (count != 1)}"
        echo(f"{instruments} checked, {len(findings)} finding{'s' * (len(findings) != 1)}.", err=True)
    if findings and (wanted or owned & {finding.symbol for finding in findings}):
        raise typer.Exit(FOUND)


@contextmanager
def _store() -> Iterator[sqlite3.Connection | None]:
    try:
        with reading(finclaw_home()) as stored:
            yield stored if stored is not None and holds_series(stored) else None
    except StoreProblem as error:
        raise failed(str(error)) from None


@contextmanager
def prices_of() -> Iterator[Prices]:
    """All prices, for a command; a store that cannot be read ends it."""
    try:
        with all_prices(finclaw_home()) as prices:
            yield prices
            for problem in prices.problems:
                echo(f"warning: {problem}", err=True)
    except StoreProblem as error:
        raise failed(str(error)) from None


def _findings(symbol: str | None) -> tuple[int, list[Finding], set[str]]:
    """How many instruments there are, what is odd in them, and which of them are the user's own."""
    with prices_of() as prices:
        if symbol is None:
            wanted = prices.everything(date.max)
        else:
            found = prices.one(symbol, date.max)
            wanted = [found] if found else []
        owned = {entry.item.symbol for entry in wanted if entry.dataset is None}
        return len(wanted), [finding for entry in wanted for finding in _findings_for(entry)], owned


def _findings_for(found: Found) -> list[Finding]:
    item = found.item
    bars = bars_between(found.connection, item.symbol, item.first, item.last)
    basis = basis_of(source.basis for source in sources_of(found.connection, bars))
    return check(item.symbol, bars, basis, item.exchange)


@contextmanager
def checked() -> Iterator[None]:
    """End the command where an option is invalid."""
    try:
        yield
    except BadOption as error:
        raise failed(str(error)) from None


def failed(message: str) -> typer.Exit:
    """Say what is wrong; the exit to raise for it."""
    echo(f"error: {message}", err=True)
    return typer.Exit(FAILED)
