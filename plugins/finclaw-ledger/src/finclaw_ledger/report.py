"""The report of an import: lines of text, or one JSON object."""

from __future__ import annotations

from collections.abc import Iterator

from finclaw_cli.sdk.render import one_line
from finclaw_ledger.importer import Report

_MOST = 50


def complaints(report: Report) -> Iterator[str]:
    """All that is wrong or odd, one line each."""
    for row in report.rejected[:_MOST]:
        yield one_line(f"{report.file}:{row.line}: {row.reason}: {row.content}")
    if report.bad > _MOST:
        yield f"{report.bad - _MOST} more rows are bad"
    for warning in report.warnings[:_MOST]:
        yield one_line(f"warning: {report.file}: {warning}")
    if len(report.warnings) > _MOST:
        yield f"{len(report.warnings) - _MOST} more warnings"
    for problem in report.profile_problems[:_MOST]:
        yield one_line(f"warning: {problem}")


def outcome(report: Report) -> Iterator[str]:
    """What was, or would be, imported."""
    span = f", {report.first} to {report.last}" if report.first else ""
    yield one_line(f"{report.file}: {report.how}, account {', '.join(report.accounts) or '-'}{span}")
    yield from (f"  {one_line(note)}" for note in report.notes)
    yield from (f"  {one_line(example)}" for example in report.examples)
    yield f"  {report.read} rows: {report.new} new, {report.duplicate} duplicate, {report.bad} rejected"
    if report.categorised and report.duplicate:
        yield f"  {report.categorised} of the rows get a category"
    for currency, sums in report.sums.items():
        yield f"  {currency}: {sums['in']} in, {sums['out']} out, {sums['net']} net"


def as_data(report: Report) -> dict[str, object]:
    """The report as JSON holds it."""
    return {
        "file": report.file,
        "how": report.how,
        "wrote": report.wrote,
        "accounts": report.accounts,
        "rows": {"read": report.read, "new": report.new, "duplicate": report.duplicate, "rejected": report.bad},
        "first": report.first,
        "last": report.last,
        "sums": report.sums,
        "rejected": [
            {"source": f"{report.file}:{row.line}", "reason": row.reason, "content": row.content}
            for row in report.rejected[:_MOST]
        ],
        "notes": report.notes,
    }
