"""Forks in one thread beside programs that another one starts; prints how many were started.

Another hook runs between finclaw's and the fork itself, as `logging`'s does, and lets other threads run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

os.register_at_fork(before=lambda: time.sleep(0.01))  # hooks run in the reverse order of their registration

from finclaw_cli.tools.processes.forks import own_loop  # noqa: E402 - see above

FORKS, PROGRAMS = 40, 60
until_the_end, end = os.pipe()


def fork() -> None:
    for _ in range(FORKS):
        if os.fork() == 0:
            os.close(end)
            os.read(until_the_end, 1)
            os._exit(0)


def start_programs() -> None:
    for _ in range(PROGRAMS):
        subprocess.run([sys.executable, "-S", "-c", ""], check=True)


if __name__ == "__main__":
    own_loop()
    threads = [threading.Thread(target=work, daemon=True) for work in (fork, start_programs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(float(sys.argv[1]))
    print(sum(not thread.is_alive() for thread in threads))
    sys.stdout.flush()
    os._exit(0)
