"""How progress is measured and written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from finclaw_cli.core.events.internal import ToolProgress
from finclaw_cli.output.call_progress import ProgressLines
from finclaw_cli.output.pace import Pace, duration
from finclaw_cli.output.progress import shown_progress
from tests.e2e.harness import wait_until

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_the_figures_are_the_share_the_time_left_and_the_rate() -> None:
    pace = Pace("rows")
    pace.step(0, 0, 4_000)
    pace.step(10, 1_000, 4_000)
    assert pace.figures(10) == "25 %, 30 s left, 100 rows/s"


def test_without_a_total_the_count_and_the_rate_are_given() -> None:
    pace = Pace("rows")
    pace.step(0, 0, None)
    pace.step(2, 5_000, None)
    assert pace.figures(2) == "5,000 rows, 2,500 rows/s"


def test_a_count_that_begins_anew_has_a_rate_of_its_own() -> None:
    pace = Pace("rows")
    for now, done in ((0, 0), (10, 4_000), (10, 0), (11, 1_000)):
        pace.step(now, done, 4_000)
    assert pace.figures(11) == "25 %, 3 s left, 1,000 rows/s"


def test_work_of_unknown_extent_has_no_figures() -> None:
    pace = Pace()
    pace.step(0, None, None)
    assert pace.figures(60) == ""


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (0.2, "1 s"), (59, "59 s"), (125, "2 min 5 s"), (4_800, "1 h 20 min")]
)
def test_a_time_span_is_given_in_its_two_largest_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_tools_reports_are_a_line_at_first_and_then_every_few_seconds() -> None:
    lines = ProgressLines(5.0)
    reports = [ToolProgress(turn=1, call_id="c", name="scan", message="files", fraction=at / 20) for at in range(12)]
    said = [lines.line(report, NOW + timedelta(seconds=at)) for at, report in enumerate(reports)]
    assert [line for line in said if line] == [
        "  scan: files 0 %",
        "  scan: files 25 %, 15 s left",
        "  scan: files 50 %, 10 s left",
    ]


def test_two_calls_have_lines_of_their_own() -> None:
    lines = ProgressLines(5.0)
    first, second = (ToolProgress(turn=1, call_id=call, name="scan", message="files") for call in "ab")
    assert [lines.line(event, NOW) for event in (first, second)] == ["  scan: files"] * 2


def test_in_a_pipe_the_newest_step_is_written_as_a_clean_line(capsys: pytest.CaptureFixture[str]) -> None:
    written = ""

    def has_written() -> bool:
        nonlocal written
        written += capsys.readouterr().err
        return "50 %" in written

    with shown_progress("rows", plain=True, line_every_s=0.01) as step:
        step("read\x1b]0;title\x07ing", 1, 2)
        wait_until(has_written)
    assert written.startswith("reading: 50 %")


def test_work_that_ends_at_once_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress("rows", plain=True) as step:
        step("reading", 1, 2)
    assert capsys.readouterr().err == ""
