"""How full a window is, and when that is worth telling."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from finclaw_cli.core.events.context import WindowState
from finclaw_cli.core.record import record

RESERVED_TOKENS = 4_096
"""What of a window is kept free for the answer."""
THRESHOLDS = (0.80, 0.95)
_STATES: tuple[tuple[float, WindowState], ...] = ((1.0, "exceeded"), (0.85, "critical"), (0.70, "warning"))

Crossing = tuple[float, Literal["up", "down"]]


_SAID = r"(?:maximum context length is|context limit of|context length of|>) *([0-9][0-9,]{3,10})"


def said_window(message: str) -> int | None:
    """The window that a provider names when it refuses a request as too large; None where it names none.

    As in "prompt is too long: 210000 tokens > 200000 maximum" (Anthropic) and "This model's maximum context length is
    8192 tokens" (OpenAI, and servers that speak as it does).
    """
    found = re.search(_SAID, message)
    return int(found[1].replace(",", "")) if found else None


_ANSWER = r"max_tokens|max_completion_tokens|max_output_tokens|in the completion"


def blames_the_answer(message: str) -> bool:
    """Whether a refusal is of what the answer was allowed to have, and not of the request alone.

    As in "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000" (Anthropic) and "(5000 in the
    messages, 4000 in the completion)" (OpenAI).
    """
    return re.search(_ANSWER, message) is not None


@record
class Fill:
    """A request in a window; tokens."""

    occupied: int
    window: int

    @property
    def usable(self) -> int:
        """What the window has for requests."""
        return max(self.window - RESERVED_TOKENS, self.window // 2)

    @property
    def ratio(self) -> float:
        return self.occupied / self.usable

    @property
    def state(self) -> WindowState:
        return next((state for least, state in _STATES if self.ratio >= least), "safe")

    @property
    def needs_room(self) -> bool:
        """Whether the conversation has to become smaller before the next request."""
        return self.state in {"critical", "exceeded"}


@dataclass(slots=True)
class Thresholds:
    """Which thresholds have been passed.

    Counts are estimates until they are reported, so that a ratio may fall a little by itself: only what was made
    smaller goes back.
    """

    passed: set[float] = field(default_factory=set)

    def risen(self, ratio: float) -> list[Crossing]:
        """Those that are passed now and were not before."""
        found = [each for each in THRESHOLDS if ratio >= each and each not in self.passed]
        self.passed.update(found)
        return [(each, "up") for each in found]

    def made_smaller(self, ratio: float) -> list[Crossing]:
        """Those that are no longer passed; they can be passed again."""
        found = [each for each in reversed(THRESHOLDS) if ratio < each and each in self.passed]
        self.passed.difference_update(found)
        return [(each, "down") for each in found]
