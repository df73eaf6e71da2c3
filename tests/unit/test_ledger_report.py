"""Reports: groups come to what their rows come to, whatever they are grouped by and wherever days begin."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal, localcontext
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.usage import Usage
from finclaw_cli.usage import schema
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.entries import Entry, RequestEntry
from finclaw_cli.usage.groups import Selection
from finclaw_cli.usage.money import teach
from finclaw_cli.usage.periods import UNITS, Unit, stretch_at
from finclaw_cli.usage.report import (
    REQUEST_DIMENSIONS,
    Report,
    RequestDimension,
    ToolDimension,
    request_report,
    tool_report,
)
from finclaw_cli.usage.rows import milliseconds, write
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.sums import RequestSums
from tests.examples import MANY
from tests.unit.test_ledger import AT, CALL, ONE

SEOUL, NEW_YORK, HAVANA = ZoneInfo("Asia/Seoul"), ZoneInfo("America/New_York"), ZoneInfo("America/Havana")
ZONES: list[tzinfo] = [
    UTC,
    SEOUL,
    NEW_YORK,
    HAVANA,
    ZoneInfo("America/Sao_Paulo"),
    timezone(timedelta(hours=-9, minutes=-30)),
]

COSTS = st.none() | st.decimals(0, 10, places=12) | st.decimals(0, 10, places=20) | st.just(Decimal(3_000_000))
USAGES = st.none() | st.builds(
    Usage, input=st.integers(0, 10**6), output=st.integers(0, 10**6), cache_read=st.integers(0, 9)
)
MOMENTS = st.datetimes(datetime(2015, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@st.composite
def requests(draw: st.DrawFn) -> RequestEntry:
    return replace(
        ONE,
        at=draw(MOMENTS | st.just(AT)),
        run_id=draw(st.sampled_from(["run_1", "run_2"])),
        session_id=draw(st.sampled_from(["talk", "other"])),
        turn=draw(st.integers(0, 9)),
        attempt=draw(st.integers(1, 2)),
        agent_id=draw(st.sampled_from(["main", "helper"])),
        provider=draw(st.sampled_from(["anthropic", "openai"])),
        model=draw(st.sampled_from(["a", "b", "c"])),
        usage=draw(USAGES),
        price_source=draw(st.sampled_from(["settings", "settings, batch", ", flex", ""])),
        cost_usd=draw(COSTS),
        uncached_usd=draw(COSTS),
        purpose=draw(st.sampled_from(["turn", "compaction", "other"])),
        status=draw(st.sampled_from(["complete", "complete", "failed", "interrupted"])),
        is_estimated=draw(st.booleans()),
    )


LISTS = st.lists(
    requests(), max_size=12, unique_by=lambda entry: (entry.run_id, entry.turn, entry.attempt, entry.purpose)
)
GROUPINGS = st.lists(st.sampled_from(REQUEST_DIMENSIONS), max_size=4, unique=True)


def exact(costs: Sequence[Decimal]) -> Decimal:
    with localcontext(prec=100):
        return sum(costs, Decimal(0))


def saving(entry: RequestEntry) -> Decimal | None:
    """What a cache has saved, to 10⁻¹² USD."""
    if entry.uncached_usd is None or entry.cost_usd is None:
        return None
    with localcontext(prec=100):
        return round(entry.uncached_usd - entry.cost_usd, 12)


def summed(entries: Sequence[RequestEntry]) -> RequestSums:
    """What entries come to, reckoned without a database."""
    usages = [entry.usage for entry in entries if entry.usage is not None]
    costs = [entry.cost_usd for entry in entries if entry.cost_usd is not None]
    saved = [one for one in map(saving, entries) if one is not None]
    unpriced = [entry.usage for entry in entries if entry.usage is not None and entry.cost_usd is None]
    return RequestSums(
        requests=len(entries),
        failed=sum(entry.status == "failed" for entry in entries),
        interrupted=sum(entry.status == "interrupted" for entry in entries),
        retries=sum(entry.attempt > 1 for entry in entries),
        estimated=sum(entry.is_estimated for entry in entries),
        unreported=len(entries) - len(usages),
        unpriced=len(unpriced),
        unpriced_tokens=sum(usage.total for usage in unpriced),
        usage=sum(usages, Usage()) if usages else None,
        cost_usd=exact(costs) if costs else None,
        saved_usd=exact(saved) if saved else None,
    )


KEYS: dict[RequestDimension, Callable[[RequestEntry, datetime], str]] = {
    "model": lambda entry, _: entry.model,
    "provider": lambda entry, _: entry.provider,
    "session": lambda entry, _: entry.session_id,
    "agent": lambda entry, _: entry.agent_id,
    "run": lambda entry, _: entry.run_id,
    "purpose": lambda entry, _: entry.purpose,
    "tier": lambda entry, _: entry.price_source.partition(", ")[2] or "standard",
    "day": lambda _, at: at.date().isoformat(),
    "week": lambda _, at: f"{at.isocalendar().year}-W{at.isocalendar().week:02}",
    "month": lambda _, at: at.strftime("%Y-%m"),
}


def key(entry: RequestEntry, by: Sequence[RequestDimension], zone: tzinfo) -> tuple[str, ...]:
    return tuple(KEYS[name](entry, entry.at.astimezone(zone)) for name in by)


def reported(
    entries: Sequence[Entry], by: Sequence[RequestDimension], selection: Selection | None = None, zone: tzinfo = UTC
) -> Report[RequestSums]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        schema.fill(connection)
        teach(connection)
        for entry in entries:
            write(connection, entry)
        return request_report(connection, by, selection, zone)


@settings(max_examples=MANY)
@given(LISTS, GROUPINGS, st.sampled_from(ZONES))
def test_any_grouping_comes_to_what_its_rows_come_to(
    entries: list[RequestEntry], by: list[RequestDimension], zone: tzinfo
):
    expected = {
        each: [entry for entry in entries if key(entry, by, zone) == each]
        for each in {key(entry, by, zone) for entry in entries}
    }
    report = reported(entries, by, zone=zone)
    assert {row.key: row.sums for row in report.rows} == {each: summed(group) for each, group in expected.items()}
    assert report.total == summed(entries)


@st.composite
def selections(draw: st.DrawFn) -> Selection:
    return Selection(
        since=draw(st.none() | MOMENTS),
        until=draw(st.none() | MOMENTS),
        session_id=draw(st.sampled_from([None, "talk", "none"])),
        run_id=draw(st.sampled_from([None, "run_1"])),
    )


def is_selected(entry: RequestEntry, by: Selection) -> bool:
    at = milliseconds(entry.at)
    return (
        (by.since is None or milliseconds(by.since) <= at)
        and (by.until is None or at < milliseconds(by.until))
        and by.session_id in {None, entry.session_id}
        and by.run_id in {None, entry.run_id}
    )


@settings(max_examples=MANY)
@given(LISTS, GROUPINGS, selections())
def test_a_selection_has_the_rows_it_names_and_no_other(
    entries: list[RequestEntry], by: list[RequestDimension], selection: Selection
):
    chosen = [entry for entry in entries if is_selected(entry, selection)]
    assert reported(entries, by, selection).total == summed(chosen)


@settings(max_examples=MANY)
@given(st.lists(st.decimals(0, 10**6, places=12) | st.decimals(0, 1, places=25), min_size=1, max_size=40))
def test_money_is_exact(costs: list[Decimal]):
    entries = [replace(ONE, turn=turn, cost_usd=cost) for turn, cost in enumerate(costs)]
    assert reported(entries, []).total.cost_usd == exact(costs)


@given(MOMENTS, st.sampled_from(UNITS), st.sampled_from(ZONES))
def test_stretches_of_time_follow_each_other_without_a_gap(at: datetime, unit: Unit, zone: tzinfo):
    here = stretch_at(milliseconds(at), unit, zone)
    assert here.start <= milliseconds(at) < here.end
    after, before = stretch_at(here.end, unit, zone), stretch_at(here.start - 1, unit, zone)
    assert (after.start, before.end) == (here.end, here.start)
    assert before.first < here.first < after.first


@pytest.mark.parametrize(
    ("at", "zone", "day"),
    [
        ("2026-11-20T14:59:59.999+00:00", SEOUL, "2026-11-20"),
        ("2026-11-20T15:00:00+00:00", SEOUL, "2026-11-21"),
        ("2026-03-08T04:59:59+00:00", NEW_YORK, "2026-03-07"),  # winter time
        ("2026-03-09T03:59:59+00:00", NEW_YORK, "2026-03-08"),  # the day has 23 hours
        ("2026-03-09T04:00:00+00:00", NEW_YORK, "2026-03-09"),
        ("2026-11-02T04:59:59+00:00", NEW_YORK, "2026-11-01"),  # and 25
    ],
)
def test_days_begin_at_midnight_of_the_zone(at: str, zone: tzinfo, day: str):
    entry = replace(ONE, at=datetime.fromisoformat(at))
    assert [row.key for row in reported([entry], ["day"], zone=zone).rows] == [(day,)]


def test_a_week_is_named_after_its_year_and_begins_on_monday():
    days = [date(2025, 12, 28), date(2025, 12, 29), date(2026, 1, 4), date(2026, 1, 5)]
    entries = [
        replace(ONE, turn=turn, at=datetime(day.year, day.month, day.day, tzinfo=UTC)) for turn, day in enumerate(days)
    ]
    rows = reported(entries, ["week"]).rows
    assert [(row.key[0], row.sums.requests) for row in rows] == [("2025-W52", 1), ("2026-W01", 2), ("2026-W02", 1)]


def test_rows_come_in_the_order_of_what_was_asked_for():
    entries = [
        replace(ONE, turn=1, model="b"),
        replace(ONE, turn=2, model="a"),
        replace(ONE, turn=3, model="b", provider="x"),
    ]
    assert [row.key for row in reported(entries, ["provider", "model"]).rows] == [
        ("anthropic", "a"),
        ("anthropic", "b"),
        ("x", "b"),
    ]


def test_what_is_asked_for_twice_is_given_once():
    assert reported([ONE], ["model", "model"]).by == ("model",)


def test_a_group_with_and_without_prices_tells_both():
    sums = reported([ONE, replace(ONE, turn=2, cost_usd=None)], ["model"]).rows[0].sums
    assert (sums.cost_usd, sums.unpriced, sums.unpriced_tokens) == (ONE.cost_usd, 1, 100)


def test_nothing_comes_to_nothing():
    report = reported([], ["model", "day"])
    assert (report.rows, report.total) == ((), RequestSums())


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (["tool"], {("get_quote",): (2, 1, 40, 28), ("pay",): (1, 1, 0, 0)}),
        (["day"], {("2026-11-20",): (2, 1, 12, 12), ("2026-11-21",): (1, 1, 28, 28)}),
        (["tool", "month"], {("get_quote", "2026-11"): (2, 1, 40, 28), ("pay", "2026-11"): (1, 1, 0, 0)}),
    ],
)
def test_tools_are_counted_with_how_they_ended_and_how_long_they_took(
    tmp_path: Path, by: list[ToolDimension], expected: object
):
    later = replace(CALL, at=AT + timedelta(days=1), call_id="c2", status="failed", duration_ms=28)
    denied = replace(CALL, call_id="c3", tool="pay", status="denied", duration_ms=None)
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger(path)
    ledger.record(CALL, later, denied)
    ledger.close()
    with reading(path) as connection:
        rows = tool_report(connection, by).rows
    told = {
        row.key: (row.sums.calls, row.sums.not_completed, row.sums.duration_ms, row.sums.longest_ms) for row in rows
    }
    assert told == expected
