"""The progress of long work on stderr: a bar on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.secrets import PROCESS
from finclaw_cli.output.descriptors import is_terminal
from finclaw_cli.output.foreign_output import stderr_fd
from finclaw_cli.output.notice import notice
from finclaw_cli.output.pace import Pace, Report

LINE_EVERY_S = 5.0
DRAW_EVERY_S = 0.125
# Rates are measured more often than lines are written.
SAMPLE_EVERY_S = 0.25


class Step(Protocol):
    """Reports the current step, and how much of it is done."""

    def __call__(self, message: str, done: float | None = None, total: float | None = None) -> None: ...


class Shower(Protocol):
    """Displays reports until it is closed."""

    def show(self, report: Report) -> None: ...

    def close(self) -> None: ...


class Lines:
    """Shows each report as a line."""

    def __init__(self, write: Callable[[str], None] = notice) -> None:
        self._write = write

    def show(self, report: Report) -> None:
        self._write(report.line())

    def close(self) -> None:
        """Leave the lines as they are."""


class _Reporter:
    """Stores the latest report and shows it from a thread, so that reporting a step is cheap."""

    def __init__(self, unit: str, shower: Callable[[], Shower], every_s: float) -> None:
        self._pace = Pace(unit)
        self._shower = shower
        self._every_s = every_s
        self._newest: tuple[str, float | None, float | None] | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def step(self, message: str, done: float | None = None, total: float | None = None) -> None:
        self._newest = message, done, total
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="finclaw-progress", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        shower: Shower | None = None
        with suppress(OSError, ValueError):  # errors of stderr are ignored
            shown_at = time.monotonic()
            self._sample()
            while not self._ended.wait(min(self._every_s, SAMPLE_EVERY_S)):
                report = self._sample()
                if time.monotonic() - shown_at >= self._every_s:
                    shower = shower or self._shower()
                    shower.show(report)
                    shown_at = time.monotonic()
        if shower is not None:
            with suppress(OSError, ValueError):
                shower.close()

    def _sample(self) -> Report:
        message, done, total = self._newest or ("", None, None)
        now = time.monotonic()
        self._pace.step(now, done, total)
        return Report(clean_line(PROCESS.mask(message)), done, total, self._pace.figures(now))


@contextmanager
def shown_progress(
    unit: str = "", *, plain: bool = False, line_every_s: float = LINE_EVERY_S, draw_every_s: float = DRAW_EVERY_S
) -> Iterator[Step]:
    """Show the reported steps of the block on stderr; `unit` is the unit of their counts.

    Nothing is shown for work that ends within the first interval.
    """
    draws = can_draw(stderr_fd()) and not plain
    reporter = _Reporter(unit, _bar if draws else Lines, draw_every_s if draws else line_every_s)
    try:
        yield reporter.step
    finally:
        reporter.close()


def can_draw(fd: int) -> bool:
    """Whether a descriptor is a terminal on which a line can be redrawn."""
    return is_terminal(fd) and os.environ.get("TERM", "dumb") not in {"", "dumb"}


def _bar() -> Shower:
    from finclaw_cli.output.progress_bar import ProgressBar

    return ProgressBar()
