"""A shell with job control, as small as can be: it changes no modes of the terminal, so that a test sees the job's own.

    python job_control.py COMMAND...

Says `[stopped]` when the command was stopped, then waits for a line: `fg`, `kill`, or `bg` and another line that brings
it to the foreground, as a shell does them.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # whoever gives the terminal away has to take it back
    job = os.fork()
    if job == 0:
        begin(command)
    with suppress(PermissionError):  # it was quicker: its group is its own, and it is another program by now
        os.setpgid(job, job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        os.tcsetpgrp(2, os.getpgrp())
        os.write(2, b"[stopped]")
        obey(os.read(2, 100).strip(), job)


def begin(command: list[str]) -> None:
    os.setpgid(0, 0)
    os.tcsetpgrp(2, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(command[0], command)


def obey(order: bytes, job: int) -> None:
    match order:
        case b"fg":
            os.tcsetpgrp(2, job)
            os.killpg(job, signal.SIGCONT)
        case b"kill":
            os.killpg(job, signal.SIGTERM)
            os.killpg(job, signal.SIGCONT)
        case b"bg":
            os.killpg(job, signal.SIGCONT)
            os.write(2, b"[in the background]")
            os.read(2, 100)
            os.tcsetpgrp(2, job)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
