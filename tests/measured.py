"""Coverage of processes that are forked, or end themselves by a signal: `.ci/coverage` would lose what they run."""

from __future__ import annotations

import os

CONFIGURATION = "COVERAGE_PROCESS_CONFIG"
"""The variable by which coverage is started in a process."""


def save_measured() -> None:
    """Write what was measured in this process: one that is forked from it begins with nothing."""
    if CONFIGURATION in os.environ:
        from coverage import Coverage

        if (measuring := Coverage.current()) is not None:
            measuring.save()


def save_before_signals() -> None:
    """Where this process is measured, write what was measured before it sends itself a signal."""
    if CONFIGURATION not in os.environ:
        return
    send = os.kill

    def save_and_send(process: int, number: int) -> None:
        if process == os.getpid() and number:
            save_measured()
        send(process, number)

    os.kill = save_and_send
