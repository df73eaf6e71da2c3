r"""Ctrl-\ on a terminal: it cancels one call, and the run goes on."""

from __future__ import annotations

import signal
import sys

import pytest

from tests.e2e.asking import on_controlling_terminal
from tests.e2e.harness import Finclaw, call
from tests.faults.test_pipes_and_signals import read_until

KEY = b"\x1c"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")


def calls(own: Finclaw, session: str = "talk") -> dict[str, str]:
    """How each call of the session ended, by its id."""
    ran = own("replay", session, "-o", "ndjson")
    ends = [line for line in ran.of("agent.tool_call") if line["result"] is not None]
    return {line["call_id"]: line["status"] for line in ends}


@pytest.mark.parametrize("look", [(), ("--plain",)], ids=["live", "plain"])
def test_the_key_cancels_the_call_and_the_run_goes_on(own: Finclaw, look: tuple[str, ...]) -> None:
    model = own.script({"tool_calls": [call("too_slow") | {"id": "slow"}]}, {"text": "Went on: {{slow}}"})
    options = ("run", *look, "--session", "talk", "-m", model, "x")
    with on_controlling_terminal(own, *options, to_terminal=True, COLUMNS="100") as terminal:
        terminal.until(b"too_slow")
        terminal.until(b"(0." if not look else b"too_slow")
        while not (own.home / "sessions" / "talk.jsonl").read_bytes().count(b"tool.execute_start"):
            terminal.process.poll()
        terminal.type(KEY)
        assert terminal.end() == 0
    assert calls(own) == {"slow": "cancelled"}
    assert b"Went on: cancelled" in terminal.seen
    assert own("replay", "--verify", "talk").code == 0


def test_the_key_ends_one_call_after_the_other(own: Finclaw) -> None:
    model = own.script({"tool_calls": [call("too_slow") | {"id": name} for name in ("a", "b")]}, {"text": "ok"})
    with on_controlling_terminal(own, "run", "--session", "talk", "-m", model, "x", to_terminal=True) as terminal:
        terminal.until(b"too_slow (")
        while (own.home / "sessions" / "talk.jsonl").read_bytes().count(b"tool.execute_start") < 2:
            terminal.process.poll()
        terminal.type(KEY)
        terminal.then(b"cancelled")
        terminal.type(KEY)
        assert terminal.end() == 0
    assert calls(own) == {"a": "cancelled", "b": "cancelled"}


def test_the_key_does_nothing_where_no_call_is_under_way(own: Finclaw) -> None:
    model = own.script({"text": "One two three four.", "delay_s": 0.3, "delta_chars": 4})
    with on_controlling_terminal(own, "run", "--plain", "-m", model, "x", to_terminal=True) as terminal:
        terminal.until(b"One")
        terminal.type(KEY)
        assert terminal.end() == 0
    assert b"One two three four." in terminal.seen.replace(b"^\\", b"")  # the terminal echoes the key


def test_without_a_terminal_the_signal_is_what_it_always_was(own: Finclaw) -> None:
    model = own.script({"text": "One two three four.", "delay_s": 0.5, "delta_chars": 4})
    process = own.start("run", "-o", "ndjson", "-m", model, "x")
    read_until(process, b"agent.delta")
    process.send_signal(signal.SIGQUIT)
    assert process.wait() == -signal.SIGQUIT
