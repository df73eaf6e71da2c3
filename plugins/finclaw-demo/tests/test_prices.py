from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from finclaw_demo.companies import FIRST, INSTRUMENTS, LAST, Instrument
from finclaw_demo.dataset import DATA, dataset
from finclaw_demo.generate import main, price_files
from finclaw_demo.walk import Day, walk, weekdays
from finclaw_market.datasets import Dataset

ACME, GLOBEX, HANBIT, INDEX = INSTRUMENTS


def on(instrument: Instrument, day: date) -> Day:
    return next(found for found in walk(instrument) if found.day == day)


def test_the_committed_files_are_what_the_generator_makes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0
    assert capsys.readouterr().err == ""
    assert {path.name for path in DATA.iterdir()} == set(price_files())


def test_a_file_that_was_changed_or_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "data"
    assert main([], folder) == 0
    assert main(["--check"], folder) == 0
    (folder / "acme.csv").write_text("Date,Close\n")
    (folder / "synx.csv").unlink()
    assert main(["--check"], folder) == 1
    assert capsys.readouterr().err == "not what the generator makes: acme.csv, synx.csv\n"


@pytest.mark.parametrize("instrument", INSTRUMENTS, ids=lambda item: item.file)
def test_every_session_is_one_that_could_be(instrument: Instrument) -> None:
    days = walk(instrument)
    assert [day.day for day in days] == [day for day in weekdays(FIRST, LAST) if day not in instrument.missing]
    for day in days:
        assert 0 < day.low <= min(day.open, day.close) <= max(day.open, day.close) <= day.high
        assert day.close % instrument.tick == 0
        assert (day.volume == 0) is (day.day in instrument.halted)


@pytest.mark.parametrize("instrument", INSTRUMENTS, ids=lambda item: item.file)
def test_adjusted_closes_move_as_an_owner_s_wealth_does(instrument: Instrument) -> None:
    for before, day in pairwise(walk(instrument)):
        value = (day.close * day.split / before.close) / (1 - day.dividend / before.close)
        assert day.adjusted / before.adjusted == pytest.approx(value, rel=Decimal("1e-7"))


def test_the_events_are_in_the_data() -> None:
    assert [day.day for day in walk(ACME) if day.dividend] == list(ACME.dividends)
    assert date(2026, 3, 18) not in {day.day for day in walk(ACME)}
    split = on(GLOBEX, date(2025, 9, 15))
    assert (split.split, on(GLOBEX, date(2025, 9, 12)).close / split.open) == (2, pytest.approx(2, rel=Decimal("0.05")))
    assert len({day.close for day in walk(HANBIT) if day.volume == 0}) == 1
    assert {day.volume for day in walk(INDEX)} == {None}


def test_every_file_is_declared_as_what_it_is() -> None:
    declared = dataset()
    assert isinstance(declared, Dataset)
    assert (declared.kind, declared.licence) == ("synthetic", "Apache-2.0")
    assert all(file.path.is_file() and "synthetic" in str(file.name) for file in declared.files)
