"""`--since` and `--until`: moments as people say them, in their own time zone, and the zone itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.errors import UsageError
from finclaw_cli.listings.period import LocalZone, period
from finclaw_cli.usage.periods import UNITS, Unit, stretch_at
from finclaw_cli.usage.rows import milliseconds

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 21, 3, 30, tzinfo=UTC)  # still the 20th in New York
ZONES = ("America/New_York", "America/Havana", "Asia/Seoul", "Europe/London", "Australia/Lord_Howe", "UTC")
# A rule in place of a name: New York's.
RULE = "EST5EDT,M3.2.0,M11.1.0"


def between(since: str | None, until: str | None) -> tuple[str | None, str | None]:
    found = period(since, until, NOW, NEW_YORK)
    return tuple(moment and moment.isoformat() for moment in (found.since, found.until))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("words", "first", "after"),
    [
        ("2026-11-01", "2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"),  # a day of 25 hours
        ("20261101", "2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"),
        ("2026-11", "2026-11-01T00:00:00-04:00", "2026-12-01T00:00:00-05:00"),
        ("2026-12", "2026-12-01T00:00:00-05:00", "2027-01-01T00:00:00-05:00"),
        ("2026-W01", "2025-12-29T00:00:00-05:00", "2026-01-05T00:00:00-05:00"),
        ("today", "2026-11-20T00:00:00-05:00", "2026-11-21T00:00:00-05:00"),
        ("yesterday", "2026-11-19T00:00:00-05:00", "2026-11-20T00:00:00-05:00"),
        ("2026-11-01T09:30", "2026-11-01T09:30:00-05:00", "2026-11-01T09:30:00-05:00"),
        ("2026-11-01 09:30:15", "2026-11-01T09:30:15-05:00", "2026-11-01T09:30:15-05:00"),
        ("2026-11-01T09:30Z", "2026-11-01T04:30:00-05:00", "2026-11-01T04:30:00-05:00"),
        ("2026-11-01T09:30+09:00", "2026-10-31T20:30:00-04:00", "2026-10-31T20:30:00-04:00"),
        ("24h", "2026-11-19T22:30:00-05:00", "2026-11-19T22:30:00-05:00"),
        ("7d", "2026-11-13T22:30:00-05:00", "2026-11-13T22:30:00-05:00"),
        ("2w", "2026-11-06T22:30:00-05:00", "2026-11-06T22:30:00-05:00"),
    ],
)
def test_since_is_the_first_moment_meant_and_until_the_first_one_after_it(words: str, first: str, after: str):
    assert between(words, None) == (first, None)
    assert between(None, words) == (None, after)


def test_nothing_said_is_no_limit():
    assert between(None, None) == (None, None)


@pytest.mark.parametrize(
    "words",
    [
        "", "soon", "7", "d", "-7d", "7m", "7 days", "2026-11-31", "2026-13", "2026-W54", "0001-01-01", "9999-12-31",
        "9999-12", "999999w", "２０２６-11-01x", "７d", "２０２６-W45", "２０２６-11", "2026-11-01T25:00", "1960-01-01",
    ],
)  # fmt: skip
@pytest.mark.parametrize("option", ["--since", "--until"])
def test_what_is_no_date_is_refused_with_what_is_one(words: str, option: str):
    with pytest.raises(UsageError, match=option) as refused:
        between(words, None) if option == "--since" else between(None, words)
    assert repr(words) in refused.value.message
    assert "2026-11-01" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("since", "until"), [("today", "yesterday"), ("2026-11-02", "2026-11-01"), ("7d", "7d"), ("2026-12", "2026-11")]
)
def test_nothing_between_is_refused(since: str, until: str):
    with pytest.raises(UsageError, match="not before"):
        between(since, until)


def test_an_hour_that_comes_twice_can_be_asked_for():
    first, second = "2026-11-01T01:30-04:00", "2026-11-01T01:30-05:00"
    assert between(first, second) == ("2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00")
    with pytest.raises(UsageError, match="not before"):
        between(second, first)


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("name", [*ZONES, RULE])
def test_the_zone_of_the_system_is_the_one_it_is_called_after(in_zone: pytest.MonkeyPatch, name: str):
    in_zone.setenv("TZ", name)
    time.tzset()
    named = NEW_YORK if name == RULE else ZoneInfo(name)

    @settings(max_examples=60)
    @given(
        st.datetimes(datetime(2015, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
        st.sampled_from(UNITS),
    )
    def check(moment: datetime, unit: Unit) -> None:
        ours, theirs = moment.astimezone(LocalZone()), moment.astimezone(named)
        assert (ours.isoformat(), ours.fold) == (theirs.isoformat(), theirs.fold)
        assert stretch_at(milliseconds(moment), unit, LocalZone()) == stretch_at(milliseconds(moment), unit, named)

    check()


@pytest.mark.parametrize("name", ["America/New_York", "Australia/Lord_Howe"])
def test_the_zone_of_the_system_knows_both_hours_when_clocks_go_back(in_zone: pytest.MonkeyPatch, name: str):
    in_zone.setenv("TZ", name)
    time.tzset()
    first = datetime(2026, 1, 1, tzinfo=UTC)
    for half in range(365 * 48):
        moment = first + timedelta(minutes=30 * half)
        assert moment.astimezone(LocalZone()).astimezone(UTC) == moment


@pytest.mark.parametrize("words", ["1971-01-01", "9989-12-31"])
def test_the_first_and_the_last_year_can_be_asked_for(words: str) -> None:
    assert between(words, None)[0] == f"{words}T00:00:00-05:00"


@pytest.mark.parametrize("words", ["1970-12-31", "9991-01-01"])
def test_years_before_and_after_them_are_no_dates(words: str) -> None:
    with pytest.raises(UsageError, match="is no date"):
        between(words, None)
