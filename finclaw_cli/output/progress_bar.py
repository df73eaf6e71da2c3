"""A progress bar of rich on stderr, removed when the work ends."""

from __future__ import annotations

import sys
from typing import TextIO, cast

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Column

from finclaw_cli.output.clean_stream import CleanStream
from finclaw_cli.output.pace import Report

# A narrower terminal has room for the figures alone.
BAR_FROM_COLUMNS = 70


class _Console(Console):
    """A console that never hides the cursor, which would stay hidden where a signal ends the process."""

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002, FBT001, FBT002 - rich's own signature
        return False


class ProgressBar:
    """A spinner, the current step, a bar, and the figures; on a narrow terminal figures and step, without a bar."""

    def __init__(self) -> None:
        # Reports are clean already; a cleaning stream would remove the bar's own control sequences.
        console = _Console(file=sys.__stderr__, highlight=False, markup=False, emoji=False)
        one_line = Column(no_wrap=True, overflow="ellipsis")
        words = TextColumn("{task.description}", markup=False, table_column=one_line)
        figures = TextColumn("{task.fields[figures]}", markup=False, style="dim", table_column=Column(no_wrap=True))
        both = TextColumn("{task.fields[figures]} {task.description}", markup=False, table_column=one_line)
        is_wide = console.width >= BAR_FROM_COLUMNS
        self._progress = Progress(
            SpinnerColumn(),
            *((words, BarColumn(bar_width=20), figures) if is_wide else (both,)),
            console=console,
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,  # what is printed there stays on it
        )
        self._task = self._progress.add_task("", total=None, figures="")
        self._progress.start()
        sys.stderr = cast("TextIO", CleanStream(sys.stderr, always=True))  # what is printed above the bar

    def show(self, report: Report) -> None:
        """Draw a report in place of the previous one."""
        self._progress.update(
            self._task,
            description=report.message,
            completed=report.done or 0,
            total=report.total,
            figures=report.figures,
            refresh=True,
        )

    def close(self) -> None:
        """Remove the bar from the terminal."""
        self._progress.stop()
