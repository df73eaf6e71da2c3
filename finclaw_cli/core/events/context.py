"""The family of events about the window of a model: how full it is, and what is done so that it does not overflow.

`ratio` is what a request takes (`occupied`) over what the window has for requests: all of it but what is kept free for
the answer. All counts are tokens.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage

WindowState = Literal["safe", "warning", "critical", "exceeded"]


@record(kw_only=True)
class ContextWindowStatus:
    """How full the window is, where that has become another state; at `critical` the conversation is made smaller."""

    turn: int
    model: str
    state: WindowState
    occupied: int
    window: int
    source: str
    """The source of the window's size: `settings`, `genai-prices X.Y.Z`, `assumed`, or `scripted`."""
    ratio: float
    type: Literal["context.window_status"] = "context.window_status"


@record(kw_only=True)
class ContextThreshold:
    """The window has become fuller than 80 % or 95 %, or is no longer; each sent once, until it was made smaller."""

    turn: int
    model: str
    threshold: float
    direction: Literal["up", "down"]
    ratio: float
    type: Literal["context.threshold"] = "context.threshold"


@record(kw_only=True)
class ContextCompact:
    """The conversation was made smaller; the whole of it stays in the transcript.

    `before` and `after` are a request's tokens then and now; `removed` counts messages; `usage` and `cost_usd` are
    those of the summaries, `null` where none was made or none was reported.
    """

    turn: int
    model: str
    strategy: str
    steps: tuple[str, ...]
    """What was done, in order: `truncate-tools`, `summarize`, `summarize-chunks`, `truncate-oldest`."""
    removed: int
    before: int
    after: int
    summary_model: str | None
    """Who was asked for summaries."""
    summaries: int
    """How many times a summary was asked for, whether or not one was had: `steps` say what came of it."""
    usage: Usage | None
    cost_usd: Decimal | None
    duration_ms: int
    type: Literal["context.compact"] = "context.compact"


@record(kw_only=True)
class ContextCompactFallback:
    """A strategy did not do, so that the next cheaper one is taken, or the same one with less; the run goes on."""

    turn: int
    reason: str
    from_strategy: str | None = None
    """The strategy that did not do; `null` in recordings of earlier versions."""
    to_strategy: str | None = None
    """The strategy that is taken in its place; the same one, where it goes on with less than it was to keep."""
    type: Literal["context.compact_fallback"] = "context.compact_fallback"
