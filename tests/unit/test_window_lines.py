"""Messages about the context window, for a reader of stderr."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import pytest

from finclaw_cli.core.events.context import ContextCompact, ContextCompactFallback, ContextThreshold
from finclaw_cli.output.notices import window_line


@pytest.mark.parametrize(
    ("steps", "by"),
    [
        (("truncate-tools",), "truncate-tools"),
        (("truncate-tools", "summarize"), "truncate-tools, summarize, summed up by small"),
    ],
)
def test_a_smaller_conversation_is_reported_with_its_sizes_and_the_model_of_its_summary(
    steps: tuple[str, ...], by: str
) -> None:
    event = ContextCompact(
        turn=1,
        model="large",
        strategy="auto",
        steps=steps,
        removed=2,
        before=20_000,
        after=5_000,
        summary_model="small",
        summaries=1,
        usage=None,
        cost_usd=Decimal(1),
        duration_ms=3,
    )
    whole = "the whole conversation stays in the transcript"
    assert window_line(event) == f"… made room: 20,000 tokens became 5,000 ({by}); {whole}"


@pytest.mark.parametrize(("direction", "line"), [("up", "… the window of large is 81% full"), ("down", "")])
def test_a_window_that_fills_is_reported_and_one_that_empties_is_not(
    direction: Literal["up", "down"], line: str
) -> None:
    event = ContextThreshold(turn=1, model="large", threshold=0.8, direction=direction, ratio=0.81)
    assert window_line(event) == line


def test_the_reason_for_a_cheaper_way_is_reported() -> None:
    assert window_line(ContextCompactFallback(turn=1, reason="no summary")) == "… no summary"
