"""`finclaw sessions prune`: by age, by size, and nothing without a confirmation."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from finclaw_cli.transcript.lock import session_lock
from tests.e2e.harness import Finclaw

pytestmark = pytest.mark.by_agent

DAY_S = 86_400


@pytest.fixture
def aged(own: Finclaw) -> Finclaw:
    """The command with sessions that were written 1, 10 and 100 days ago."""
    for days in (1, 10, 100):
        own("run", "-o", "ndjson", "-m", own.script({"text": "Done."}), "--session", f"days{days}", "x")
        moment = time.time() - days * DAY_S
        os.utime(file_of(own, f"days{days}"), (moment, moment))
    return own


def file_of(own: Finclaw, name: str) -> Path:
    return own.home / "sessions" / f"{name}.jsonl"


def left(own: Finclaw) -> list[str]:
    return sorted(path.stem for path in (own.home / "sessions").glob("*.jsonl"))


def test_what_was_last_written_before_a_time_is_removed(aged: Finclaw) -> None:
    ran = aged("sessions", "prune", "--before", "30d", "--yes", "--json")
    assert (ran.code, [one["session"] for one in json.loads(ran.stdout)["removed"]]) == (0, ["days100"])
    assert left(aged) == ["days1", "days10"]


def test_the_oldest_are_removed_until_the_others_fit(aged: Finclaw) -> None:
    size = file_of(aged, "days1").stat().st_size
    assert aged("sessions", "prune", "--keep", str(size), "--yes").code == 0
    assert left(aged) == ["days1"]


def test_a_size_may_have_decimals(aged: Finclaw) -> None:
    size = file_of(aged, "days1").stat().st_size
    assert aged("sessions", "prune", "--keep", f"{size * 2.5 / 1000:.3f}kB", "--yes").code == 0
    assert left(aged) == ["days1", "days10"]


def test_a_dry_run_shows_them_and_removes_nothing(aged: Finclaw) -> None:
    ran = aged("sessions", "prune", "--before", "5d", "--dry-run")
    assert (ran.code, [line.split()[0] for line in ran.text.splitlines()[1:3]]) == (0, ["days100", "days10"])
    assert "2 sessions would be removed" in ran.text
    facts = json.loads(aged("sessions", "prune", "--before", "5d", "--dry-run", "--json").stdout)["would_remove"]
    assert [one["session"] for one in facts] == ["days100", "days10"]
    assert facts[0]["bytes"] == file_of(aged, "days100").stat().st_size
    assert left(aged) == ["days1", "days10", "days100"]


def test_without_a_confirmation_nothing_is_removed(aged: Finclaw) -> None:
    ran = aged("sessions", "prune", "--before", "5d")
    assert (ran.code, "--yes" in ran.stderr) == (2, True)
    assert left(aged) == ["days1", "days10", "days100"]


def test_a_session_in_use_stays_and_is_named(aged: Finclaw) -> None:
    with session_lock(file_of(aged, "days100"), timeout_s=0):
        ran = aged("sessions", "prune", "--before", "5d", "--yes")
    assert (ran.code, ran.stderr) == (0, "finclaw: days100 is in use, and stays\n")
    assert left(aged) == ["days1", "days100"]


def test_nothing_to_remove_is_no_error(aged: Finclaw) -> None:
    ran = aged("sessions", "prune", "--keep", "1GB")
    assert (ran.code, ran.text) == (0, "No session was removed.\n")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "--before"),
        (["--keep", "much"], "'much'"),
        (["--before", "once"], "once"),
        (["--before", "-1d"], "--before: '-1d'"),
        (["--keep", "-1"], "-1"),
    ],
)
def test_options_that_choose_nothing_are_refused(aged: Finclaw, arguments: list[str], named: str) -> None:
    ran = aged("sessions", "prune", *arguments, "--yes")
    assert (ran.code, named in ran.stderr) == (2, True)
    assert left(aged) == ["days1", "days10", "days100"]


def test_damaged_labels_are_reported_before_anything_is_removed(aged: Finclaw) -> None:
    (aged.home / "sessions" / "labels.json").write_text("[")
    ran = aged("sessions", "prune", "--before", "30d", "--yes")
    assert (ran.code, "labels.json cannot be read" in ran.stderr) == (2, True)
    assert left(aged) == ["days1", "days10", "days100"]
