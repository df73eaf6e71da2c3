"""The progress of running tools as lines for stderr."""

from __future__ import annotations

from datetime import datetime

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.events.internal import ToolProgress
from finclaw_cli.output.pace import Pace


def progress_words(event: ToolProgress, pace: Pace, now: float) -> str:
    """A report in one line: its message, the completed share, and the estimated time left if known."""
    pace.step(now, event.fraction, 1.0 if event.fraction is not None else None)
    return clean_line(" ".join(part for part in (event.message, pace.figures(now)) if part))


class ProgressLines:
    """Turns reports into lines: the first of each call, then at most one in `every_s` seconds."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._paces: dict[str, tuple[Pace, float]] = {}

    def line(self, event: ToolProgress, at: datetime) -> str | None:
        """The line for a report at that time; None where the last one is too recent."""
        now = at.timestamp()
        pace, written_at = self._paces.get(event.call_id, (Pace(), now - self._every_s))
        words = progress_words(event, pace, now)
        is_due = now - written_at >= self._every_s
        self._paces[event.call_id] = pace, now if is_due else written_at
        return f"  {clean_line(event.name)}: {words}" if is_due else None

    def forget(self, call_id: str) -> None:
        """Drop the state of a call that has ended."""
        self._paces.pop(call_id, None)
