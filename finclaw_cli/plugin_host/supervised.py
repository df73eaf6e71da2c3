"""Ending everything that a piece of work has started, in a process that exists for that work alone."""

from __future__ import annotations

import os
import resource
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from finclaw_cli.plugin_host.keyrings import refuse_keyrings
from finclaw_cli.tools.processes.process_tracker import adopt_orphans
from finclaw_cli.tools.processes.procfs import descendants

PR_SET_PDEATHSIG = 1
PARENT = "FINCLAW_PARENT"
"""The variable with the id of the process that has started this one, where nothing stands between them."""
OWN_HOME = "finclaw-apart-"
"""How the temporary folder of such a process is called."""
MAX_FILE_BYTES = 64 * 1024 * 1024
# Between two looks, what was just starting something has done so or was ended.
LOOKS_WITHOUT_ANY = 2


def supervised(work: Callable[[], None]) -> NoReturn:
    """Do the work in a child, end all that it has left running, and end as the child did.

    SIGTERM ends the child and what it has started at once.
    """
    adopt_orphans()
    signal.signal(signal.SIGTERM, _terminated)
    _end_with_parent(signal.SIGTERM)  # before anything of the work runs
    if os.environ.pop(PARENT, str(os.getppid())) != str(os.getppid()):
        _terminated(signal.SIGTERM, None)  # it has ended before
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _end_with_parent(signal.SIGKILL)
        _work(work)
    status = _waited_for(child)
    _end_descendants()
    if os.WIFSIGNALED(status):
        _die_by(os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def _work(work: Callable[[], None]) -> NoReturn:
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    refuse_keyrings()
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def _end_with_parent(number: signal.Signals) -> None:
    """Have the system send this process a signal when its parent ends (Linux)."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)


def _waited_for(child: int) -> int:
    """The status of the child; orphans that end before it are only taken note of."""
    while True:
        pid, status = os.wait()
        if pid == child:
            return status


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    _end_descendants()
    home = os.environ.get("HOME", "")
    if os.path.basename(home).startswith(OWN_HOME):  # noqa: PTH119
        shutil.rmtree(home, ignore_errors=True)  # finclaw removes it, unless it has ended
    _die_by(signal.SIGTERM)


def _end_descendants() -> None:
    looks_without_any = 0
    while looks_without_any < LOOKS_WITHOUT_ANY:
        found = descendants(os.getpid())
        looks_without_any = 0 if found else looks_without_any + 1
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _die_by(number: int) -> NoReturn:
    with suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(128 + number)
