"""The lines about calls of tools that a terminal shows."""

from __future__ import annotations

import pytest

from finclaw_cli.events import AgentToolCall
from finclaw_cli.output.notices import MAX_INPUT_CHARS, CallLines


def line(text: str, status: str = "completed", result: str | None = None) -> str | None:
    lines = CallLines()
    call = {"turn": 1, "call_id": "c", "name": "look"}
    assert lines.line(AgentToolCall(**call, status="requested", input={"x": text})) is None
    return lines.line(AgentToolCall(**call, status=status, result=result, duration_ms=7))


@pytest.mark.parametrize(("more", "end"), [(0, '"'), (1, "…")])
def test_arguments_are_shown_up_to_their_longest_length(more: int, end: str):
    text = "a" * (MAX_INPUT_CHARS - len('x=""') + more)
    shown = f'x="{text}"'[: MAX_INPUT_CHARS - 1 + more] + end
    assert line(text) == f"✓ look({shown}) completed, 7 ms"


def test_a_call_that_failed_shows_the_first_line_of_its_result():
    assert line("a", "failed", "no such file\nmore") == '✗ look(x="a") failed, 7 ms: no such file'
