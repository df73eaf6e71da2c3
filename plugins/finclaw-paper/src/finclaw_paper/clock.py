"""What time it is, and what day the books are at. Everything is UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime

from finclaw_cli.sdk import ToolContext


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A moment as the books keep it: text that sorts by time."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def day_of(ctx: ToolContext) -> date:
    """The day a call is made on: the run's `as_of`, but never a day that has not come."""
    today = now().date()
    return min(ctx.as_of, today) if ctx.as_of else today


def ago(moment: datetime, later: datetime) -> str:
    """How long ago something was: `12 s ago`."""
    seconds = max(0, int((later - moment).total_seconds()))
    minute, hour = 60, 3600
    if seconds < 2 * minute:
        return f"{seconds} s ago"
    return f"{seconds // minute} min ago" if seconds < 2 * hour else f"{seconds // hour} h ago"
