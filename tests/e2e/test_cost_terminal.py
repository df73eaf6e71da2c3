"""`finclaw cost` on terminals of any width, and its chart."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import timedelta

import pytest

from finclaw_cli.output.cells import width
from tests.e2e import terminals
from tests.e2e.costing import AT, ONE, OTHER, home, spent
from tests.e2e.harness import Finclaw

__all__ = ["home"]


def on_terminal(own: Finclaw, columns: int, *options: str, **env: str) -> str:
    """What a terminal of that width is shown, which has to be all text."""
    _, seen = terminals.on_terminal(own, "cost", *options, columns=columns, **env)
    assert b"\x1b" not in seen
    return seen.decode()


class TestChart:
    def test_in_a_pipe_there_is_one_if_it_is_asked_for(self, home: Finclaw):
        assert "█" not in home("cost").text
        lines = home("cost", "--chart", env={"TZ": "UTC", "COLUMNS": "60"}).text.splitlines()
        assert lines[-4:-2] == ["USD by day", "2026-11-02  ▍ 0.010935"]
        assert lines[-2] == "2026-11-03  0"
        assert lines[-1].startswith("2026-11-04  ████████")
        assert 50 < len(lines[-1]) <= 59

    def test_a_stdout_without_block_characters_gets_plain_bars(self, home: Finclaw):
        ran = home.cold("cost", "--chart", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"})
        assert "  ########" in ran.text
        assert "?" not in ran.text

    def test_a_name_that_stdout_cannot_write_keeps_its_columns_in_line(self, own: Finclaw):
        spent(own, replace(ONE, model="한국어-모델"))
        ran = own.cold("cost", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"})
        assert len({line.index("1,000") for line in ran.text.splitlines()[1:3]}) == 1

    def test_by_month_it_is_over_months(self, own: Finclaw):
        spent(own, ONE, replace(OTHER, at=AT + timedelta(days=70)))
        lines = own("cost", "--by", "month", "--chart").text.splitlines()
        assert [line.split()[0] for line in lines[-4:]] == ["USD", "2026-11", "2026-12", "2027-01"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
class TestTerminal:
    @pytest.mark.parametrize("columns", [30, 40, 60, 90, 200])
    def test_no_line_is_wider_than_the_terminal(self, home: Finclaw, columns: int):
        spent(home, replace(OTHER, turn=7, model="한국어-모델-" * 9))
        lines = on_terminal(home, columns).splitlines()
        table = lines[: lines.index("")]
        assert max(map(width, lines)) < columns
        assert table[0].endswith("COST (USD)")
        assert table[0].startswith("MODEL")
        assert table[-1].endswith("2.010935")
        assert any("…" in line for line in table) == (columns < 200)

    def test_what_is_left_out_is_named(self, home: Finclaw):
        shown = on_terminal(home, 60)
        assert "CACHE READ" not in shown
        assert "Not shown for want of room: cache read, cache write." in shown

    def test_a_chart_is_below_the_table_unless_it_is_refused(self, home: Finclaw):
        assert "USD by day" in on_terminal(home, 80)
        assert "USD by day" not in on_terminal(home, 80, "--no-chart")
        assert "USD by day" not in on_terminal(home, 80, "--json")

    def test_what_a_model_calls_itself_cannot_control_a_terminal(self, own: Finclaw):
        spent(own, replace(ONE, model="a\x1b]0;x\x07\x1b[2Jb\nc", cost_usd=None))
        assert "\x1b" not in on_terminal(own, 80)
        assert own("cost").text.splitlines()[1].startswith("ab c")
