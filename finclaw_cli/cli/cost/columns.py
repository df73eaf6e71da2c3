"""The columns of the tables of costs and of tool calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from finclaw_cli.core.money import usd_figure
from finclaw_cli.output.table import LEAST_CELLS, Column, aligned
from finclaw_cli.usage.periods import UNITS
from finclaw_cli.usage.report import Report
from finclaw_cli.usage.sums import RequestSums, ToolSums

TOTAL = "TOTAL"
NOTHING = "-"
UNKNOWN = "unknown"
# The ranks of columns: a higher one is left out first where a line has no room.
_REQUESTS, _TOKENS, _CACHE = 1, 2, 3
_USAGE = (
    ("INPUT", "input", _TOKENS),
    ("OUTPUT", "output", _TOKENS),
    ("CACHE READ", "cache_read", _CACHE),
    ("CACHE WRITE", "cache_write", _CACHE),
)
_SECOND, _MINUTE, _HOUR = 1000, 60_000, 3_600_000


def request_columns(report: Report[RequestSums]) -> Iterator[Column]:
    """Groups, tokens and costs in USD; the last line is the total."""
    sums = [*(row.sums for row in report.rows), report.total]
    yield from _named(report.by, [row.key for row in report.rows])
    yield Column(title="REQUESTS", cells=[f"{each.requests:,}" for each in sums], rank=_REQUESTS)
    for title, name, rank in _USAGE:
        cells = [NOTHING if each.usage is None else f"{getattr(each.usage, name):,}" for each in sums]
        yield Column(title=title, cells=cells, rank=rank)
    yield Column(title="COST (USD)", cells=aligned([_cost(each.cost_usd) for each in sums]))


def call_columns(report: Report[ToolSums]) -> Iterator[Column]:
    """Groups, calls and their duration; the last line is the total."""
    sums = [*(row.sums for row in report.rows), report.total]
    yield from _named(report.by, [row.key for row in report.rows])
    yield Column(title="CALLS", cells=[f"{each.calls:,}" for each in sums])
    yield Column(title="NOT COMPLETED", cells=[f"{each.not_completed:,}" for each in sums], rank=1)
    yield Column(title="TIME", cells=[duration(each.duration_ms) for each in sums], rank=2)
    yield Column(title="LONGEST", cells=[duration(each.longest_ms) for each in sums], rank=3)


def duration(milliseconds: int) -> str:
    """`12 ms`, `1.5 s`, `2 min 05 s`, `3 h 07 min`; rounded down."""
    if milliseconds < _SECOND:
        return f"{milliseconds} ms"
    if milliseconds < _MINUTE:
        return f"{milliseconds // 100 / 10:.1f} s"
    if milliseconds < _HOUR:
        return f"{milliseconds // _MINUTE} min {milliseconds % _MINUTE // _SECOND:02} s"
    return f"{milliseconds // _HOUR:,} h {milliseconds % _HOUR // _MINUTE:02} min"


def _named(by: Sequence[str], keys: Sequence[Sequence[str]]) -> Iterator[Column]:
    for place, name in enumerate(by):
        cells = [*(key[place] or NOTHING for key in keys), "" if place else TOTAL]
        least = max(map(len, cells)) if name in UNITS else LEAST_CELLS  # dates are not cut
        yield Column(title=name.upper(), cells=cells, is_name=True, least=least)


def _cost(amount: Decimal | None) -> str:
    return UNKNOWN if amount is None else usd_figure(amount)
