"""`finclaw ledger import|list|profiles|check`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.sdk import ToolError, echo, echo_table, finclaw_home, show_progress
from finclaw_cli.sdk.render import echo_json, error_text, one_line, plain_number
from finclaw_cli.sdk.tabular import BadOption, FileProblem, decimal_mark, text_encoding
from finclaw_ledger.books import Books
from finclaw_ledger.csvreader import Given
from finclaw_ledger.formats import described
from finclaw_ledger.given import account_name, column_numbers, currency_code
from finclaw_ledger.importer import Plan, Report, import_raw
from finclaw_ledger.looking import account_row
from finclaw_ledger.names import shown_name
from finclaw_ledger.open_books import stored_books
from finclaw_ledger.problems import StoreProblem
from finclaw_ledger.profile import FOLDER, all_profiles
from finclaw_ledger.report import as_data, complaints, outcome
from finclaw_ledger.review import findings
from finclaw_ledger.selection import own_bookings
from finclaw_ledger.store import writing
from finclaw_ledger.textfile import read_raw
from finclaw_ledger.transfer_list import Pair, Verdict, decide, pairs
from finclaw_ledger.wording import private

FAILED = 2
# A check has found something.
FOUND = 1

ledger = typer.Typer(
    name="ledger", help="Your own books: import bank and broker exports, list and check them.", no_args_is_help=True
)


class _Order(StrEnum):
    DMY = "DMY"
    MDY = "MDY"
    YMD = "YMD"


class _Sign(StrEnum):
    NEGATIVE = "money-out-negative"
    POSITIVE = "money-out-positive"


_JSON = typer.Option("--json", help="One JSON object on stdout.")


@ledger.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="An export: CSV, OFX, MT940, CAMT.053 or a Flex query.")],
    *,
    profile: Annotated[str | None, typer.Option(help="How to read a CSV; see finclaw ledger profiles.")] = None,
    guess: Annotated[bool, typer.Option("--guess", help="Say which profile fits and why; write nothing.")] = False,
    account: Annotated[str | None, typer.Option(help="Name of the account, where the file has none.")] = None,
    currency: Annotated[str | None, typer.Option(help="Its currency, e.g. EUR, where the file has none.")] = None,
    decimal: Annotated[str | None, typer.Option(help="The decimal mark: . or ,")] = None,
    sign: Annotated[
        _Sign | None, typer.Option(help="Which amounts are money out, where the file does not show it.")
    ] = None,
    columns: Annotated[str | None, typer.Option(help="Of a file without header: date=1,payee=2,amount=3")] = None,
    date_format: Annotated[_Order | None, typer.Option(help="Order of day and month.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Text encoding, e.g. cp949.")] = None,
    write: Annotated[bool, typer.Option("--write/--dry-run", help="Write; by default only say what would be.")] = False,
    skip_bad_rows: Annotated[bool, typer.Option("--skip-bad-rows", help="Import the good rows only.")] = False,
    as_json: Annotated[bool, _JSON] = False,
) -> None:
    """Show what a bank or broker export holds, and with --write bring it into the books.

    Exit code 2 where rows are bad, with or without --write, unless --skip-bad-rows leaves them out.
    """
    with _reported(), show_progress() as step:
        given = Given(
            account=account_name(account),
            currency=currency_code(currency),
            decimal=decimal_mark(decimal),
            date_format=date_format.value if date_format else None,
            encoding=text_encoding(encoding),
            sign=sign.value if sign else None,
            columns=column_numbers(columns),
        )
        plan = Plan(
            profile=None if guess else profile, given=given, write=write and not guess, skip_bad_rows=skip_bad_rows
        )
        step(f"reading {shown_name(file.name)}")
        report = _imported(file, plan, guess=guess)
    _say(report, as_json=as_json, skip_bad_rows=skip_bad_rows)
    if report.bad and not skip_bad_rows:
        raise typer.Exit(FAILED)


def _imported(file: Path, plan: Plan, *, guess: bool) -> Report:
    try:
        raw = read_raw(file)
        try:
            return import_raw(raw, finclaw_home(), plan)
        except FileProblem:
            # The findings are shown even where the file needs more options.
            for line in described(raw, finclaw_home(), plan.given) if guess else ():
                echo(f"{shown_name(raw.name)}: {one_line(line)}")
            raise
    except FileProblem as error:
        raise FileProblem(one_line(f"{shown_name(file.name)}: {error}")) from None


def _say(report: Report, *, as_json: bool, skip_bad_rows: bool) -> None:
    if as_json:
        echo_json({**as_data(report), "warnings": [*report.warnings, *report.profile_problems]})
        return
    for line in complaints(report):
        echo(line, err=True)
    for line in outcome(report):
        echo(line)
    if report.wrote:
        echo(f"Imported {report.new} rows.")
    elif report.bad and not skip_bad_rows:
        left = "it" if report.bad == 1 else "them"
        echo(f"Nothing was written. {report.bad_rows}; --skip-bad-rows leaves {left} out.", err=True)
    else:
        echo("Dry run: nothing was written. --write writes.", err=True)


@ledger.command("list")
def list_(*, as_json: Annotated[bool, _JSON] = False) -> None:
    """List the accounts: first and last date, how many bookings, from which files."""
    with _reported(), stored_books(finclaw_home(), date.max) as books:
        rows = [account_row(books, name) for name in books.accounts()]
    if as_json:
        echo_json({"accounts": rows})
        return
    echo_table(
        ["ACCOUNT", "CURRENCY", "FIRST", "LAST", "BOOKINGS", "FILES"],
        [[_cell(value) for value in row.values()] for row in rows],
    )


def _cell(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


@ledger.command("profiles")
def profiles_(*, as_json: Annotated[bool, _JSON] = False) -> None:
    """List the profiles, shipped and your own, and where your own are looked for."""
    home = finclaw_home()
    with _reported():
        found, problems = all_profiles(home)
    for problem in problems:
        echo(f"warning: {problem}", err=True)
    if as_json:
        echo_json({name: profile.model_dump(mode="json", exclude_defaults=True) for name, profile in found.items()})
        return
    echo_table(["PROFILE", "WHAT IT READS"], [[name, profile.title or "-"] for name, profile in found.items()])
    echo(f"Your own: {home / FOLDER}/NAME.toml", err=True)


@ledger.command("transfers")
def transfers_(
    *,
    accept: Annotated[list[str] | None, typer.Option(help="Count a pair as a transfer, by its ID.")] = None,
    reject: Annotated[list[str] | None, typer.Option(help="Do not count a pair as a transfer.")] = None,
    reset: Annotated[list[str] | None, typer.Option(help="Take back what was accepted or rejected.")] = None,
    as_json: Annotated[bool, _JSON] = False,
) -> None:
    """List the pairs of bookings that are, or may be, transfers between your own accounts.

    A transfer is neither spent nor earned. A pair that only its size shows is proposed, and counted as spent and
    earned until you accept it.
    """
    home = finclaw_home()
    given: dict[Verdict, list[str]] = {"accept": accept or [], "reject": reject or [], "reset": reset or []}
    verdicts = [(pair, verdict) for verdict, ids in given.items() for pair in ids]
    with _reported():
        if verdicts:
            with stored_books(home, date.max), writing(home) as connection:
                for pair, verdict in verdicts:
                    decide(connection, pair, verdict)
        with stored_books(home, date.max) as books:
            rows = [_pair(books, pair) for pair in pairs(books)]
    if as_json:
        echo_json({"pairs": rows})
        return
    echo_table([name.upper() for name in _PAIR], [[str(row[name]) for name in _PAIR] for row in rows])


_PAIR = ("id", "date", "amount", "currency", "from", "to", "grounds", "out", "in")


def _pair(books: Books, pair: Pair) -> dict[str, object]:
    out, into = pair.outgoing, pair.incoming
    return {
        "id": pair.id,
        "date": out.day,
        "amount": plain_number(into.amount),
        "currency": out.currency,
        "from": out.account,
        "to": into.account,
        "grounds": pair.grounds,
        "out": private(out.payee or out.memo),
        "in": private(into.payee or into.memo),
        "sources": [books.place(out), books.place(into)],
    }


@ledger.command("check")
def check_(*, as_json: Annotated[bool, _JSON] = False) -> None:
    """Look for what is odd in the books: gaps, balances that do not agree, unknown purchases. Changes nothing.

    Exit code 1 where something is found.
    """
    with _reported(), stored_books(finclaw_home(), date.max) as books:
        found, count, accounts = findings(books), own_bookings(books).count(), len(books.spans)
    if as_json:
        echo_json({"bookings": count, "findings": found})
    else:
        for line in found:
            echo(line)
        checked = f"{_counted(count, 'booking')} of {_counted(accounts, 'account')} checked"
        echo(f"{checked}, {_counted(len(found), 'finding')}.", err=True)
    if found:
        raise typer.Exit(FOUND)


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except (BadOption, FileProblem, StoreProblem) as error:
        echo(f"error: {error}", err=True)
        raise typer.Exit(FAILED) from None
    except ToolError as error:
        echo(f"error: {error_text(error)}", err=True)
        raise typer.Exit(FAILED) from None


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
