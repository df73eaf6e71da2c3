"""The sinks of a run's output, by the settings and the kind of stdout."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

from finclaw_cli.cli.terminal.signals import cancellation_by
from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean
from finclaw_cli.core.ports import EventSink
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import Cancellation, CancelScope
from finclaw_cli.output.foreign_output import stderr_fd
from finclaw_cli.output.ndjson import JsonSink, NdjsonSink, Selection
from finclaw_cli.output.notice import notice
from finclaw_cli.output.notices import Verbosity
from finclaw_cli.output.stream import OutputStream
from finclaw_cli.output.text import FinalTextSink, StreamingTextSink
from finclaw_cli.settings.model import Settings


@record(kw_only=True)
class Outputs:
    """The destination and the amount of a run's output."""

    fd: int
    """A duplicate of the descriptor of stdout."""
    quiet: bool
    verbose: bool
    last_message: Path | None = None

    @property
    def on_terminal(self) -> bool:
        return os.isatty(self.fd)


def failed_output(error: OSError) -> Cancellation:
    """The reason for ending a run whose stdout cannot be written."""
    if error.errno == errno.EIO:  # a terminal that hung up, sometimes before the signal comes
        return cancellation_by(signal.SIGHUP)
    if error.errno == errno.EPIPE or isinstance(error, BrokenPipeError):
        return Cancellation(
            status="aborted",
            exit_code=exits.PIPE_CLOSED,
            code="stdout_closed",
            message="the reader of stdout went away",
        )
    return Cancellation(
        status="error",
        exit_code=exits.UNEXPECTED,
        code="stdout_failed",
        message=f"stdout cannot be written: {error.strerror or error}",
    )


def open_stream(outputs: Outputs, scope: CancelScope) -> OutputStream:
    """Open stdout as a stream whose failure ends the run."""

    def on_failed(error: OSError) -> None:
        failure = failed_output(error)
        if failure.status == "error":
            notice(f"finclaw: {failure.message}")
        scope.cancel(failure)

    return OutputStream(outputs.fd, on_failed)


def main_sink(settings: Settings, outputs: Outputs, stream: OutputStream) -> EventSink:
    """The sink that writes to stdout."""
    if settings.output == "ndjson":
        return NdjsonSink(stream, Selection(all_families=settings.events == "all", deltas=settings.deltas))
    if settings.output == "json":
        return JsonSink(stream)
    if outputs.on_terminal and is_rich(settings):
        from finclaw_cli.output.terminal import TerminalSink

        return TerminalSink(outputs.fd, stream.fail, status=not outputs.quiet)
    if outputs.on_terminal:
        return StreamingTextSink(stream, clean)
    return StreamingTextSink(stream, _unchanged) if settings.stream else FinalTextSink(stream)


def verbosity(settings: Settings, outputs: Outputs) -> Verbosity:
    """The amount of output on stderr: each step on a terminal, less in a pipe, errors alone with -q."""
    rich = outputs.on_terminal and is_rich(settings) and settings.output == "text"
    return Verbosity(
        quiet=outputs.quiet,
        steps=not outputs.quiet
        and (outputs.verbose or os.isatty(stderr_fd()))
        and not rich,  # the live display shows them
        progress=not rich,
        spoken=settings.output == "text" and not outputs.on_terminal and not settings.stream,
    )


def retractable(settings: Settings, outputs: Outputs) -> bool:
    """Whether shown text can be withdrawn: not where it went into a pipe."""
    return not (settings.output == "text" and settings.stream and not outputs.on_terminal)


def is_rich(settings: Settings) -> bool:
    """Whether stdout is a terminal for Markdown and a live display; rich leaves colours out where NO_COLOR is set."""
    return not (settings.plain or os.environ.get("TERM", "dumb") in {"", "dumb"})


def _unchanged(text: str) -> str:
    return text
