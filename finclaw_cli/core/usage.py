"""Tokens, and why a model stopped.

Counts are **disjoint**: `input` never holds cached tokens, whichever provider reported them, so that a cost is a plain
sum of products and `total` a plain sum. `reasoning` is a part of `output`, `cache_write_1h` a part of `cache_write`.
"""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.record import record

# No request has as many tokens: a larger value is not used.
MOST_TOKENS = 10**10

StopReason = Literal[
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "refusal",
    "pause",
    "content_filter",
    "context_exceeded",
    "unknown",
]

Tier = Literal["standard", "batch", "flex"]
"""How soon a provider answers a request, which decides its price: at once, within a batch's time, or when it can."""


@record(kw_only=True)
class Usage:
    """Token counts of one request or of several, disjoint."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cache_write_1h: int = 0

    @property
    def total(self) -> int:
        """All tokens: what is read and what is written."""
        return self.input + self.output + self.cache_read + self.cache_write

    def to_json(self) -> dict[str, int]:
        """The counts, and their total."""
        return {name: getattr(self, name) for name in _COUNTS} | {"total": self.total}

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            reasoning=self.reasoning + other.reasoning,
            cache_write_1h=self.cache_write_1h + other.cache_write_1h,
        )


_COUNTS = ("input", "output", "cache_read", "cache_write", "reasoning", "cache_write_1h")


def added(one: Usage | None, other: Usage | None) -> Usage | None:
    """The sum of what is known; None where nothing is."""
    if one is None or other is None:
        return one or other
    return one + other
