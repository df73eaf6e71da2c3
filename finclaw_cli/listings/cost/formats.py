"""Reports of costs as JSON and CSV: amounts are exact and plain, unknown values null or an empty cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from decimal import Decimal

from finclaw_cli.core.json_text import JsonObject, JsonValue, jsonable, well_formed
from finclaw_cli.core.usage import Usage
from finclaw_cli.listings.cost.report import Calls, Requests
from finclaw_cli.output.tabular import safe_cell
from finclaw_cli.usage.sums import RequestSums, ToolSums

CURRENCY = "USD"
_COUNTS = ("requests", "failed", "interrupted", "retries", "estimated", "unreported", "unpriced", "unpriced_tokens")
_TOKENS = tuple(item.name for item in fields(Usage))


def document(found: Requests | Calls) -> JsonObject:
    """The whole report as one object."""
    asked = found.asked
    report: JsonObject = {
        "by": list(asked.by),
        "since": jsonable(asked.since),
        "until": jsonable(asked.until),
        "session": asked.session,
        "run": asked.run,
    }
    if isinstance(found, Requests):
        report["currency"] = CURRENCY
    report["rows"] = list(objects(found))
    report["total"] = _facts(found.report.total)
    if isinstance(found, Requests):
        report["unpriced_models"] = [jsonable(asdict(model)) for model in found.unpriced]
    return report


def objects(found: Requests | Calls) -> Iterator[JsonObject]:
    """A row each."""
    if isinstance(found, Requests):
        for row in found.report.rows:
            yield {**_named(found.asked.by, row.key), **_facts(row.sums)}
    else:
        for call in found.report.rows:
            yield {**_named(found.asked.by, call.key), **_facts(call.sums)}


def csv_text(found: Requests | Calls) -> str:
    """A header and a line for each row, as RFC 4180 has it but for the ends of lines, which are plain."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    by = found.asked.by
    if isinstance(found, Requests):
        writer.writerow((*by, *_COUNTS, *_TOKENS, "cost_usd", "saved_usd"))
        writer.writerows((*map(safe_cell, row.key), *_request_cells(row.sums)) for row in found.report.rows)
    else:
        writer.writerow((*by, *asdict(ToolSums())))
        writer.writerows((*map(safe_cell, row.key), *asdict(row.sums).values()) for row in found.report.rows)
    return written.getvalue().removesuffix("\n")


def _named(by: Sequence[str], key: Sequence[str]) -> JsonObject:
    return {name: well_formed(value) for name, value in zip(by, key, strict=True)}


def _facts(sums: RequestSums | ToolSums) -> JsonObject:
    if isinstance(sums, ToolSums):
        return dict(asdict(sums))
    counts: dict[str, JsonValue] = {name: getattr(sums, name) for name in _COUNTS}
    if not sums.requests:  # nothing was asked, so it is known what it took
        return {**counts, "usage": jsonable(Usage()), "cost_usd": "0", "saved_usd": "0"}
    return {
        **counts,
        "usage": jsonable(sums.usage),
        "cost_usd": _plain(sums.cost_usd),
        "saved_usd": _plain(sums.saved_usd),
    }


def _request_cells(sums: RequestSums) -> Iterator[str | int]:
    yield from (getattr(sums, name) for name in _COUNTS)
    yield from ("" if sums.usage is None else getattr(sums.usage, name) for name in _TOKENS)
    yield _plain(sums.cost_usd) or ""
    yield _plain(sums.saved_usd) or ""


def _plain(amount: Decimal | None) -> str | None:
    return None if amount is None else format(amount, "f")
