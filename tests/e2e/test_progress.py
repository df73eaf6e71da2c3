"""Progress that a tool reports, where a user sees it."""

from __future__ import annotations

import re
import sys

import pytest

from tests.e2e.harness import Finclaw, call
from tests.e2e.terminals import on_terminal

OURS = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")


def test_a_pipe_gets_a_line_on_stderr_without_being_asked(finclaw: Finclaw) -> None:
    model = finclaw.script({"tool_calls": [call("sleepy", seconds=0)]}, {"text": "ok"})
    ran = finclaw("run", "-m", model, "x")
    assert "sleepy: sleeping 50 %" in ran.stderr
    assert ran.text == "ok\n"


def test_quiet_leaves_it_out(finclaw: Finclaw) -> None:
    model = finclaw.script({"tool_calls": [call("sleepy", seconds=0)]}, {"text": "ok"})
    ran = finclaw("run", "-q", "-m", model, "x")
    assert ran.text == "ok\n"
    assert "sleeping" not in ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_shows_it_beside_the_running_tool(finclaw: Finclaw, columns: int) -> None:
    model = finclaw.script({"tool_calls": [call("sleepy", seconds=0.5)]}, {"text": "ok"})
    _, seen = on_terminal(finclaw, "run", "-m", model, "x", columns=columns, TERM="xterm-256color")
    assert re.search(rb"sleepy \(\d\.\d s\) sleeping 50 %", OURS.sub(b"", seen))


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
@pytest.mark.parametrize("columns", [40, 80])
def test_a_call_by_hand_shows_a_bar_and_takes_it_away(finclaw: Finclaw, columns: int) -> None:
    code, seen = on_terminal(finclaw, "tools", "call", "sleepy", "seconds=1", columns=columns, TERM="xterm-256color")
    text = OURS.sub(b"", seen)
    assert code == 0
    assert b"50 %" in text
    assert b"sleeping" in text
    assert text.splitlines()[-1].strip() == b"slept 1.0"
