"""Letting a plugin run in a process of its own, where it may raise, exit, print, hang or crash and harm nobody."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from finclaw_cli.core.record import record


@record(kw_only=True)
class Ended:
    """How the process ended: what it reported until then, and its exit code, None where its time was up."""

    report: str
    code: int | None


def run_apart(module: str, arguments: Sequence[str], timeout_s: float) -> Ended:
    """Run one of finclaw's modules beside this process; what the plugin prints is thrown away.

    Raises:
        OSError: the process cannot be started.
    """
    command = [sys.executable, "-P", "-m", module, *arguments]
    try:
        # Not a pipe for stderr: a process that the plugin left behind would hold it open, and be waited for.
        done = subprocess.run(  # noqa: S603 - our own interpreter, our own module
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return Ended(report=(late.stdout or b"").decode("utf-8", "replace"), code=None)
    return Ended(report=done.stdout.decode("utf-8", "replace"), code=done.returncode)
