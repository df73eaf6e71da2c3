"""`import_data`: a file of the workspace into the store, after a look at what that would mean."""

from __future__ import annotations

from dataclasses import asdict, replace

from finclaw_cli.sdk import FinanceResult, ToolContext, no_data, tool
from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadOption, tool_progress
from finclaw_market import given
from finclaw_market.bars import Adjustment
from finclaw_market.checks import explained, when
from finclaw_market.enclosed import copied
from finclaw_market.kinds import Kind, import_kind
from finclaw_market.options import ImportOptions, ImportReport
from finclaw_market.report import complaints, outcome
from finclaw_market.sessions import today
from finclaw_market.staging import Facts

_MAX_LISTED = 20


def preview_import(
    path: str,
    ctx: ToolContext,
    *,
    kind: Kind = "prices",
    symbol: str | None = None,
    currency: str | None = None,
    tz: str | None = None,
    adjustment: Adjustment | None = None,
    dry_run: bool = True,
) -> str:
    """What the import would do."""
    options = _options(symbol, (currency, tz), adjustment, dry_run=True)
    report = _imported(path, ctx, kind, options)
    lines = [*list(complaints(report))[:_MAX_LISTED], *outcome(report)]
    return "\n".join([f"{'looks at' if dry_run else 'imports'} {kind} from {quoted(path)}", *lines])


@tool(group="data", requires_approval=True, idempotent=True, timeout=60, preview=preview_import)
def import_data(
    path: str,
    ctx: ToolContext,
    *,
    kind: Kind = "prices",
    symbol: str | None = None,
    currency: str | None = None,
    tz: str | None = None,
    adjustment: Adjustment | None = None,
    dry_run: bool = True,
) -> FinanceResult:
    """Import a CSV or Parquet file of the workspace into the local store: all of it, or nothing where a row is bad.

    Args:
        path: relative to the workspace.
        ctx: given by finclaw.
        kind: prices (date, close, …), fx (date, from, to, rate) or series (date, value).
        symbol: of prices or series, where no column has it.
        currency: of prices.
        tz: of the sessions, e.g. "Asia/Seoul".
        adjustment: already in the prices, if known.
        dry_run: false writes.
    """
    options = _options(symbol, (currency, tz), adjustment, dry_run=dry_run)
    return _result(kind, path, _imported(path, ctx, kind, options))


def _options(
    symbol: str | None,
    facts: tuple[str | None, str | None],
    adjustment: Adjustment | None,
    *,
    dry_run: bool,
) -> ImportOptions:
    try:
        return ImportOptions(
            symbol=given.symbol(symbol),
            facts=Facts(currency=given.currency(facts[0]), tz=given.zone(facts[1])),
            adjustment=adjustment,
            dry_run=dry_run,
        )
    except BadOption as error:
        raise no_data(str(error), code="BAD_INPUT") from None


def _imported(path: str, ctx: ToolContext, kind: Kind, options: ImportOptions) -> ImportReport:
    if ctx.as_of is not None and ctx.as_of < today():
        why = "since that would show rows of later days; without as_of: finclaw data import FILE"
        raise no_data(f"nothing is imported as of {ctx.as_of}, {why}", code="BAD_INPUT")
    with copied(ctx, path) as file:
        return import_kind(kind, [file], ctx.home, replace(options, progress=tool_progress(ctx)))


def _result(kind: Kind, path: str, report: ImportReport) -> FinanceResult:
    counts = report.symbols
    findings = [f"{item.symbol} {when(item)}: {explained(item)}" for item in report.findings[:_MAX_LISTED]]
    return FinanceResult(
        data={
            "file": path,
            "kind": kind,
            "dry_run": report.dry_run,
            "imported": report.imported,
            "rows": {
                "read": sum(count.rows for count in counts) + report.rejected_count,
                "new": sum(count.new for count in counts),
                "changed": sum(count.changed for count in counts),
                "unchanged": sum(count.unchanged for count in counts),
                "rejected": report.rejected_count,
            },
            "symbols": [asdict(count) for count in counts[:_MAX_LISTED]],
            "rejected": [asdict(row) for row in report.rejected[:_MAX_LISTED]],
            "problems": report.problems,
            "changes": report.changes,
        },
        units={"rows": "count"},
        warnings=(*report.warnings, *findings),
        truncated=max(len(counts), report.rejected_count, len(report.findings)) > _MAX_LISTED,
    )
