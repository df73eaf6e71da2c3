"""Text from outside as it may appear in what we say: one line, bounded, nothing that could pass for our own words."""

from __future__ import annotations

from pathlib import Path

_MAX_ECHOED = 60


def one_line(text: str) -> str:
    """The text with a space for every line break, control character and other thing that does not print."""
    return text if text.isprintable() else "".join(mark if mark.isprintable() else " " for mark in text)


def bounded(text: str, limit: int) -> str:
    """The text on one line, cut after `limit` characters."""
    return one_line(text) if len(text) <= limit else one_line(text[:limit]) + "…"


def echoed(text: str) -> str:
    """Input as quoted in an error, shortened."""
    return f"'{bounded(text, _MAX_ECHOED - 3)}'"


def file_name(path: Path) -> str:
    """The name of a file on one line; all of the path where it has none, as `.` has."""
    return one_line(path.name or str(path))
