"""Running a process that imports a plugin, without secrets, which ends with all that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress

from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.confinement import SANDBOX_HOME, confined, environment
from finclaw_cli.plugin_host.supervised import OWN_HOME, PARENT

MAX_REPORT_BYTES = 16_000_000
GRACE_S = 1.0
SIGNALLED = 128


@record(kw_only=True)
class ProcessEnd:
    """The end of the process: its report, and its exit code, None after a timeout.

    The code is minus the number of the signal that ended it, if one did.
    """

    report: str
    code: int | None


def run_isolated(module: str, arguments: Sequence[str], timeout_s: float, readable: Sequence[str] = ()) -> ProcessEnd:
    """Run one of finclaw's modules in another process; output of the plugin is discarded.

    Args:
        module: the module; it calls `supervised`.
        arguments: its command line.
        timeout_s: how long it may take.
        readable: folders whose modules it imports, beside those of the path of imports.

    Raises:
        OSError: the process cannot be started.
    """
    plain = [sys.executable, "-P", "-m", module, *arguments]
    command = confined(plain, readable)
    with tempfile.TemporaryDirectory(prefix=OWN_HOME) as folder, tempfile.TemporaryFile() as report:
        # bubblewrap ends its processes when finclaw ends; without it, they compare their parent with finclaw.
        variables = environment(SANDBOX_HOME) if command else {**environment(folder), PARENT: str(os.getpid())}
        # A file, and no pipe, which processes that the plugin left running would hold open.
        process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own module
            command or plain,
            stdin=subprocess.DEVNULL,
            stdout=report,
            stderr=subprocess.DEVNULL,
            env=variables,
            cwd=folder,
            start_new_session=True,
        )
        code = _waited_for(process, timeout_s)
        report.seek(0)
        text = report.read(MAX_REPORT_BYTES).decode("utf-8", "replace")
    if command is not None and code is not None and code > SIGNALLED:
        code = SIGNALLED - code  # bubblewrap returns it as a shell does
    return ProcessEnd(report=text, code=code)


def _waited_for(process: subprocess.Popen[bytes], timeout_s: float) -> int | None:
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process with all that it has started: by SIGTERM, then by SIGKILL to its group."""
    with suppress(ProcessLookupError, PermissionError):
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_S)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
