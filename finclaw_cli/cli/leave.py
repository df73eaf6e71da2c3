"""The end of the process: streams flushed, a documented exit code, no interpreter shutdown."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from finclaw_cli.core import exits

# The signals that a code above 128 stands for.
RAISED_AGAIN = (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM)


def leave(code: int) -> NoReturn:
    """End the process with this code, or by the signal it stands for; skip the interpreter's shutdown."""
    code = _flushed(code)
    number = code - exits.SIGNAL_BASE
    if number in RAISED_AGAIN:
        die_by(number)
    _end_what_tools_left()
    os._exit(code)


def leave_stuck(code: int = exits.TIMEOUT) -> NoReturn:
    """End a process whose event loop is blocked for good; its session can be resumed.

    Args:
        code: the exit code; that of the result line, if it was written.
    """
    from finclaw_cli.output.notice import notice

    notice("finclaw: a call blocks longer than its timeout and cannot be interrupted: the process ends")
    leave(code)


def _end_what_tools_left() -> None:
    """End the processes of tools that a run has not ended, as it was cut short."""
    ending = sys.modules.get("finclaw_cli.tools.processes.termination")  # None: no tool has run
    if ending is not None:
        with suppress(Exception):
            ending.kill_at_once()


def _flushed(code: int) -> int:
    """Flush both streams; a success becomes a failure where its output cannot be written."""
    foreign = sys.modules.get("finclaw_cli.output.foreign_output")
    with suppress(OSError, ValueError, AttributeError):
        if foreign is not None:
            foreign.drain_foreign_output()
        sys.stderr.flush()
    if sys.stdout is None:
        return code  # closed from the start, which was reported
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return code or exits.PIPE_CLOSED
    except OSError:
        return code or exits.UNEXPECTED
    return code


def die_by(number: int) -> NoReturn:
    """End tools' processes, then this one by the default action of the signal, so that shells see the reason."""
    _end_what_tools_left()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(exits.SIGNAL_BASE + number)
