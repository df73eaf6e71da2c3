"""Signals that arrive while modules are still being imported.

For `run` the first one is stored, so that the run can still end with its result; a second one ends the process at once.
Other commands keep the default action of each signal.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

REMEMBERED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
pending: list[int] = []


def watch(arguments: list[str]) -> None:
    """Install the handlers before anything else is imported."""
    if "__mp_main__" in sys.modules:
        return  # a worker that a tool started with `multiprocessing`, which imports its parent's main module anew
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (*REMEMBERED, signal.SIGALRM))  # a parent's mask is inherited
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if arguments[:1] == ["run"]:
        for number in REMEMBERED:
            signal.signal(number, _remember)


def _remember(number: int, _frame: FrameType | None) -> None:
    pending.append(number)
    for remembered in REMEMBERED:
        signal.signal(remembered, signal.SIG_DFL)
