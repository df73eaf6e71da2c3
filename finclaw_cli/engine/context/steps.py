"""The strategies of making a conversation smaller, and the steps that each of them takes, in order."""

from __future__ import annotations

from typing import Literal, assert_never

Strategy = Literal["truncate-tools", "truncate-oldest", "summarize", "hybrid"]
Step = Literal["truncate-tools", "truncate-oldest", "summarize", "summarize-chunks"]
LITTLE_EXCESS = 0.2


def steps_of(strategy: Strategy, before: int, target: int) -> tuple[Step, ...]:
    """What is tried, in order; dropping the oldest needs no model and always works, so it is the last."""
    match strategy:
        case "truncate-tools":
            return "truncate-tools", "truncate-oldest"
        case "truncate-oldest":
            return ("truncate-oldest",)
        case "summarize":
            return "summarize", "truncate-tools", "truncate-oldest"
        case "hybrid" if before - target < LITTLE_EXCESS * before:
            return "truncate-tools", "summarize", "truncate-oldest"
        case "hybrid":
            return "summarize", "truncate-tools", "truncate-oldest"
        case _:
            assert_never(strategy)
