"""The way out: flushed, with the code that was promised, without the tear-down."""

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
    """End the process with this code, by the signal itself where the code stands for one; skip the tear-down."""
    code = _flushed(code)
    number = code - exits.SIGNAL_BASE
    if number in RAISED_AGAIN:
        die_by(number)
    _end_what_tools_left()
    os._exit(code)


def leave_stuck(code: int = exits.TIMEOUT) -> NoReturn:
    """End a process whose event loop something has blocked for good; what its run has kept can be taken up.

    Args:
        code: the exit code; that of the result line, where there is one already.
    """
    from finclaw_cli.output.notice import notice

    notice("finclaw: something blocks longer than its timeout and cannot be interrupted: the process ends")
    leave(code)


def _end_what_tools_left() -> None:
    """The last net: a run has ended its tools' processes before, unless it was not given the time."""
    ending = sys.modules.get("finclaw_cli.tools.processes.termination")  # not imported: then no tool has run
    if ending is not None:
        with suppress(Exception):
            ending.kill_at_once()


def _flushed(code: int) -> int:
    """Flush both streams; a success whose last words could not be written is none."""
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
    """Let the signal do what it does by default, so that shells see why we ended; tools' processes end first."""
    _end_what_tools_left()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(exits.SIGNAL_BASE + number)
