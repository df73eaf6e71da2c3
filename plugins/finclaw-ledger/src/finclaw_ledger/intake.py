"""`import_statement`: a file of the workspace into the books, after a look at what that would mean."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.sdk import FinanceResult, Source, ToolContext, no_data, tool
from finclaw_cli.sdk.files import Refused, read_file
from finclaw_cli.sdk.render import one_line, quoted
from finclaw_cli.sdk.tabular import BadOption, FileProblem
from finclaw_ledger.csvreader import Given
from finclaw_ledger.dates import today
from finclaw_ledger.given import account_name, currency_code
from finclaw_ledger.importer import Plan, Report, import_raw
from finclaw_ledger.names import shown_name
from finclaw_ledger.problems import StoreProblem
from finclaw_ledger.report import as_data, complaints, outcome
from finclaw_ledger.signs import Sign
from finclaw_ledger.textfile import MAX_BYTES, RawFile, raw_file

_MOST = 30


def preview_import(
    path: str,
    ctx: ToolContext,
    *,
    profile: str | None = None,
    account: str | None = None,
    currency: str | None = None,
    sign: Sign | None = None,
    dry_run: bool = True,
) -> str:
    """What the import would do."""
    report = _imported(path, ctx, profile, _given(account, currency, sign), write=False)
    verb = "looks at" if dry_run else "imports"
    return "\n".join([f"{verb} {quoted(path)}", *list(complaints(report))[:_MOST], *outcome(report)])


@tool(
    group="data",
    sensitive=True,
    requires_approval=True,
    idempotent=True,
    serial=True,
    timeout=60,
    preview=preview_import,
)
def import_statement(
    path: str,
    ctx: ToolContext,
    *,
    profile: str | None = None,
    account: str | None = None,
    currency: str | None = None,
    sign: Sign | None = None,
    dry_run: bool = True,
) -> FinanceResult:
    """Import a bank or broker export of the workspace (CSV, OFX, MT940) into the user's books; nothing twice.

    Args:
        path: relative to the workspace.
        ctx: given by finclaw.
        profile: how to read a CSV; by default the one that fits.
        account: name of the account, where the file has none.
        currency: e.g. "EUR", where the file has none.
        sign: which amounts are money out, where the file does not show it; ask the user.
        dry_run: only say what would happen; false writes.
    """
    report = _imported(path, ctx, profile, _given(account, currency, sign), write=not dry_run)
    return FinanceResult(
        data=as_data(report),
        as_of=report.last.isoformat() if report.last else None,
        units={"sums": "by currency: in, out (negative), net", "rows": "count"},
        sources=(Source(id="s1", kind="file", ref=report.file, sha256=report.sha256, licence="user"),),
        warnings=(*report.warnings[:_MOST], *report.profile_problems[:_MOST], *_not_written(report, dry_run=dry_run)),
        truncated=report.bad > _MOST or len(report.warnings) > _MOST,
    )


def _not_written(report: Report, *, dry_run: bool) -> tuple[str, ...]:
    if report.wrote or dry_run:
        return ()
    return (f"nothing was imported: {report.bad_rows}; the user can run finclaw ledger import --skip-bad-rows",)


def _given(account: str | None, currency: str | None, sign: Sign | None) -> Given:
    try:
        return Given(account=account_name(account), currency=currency_code(currency), sign=sign)
    except BadOption as error:
        raise no_data(str(error), code="BAD_INPUT") from None


def _imported(path: str, ctx: ToolContext, profile: str | None, given: Given, *, write: bool) -> Report:
    if ctx.as_of is not None and ctx.as_of < today():
        why = "since that would show rows of later days; without as_of: finclaw ledger import FILE --write"
        raise no_data(f"nothing is imported as of {ctx.as_of}, {why}", code="BAD_INPUT")
    raw = statement_file(ctx, path)
    try:
        return import_raw(raw, ctx.home, Plan(profile=profile, given=given, write=write))
    except BadOption as error:
        raise no_data(one_line(str(error)), code="BAD_INPUT") from None
    except FileProblem as error:
        raise no_data(one_line(f"{shown_name(raw.name)}: {error}"), code="BAD_INPUT") from None
    except StoreProblem as error:
        raise no_data(str(error), code="NOT_CONFIGURED") from None


def statement_file(ctx: ToolContext, path: str) -> RawFile:
    """A file of the workspace.

    Raises:
        ToolError: BAD_INPUT: it cannot be read.
    """
    try:
        return raw_file(Path(path).name, read_file(ctx, path, MAX_BYTES))
    except Refused as refused:
        why = refused.reason.removesuffix(".") + ("; split it" if refused.code == "TOO_LARGE" else "")
    except FileProblem as error:
        why = str(error)
    raise no_data(f"path {quoted(path)} cannot be used: {why}", code="BAD_INPUT")
