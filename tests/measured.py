"""Coverage of processes that end themselves by a signal, which `.ci/coverage` would lose."""

from __future__ import annotations

import os

CONFIGURATION = "COVERAGE_PROCESS_CONFIG"
"""The variable by which coverage is started in a process."""


def save_before_signals() -> None:
    """Where this process is measured, have it write what was measured before it sends itself a signal."""
    if CONFIGURATION not in os.environ:
        return
    from coverage import Coverage

    send, measuring = os.kill, Coverage.current()

    def save_and_send(process: int, number: int) -> None:
        if process == os.getpid() and number and measuring is not None:
            measuring.save()
        send(process, number)

    os.kill = save_and_send
