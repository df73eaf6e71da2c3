"""The report of an import or a check: lines of text, or one JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from finclaw_cli.sdk.render import json_line, one_line
from finclaw_cli.sdk.tabular import Rejection
from finclaw_market.checks import explained, when
from finclaw_market.options import ImportReport

_MAX_SYMBOLS = 20
_MAX_FINDINGS = 20


def import_json(report: ImportReport) -> str:
    """An import's report as JSON."""
    return json_line(asdict(report))


def complaints(report: ImportReport) -> Iterator[str]:
    """All that is wrong or odd, one line each, whatever a file or its name holds."""
    return map(one_line, _complaints(report))


def _complaints(report: ImportReport) -> Iterator[str]:
    for rejection in report.rejected:
        yield _row(rejection)
    yield from (f"warning: {line}" for line in report.warnings)
    for finding in report.findings[:_MAX_FINDINGS]:
        yield f"warning: {finding.symbol} {when(finding)} {finding.kind}: {explained(finding)}"
    if len(report.findings) > _MAX_FINDINGS:
        yield f"warning: {len(report.findings) - _MAX_FINDINGS} more probable errors: finclaw data check"
    yield from (f"changed: {line}" for line in report.changes)
    yield from (f"error: {line}" for line in report.problems)


def outcome(report: ImportReport) -> Iterator[str]:
    """What was, would be or was not imported."""
    for count in report.symbols[:_MAX_SYMBOLS]:
        yield (
            f"{count.symbol}: {count.rows} rows, {count.first} to {count.last}: "
            f"{count.new} new, {count.changed} changed, {count.unchanged} unchanged"
        )
    if len(report.symbols) > _MAX_SYMBOLS:
        yield f"… and {len(report.symbols) - _MAX_SYMBOLS} more symbols"
    if not succeeded(report):
        bad = report.rejected_count
        yield "Nothing was imported." + (f" {_bad_rows(bad)}." if bad else "")
    elif report.dry_run:
        yield "Dry run: nothing was imported."


def _bad_rows(count: int) -> str:
    return (
        f"{count} rows are bad; --skip-bad-rows leaves them out"
        if count > 1
        else "1 row is bad; --skip-bad-rows leaves it out"
    )


def succeeded(report: ImportReport) -> bool:
    """Whether the import did, or as a dry run would do, what was asked."""
    return report.imported or (report.dry_run and bool(report.symbols) and not report.problems)


def _row(rejection: Rejection) -> str:
    return f"{rejection.file}:{rejection.line}: {rejection.reason}: {rejection.content}"
