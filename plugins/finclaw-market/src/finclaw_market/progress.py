"""What an import reports of itself while it works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from finclaw_market.textfile import Row

_EVERY = 1_000


class Progress(Protocol):
    """Takes reports: what is being done, and how many rows of how many are done."""

    def __call__(self, message: str, done: float | None = None, total: float | None = None) -> None: ...


def no_progress(message: str, done: float | None = None, total: float | None = None) -> None:
    """Show nothing."""


def counted(rows: Iterator[Row], message: str, progress: Progress, total: int | None = None) -> Iterator[Row]:
    """The same rows, reported every thousand."""
    progress(message, 0, total)
    for count, row in enumerate(rows, 1):
        if count % _EVERY == 0:
            progress(message, count, total)
        yield row
