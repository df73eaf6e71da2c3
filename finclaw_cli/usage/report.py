"""Reports: what requests and tool calls came to, by anything they have."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import UTC, tzinfo
from decimal import Decimal
from typing import Generic, Literal, TypeVar, get_args

from finclaw_cli.core.money import total
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage
from finclaw_cli.usage.groups import Group, Grouping, Key, Selection, Table
from finclaw_cli.usage.money import joined, sums_of
from finclaw_cli.usage.rows import Value
from finclaw_cli.usage.sums import RequestSums, Sums, ToolSums

RequestDimension = Literal["model", "provider", "day", "week", "month", "session", "agent", "run", "purpose", "tier"]
ToolDimension = Literal["tool", "day", "week", "month", "session", "agent", "run"]
REQUEST_DIMENSIONS: tuple[RequestDimension, ...] = get_args(RequestDimension)
TOOL_DIMENSIONS: tuple[ToolDimension, ...] = get_args(ToolDimension)

S = TypeVar("S", bound=Sums)

_COUNTS = tuple(item.name for item in fields(Usage))
_TOKENS = "input + output + cache_read + cache_write"
_NO_PRICE = "cost IS NULL AND cost_text IS NULL"
_REQUESTS = Table(
    name="requests",
    columns=f"count(*), {sums_of('cost')}, {sums_of('saved')}, {', '.join(f'sum({name})' for name in _COUNTS)}",
    odd_columns=(
        "sum(status = 'failed'), sum(status = 'interrupted'), sum(attempt > 1), sum(estimated), sum(input IS NULL), "
        f"sum(input IS NOT NULL AND {_NO_PRICE}), sum({_TOKENS}) FILTER (WHERE {_NO_PRICE}), "
        "money_sum(cost_text) FILTER (WHERE cost_text IS NOT NULL)"
    ),
)
_TOOL_CALLS = Table(
    name="tool_calls",
    columns="count(*), sum(status <> 'completed'), sum(duration_ms), max(duration_ms)",
)


@record
class Row(Generic[S]):
    """A group: its values of what was grouped by, in that order, and its sums."""

    key: Key
    sums: S


@record
class Report(Generic[S]):
    """Groups, in the order of their keys, and what they come to together."""

    by: tuple[str, ...]
    rows: tuple[Row[S], ...]
    total: S

    def folded(self, by: Sequence[str]) -> Report[S]:
        """The same by some of what it was grouped by, without looking at the ledger again."""
        places = [self.by.index(name) for name in by]
        found = _gathered((tuple(row.key[place] for place in places), row.sums) for row in self.rows)
        return Report(tuple(by), tuple(Row(key, found[key]) for key in sorted(found)), self.total)


@record
class Unpriced:
    """Tokens of a model that have no price."""

    provider: str
    model: str
    tokens: int


def request_report(
    connection: sqlite3.Connection,
    by: Sequence[RequestDimension] = ("model",),
    selection: Selection | None = None,
    zone: tzinfo = UTC,
) -> Report[RequestSums]:
    """What requests came to; days, weeks and months begin in `zone`.

    Raises:
        sqlite3.Error: the ledger cannot be read.
    """
    grouping = Grouping(by=tuple(dict.fromkeys(by)), zone=zone)
    groups = grouping.groups(connection, _REQUESTS, selection or Selection())
    found = _gathered((group.key, _odd_sums(group) if group.is_odd else _plain_sums(group)) for group in groups)
    return _report(grouping.by, found, RequestSums())


def tool_report(
    connection: sqlite3.Connection,
    by: Sequence[ToolDimension] = ("tool",),
    selection: Selection | None = None,
    zone: tzinfo = UTC,
) -> Report[ToolSums]:
    """What calls of tools came to; days, weeks and months begin in `zone`.

    Raises:
        sqlite3.Error: the ledger cannot be read.
    """
    grouping = Grouping(by=tuple(dict.fromkeys(by)), zone=zone)
    groups = grouping.groups(connection, _TOOL_CALLS, selection or Selection())
    found = _gathered((group.key, _tool_sums(group)) for group in groups)
    return _report(grouping.by, found, ToolSums())


def unpriced(connection: sqlite3.Connection, selection: Selection | None = None) -> tuple[Unpriced, ...]:
    """The models of which tokens have no price, those with the most of them first.

    Raises:
        sqlite3.Error: the ledger cannot be read.
    """
    selection = selection or Selection()
    condition, values = selection.condition()
    start, end = selection.bounds()
    found = connection.execute(
        f"SELECT provider, model, sum({_TOKENS}) AS tokens FROM requests "  # noqa: S608 - names of ours
        f"WHERE odd = 1 AND at >= :start AND at < :end{condition} AND input IS NOT NULL AND {_NO_PRICE} "
        "GROUP BY provider, model ORDER BY tokens DESC, provider, model",
        {**values, "start": start, "end": end},
    )
    return tuple(Unpriced(*row) for row in found)


def _plain_sums(group: Group) -> RequestSums:
    """What is added up of all rows."""
    requests, high, low, saved_high, saved_low, *counts = group.values
    known = None if counts[0] is None else Usage(**dict(zip(_COUNTS, map(_number, counts), strict=True)))
    return RequestSums(
        requests=_number(requests), usage=known, cost_usd=_amount(high, low), saved_usd=_amount(saved_high, saved_low)
    )


def _odd_sums(group: Group) -> RequestSums:
    """What is to be added of the rows that are not as usual; they are counted already."""
    *counts, text = group.values
    failed, interrupted, retries, estimated, unreported, unpriced, unpriced_tokens = map(_number, counts)
    return RequestSums(
        failed=failed,
        interrupted=interrupted,
        retries=retries,
        estimated=estimated,
        unreported=unreported,
        unpriced=unpriced,
        unpriced_tokens=unpriced_tokens,
        cost_usd=None if text is None else total((Decimal(text),)),
    )


def _tool_sums(group: Group) -> ToolSums:
    calls, not_completed, duration, longest = map(_number, group.values)
    return ToolSums(calls=calls, not_completed=not_completed, duration_ms=duration, longest_ms=longest)


def _amount(high: Value, low: Value) -> Decimal | None:
    return None if high is None else joined(_number(high), _number(low))


def _number(value: Value) -> int:
    """A sum of integers from SQL; an empty one is 0."""
    return int(value or 0)


def _gathered(parts: Iterable[tuple[Key, S]]) -> dict[Key, S]:
    found: dict[Key, S] = {}
    for key, sums in parts:
        found[key] = found[key] + sums if key in found else sums
    return found


def _report(by: tuple[str, ...], found: dict[Key, S], nothing: S) -> Report[S]:
    rows = tuple(Row(key, found[key]) for key in sorted(found))
    return Report(by, rows, sum((row.sums for row in rows), nothing))
