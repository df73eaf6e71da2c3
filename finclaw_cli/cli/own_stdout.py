"""Standard output for what a command writes itself, where many runs share a process."""

from __future__ import annotations

import signal

from finclaw_cli.masking.stray_logs import mask_stray_logs
from finclaw_cli.output.foreign_output import clean_foreign_output
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.tools.processes.forks import keep_private


def own_stdout() -> int:
    """Keep stdout from plugins, their processes and stray logs; return the descriptor that the command writes to.

    A reader that has left is an error of a write from then on, and ends no process.
    """
    mask_stray_logs()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    fd = take_stdout()
    keep_private(fd)
    clean_foreign_output(keep_private)
    return fd
