"""When exchanges trade: by their usual hours, and by a calendar where there is one."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from finclaw_cli.catalog import sessions as calendars
from finclaw_cli.catalog.exchanges import EXCHANGES, Exchange, MarketState, exchange, market_state
from finclaw_cli.catalog.sessions import sessions

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def place(code: str) -> Exchange:
    found = exchange(code)
    assert found is not None
    return found


def state(code: str, moment: str, zone: str = "UTC") -> MarketState:
    found = market_state(place(code), datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)), None)
    assert found is not None
    return found


def until(found: MarketState) -> str:
    assert found.until is not None
    return found.until.isoformat()


class TestUsualHours:
    def test_an_exchange_is_open_within_them(self):
        found = state("XNYS", "2026-11-20T09:30", "America/New_York")
        assert (found.is_open, until(found), found.known_by) == (True, "2026-11-20T16:00:00-05:00", "hours")

    def test_it_is_closed_at_the_very_end(self):
        assert not state("XNYS", "2026-11-20T16:00", "America/New_York").is_open

    def test_it_opens_later_the_same_day(self):
        assert until(state("XNYS", "2026-11-20T04:00", "America/New_York")) == "2026-11-20T09:30:00-05:00"

    def test_after_friday_comes_monday(self):
        assert until(state("XNYS", "2026-11-20T18:00", "America/New_York")) == "2026-11-23T09:30:00-05:00"

    @pytest.mark.parametrize("day", ["2026-11-21", "2026-11-22"])
    def test_it_is_closed_at_the_weekend(self, day: str):
        found = state("XKRX", f"{day}T11:00", "Asia/Seoul")
        assert (found.is_open, until(found)) == (False, "2026-11-23T09:00:00+09:00")

    def test_at_lunch_it_is_closed_until_the_afternoon(self):
        found = state("XTKS", "2026-11-20T12:00", "Asia/Tokyo")
        assert (found.is_open, until(found)) == (False, "2026-11-20T12:30:00+09:00")

    def test_the_day_is_that_of_the_exchange(self):
        """It is Sunday in New York, and Monday morning in Seoul."""
        assert state("XKRX", "2026-11-22T20:00", "America/New_York").is_open

    def test_clocks_that_change_change_the_hours(self):
        assert state("XNYS", "2026-10-30T13:45").is_open  # summer time: 9:45
        assert not state("XNYS", "2026-11-02T13:45").is_open  # winter time: 8:45

    def test_a_zone_that_this_machine_does_not_know_has_no_state(self):
        nowhere = Exchange("XXXX", "Nowhere", "Nowhere/City", place("XNYS").hours, "XXXX")
        assert market_state(nowhere, NOW, None) is None


def test_an_unknown_code_is_no_exchange():
    assert exchange("ABCD") is None


def test_codes_are_unique_and_hours_in_order():
    assert len({found.code for found in EXCHANGES}) == len(EXCHANGES)
    for found in EXCHANGES:
        clock = [moment for stretch in found.hours for moment in stretch]
        assert clock == sorted(clock)


class TestCalendar:
    """A cache that somebody has written: the library itself is not needed."""

    @pytest.fixture(autouse=True)
    def without_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(calendars, "_installed", lambda: None)

    def kept(self, folder: Path, **changes: Any) -> Path:
        content = {
            "made_by": "exchange-calendars 4.13",
            "first": "2026-11-19T00:00:00Z",
            "last": "2027-02-17T00:00:00Z",
            "stretches": [
                ["2026-11-20T14:30:00Z", "2026-11-20T21:00:00Z"],
                ["2026-11-27T14:30:00Z", "2026-11-27T18:00:00Z"],
            ],
            **changes,
        }
        (folder / "XNYS.json").write_text(json.dumps(content))
        return folder

    def state(self, folder: Path, moment: str) -> MarketState:
        now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        found = market_state(place("XNYS"), now, sessions(place("XNYS"), now, folder))
        assert found is not None
        return found

    def test_a_holiday_is_known(self, tmp_path: Path):
        found = self.state(self.kept(tmp_path), "2026-11-26T15:00")
        assert (found.is_open, until(found)) == (False, "2026-11-27T09:30:00-05:00")
        assert found.known_by == "calendar"

    def test_a_short_day_is_known(self, tmp_path: Path):
        assert until(self.state(self.kept(tmp_path), "2026-11-27T15:00")) == "2026-11-27T13:00:00-05:00"

    def test_without_a_calendar_only_the_hours_are_known(self, tmp_path: Path):
        assert self.state(tmp_path / "none", "2026-11-26T15:00").known_by == "hours"

    @pytest.mark.parametrize("moment", ["2026-11-18T12:00", "2026-11-27T19:00", "2027-03-01T12:00"])
    def test_one_that_has_been_used_up_is_not_believed(self, tmp_path: Path, moment: str):
        assert self.state(self.kept(tmp_path), moment).known_by == "hours"

    @pytest.mark.parametrize(
        "change",
        [
            {"stretches": [["2026-11-20T21:00:00Z", "2026-11-20T14:30:00Z"]]},
            {"stretches": "soon"},
            {"stretches": [["2026-11-20T14:30:00", "2026-11-20T21:00:00"]]},
            {"first": None},
        ],
    )
    def test_a_damaged_one_is_not_believed(self, tmp_path: Path, change: dict[str, Any]):
        assert self.state(self.kept(tmp_path, **change), "2026-11-20T15:00").known_by == "hours"

    def test_one_that_is_no_file_is_not_believed(self, tmp_path: Path):
        (tmp_path / "XNYS.json").mkdir()
        assert self.state(tmp_path, "2026-11-20T15:00").known_by == "hours"


class TestLibrary:
    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """What was asked of a library that knows one session a day, at noon."""
        asked: list[str] = []

        def ask(calendar: str, first: datetime, last: datetime) -> list[tuple[datetime, datetime]]:
            asked.append(calendar)
            noon = first.replace(hour=12)
            return [(noon + timedelta(days=day), noon + timedelta(days=day, hours=1)) for day in range(90)]

        monkeypatch.setattr(calendars, "_installed", lambda: "exchange-calendars 4.13")
        monkeypatch.setattr(calendars, "_stretches", ask)
        return asked

    def test_it_is_asked_once(self, tmp_path: Path, asked: list[str]):
        for moment in (NOW, NOW + timedelta(days=60)):
            assert sessions(place("XNYS"), moment, tmp_path / "cache") is not None
        assert asked == ["XNYS"]

    def test_it_is_asked_again_when_that_is_used_up(self, tmp_path: Path, asked: list[str]):
        for moment in (NOW, NOW + timedelta(days=95)):
            assert sessions(place("XNYS"), moment, tmp_path) is not None
        assert asked == ["XNYS", "XNYS"]

    def test_another_version_is_asked_anew(self, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch):
        sessions(place("XNYS"), NOW, tmp_path)
        monkeypatch.setattr(calendars, "_installed", lambda: "exchange-calendars 5.0")
        sessions(place("XNYS"), NOW, tmp_path)
        assert len(asked) == 2

    def test_a_damaged_file_is_made_anew(self, tmp_path: Path, asked: list[str]):
        (tmp_path / "XNYS.json").write_text("{")
        sessions(place("XNYS"), NOW, tmp_path)
        sessions(place("XNYS"), NOW, tmp_path)
        assert asked == ["XNYS"]

    def test_exchanges_with_the_same_days_share_a_calendar(self, tmp_path: Path, asked: list[str]):
        sessions(place("XKRX"), NOW, tmp_path)
        sessions(place("XKOS"), NOW, tmp_path)
        assert asked == ["XKRX"]

    def test_a_folder_that_cannot_be_written_is_no_failure(self, tmp_path: Path, asked: list[str]):
        (tmp_path / "file").touch()
        assert sessions(place("XNYS"), NOW, tmp_path / "file" / "cache") is not None

    def test_what_it_does_not_know_it_is_not_asked_again_at_once(
        self, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
    ):
        def refuse(*given: object) -> None:
            asked.append("refused")
            raise ValueError("only recorded to the year 2026")

        monkeypatch.setattr(calendars, "_stretches", refuse)
        assert [sessions(place("XSHG"), NOW, tmp_path) for _ in range(2)] == [None, None]
        assert asked == ["refused"]


def test_the_real_calendars_keep_the_hours_of_the_table(tmp_path: Path):
    """Needs the extra `calendars`: the facts of the table are held against it."""
    pytest.importorskip("exchange_calendars", exc_type=ImportError)
    now = datetime.now(UTC)
    for found in EXCHANGES:
        known = sessions(found, now, tmp_path)
        if known is None:  # some calendars end with the year
            continue
        zone = ZoneInfo(found.zone)
        clock = [tuple(moment.astimezone(zone).time() for moment in stretch) for stretch in known]
        usual = {stretch: clock.count(stretch) for stretch in set(clock)}
        assert set(found.hours) == set(sorted(usual, key=lambda stretch: -usual[stretch])[: len(found.hours)]), (
            found.code
        )
