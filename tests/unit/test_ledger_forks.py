"""The usage store of a process that forks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.test_ledger import total


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "ledger.sqlite"


FORKING = """
import os, sys
from pathlib import Path
from dataclasses import replace
from tests.unit.test_ledger import ONE
from finclaw_cli.usage.store import Ledger
ledger = Ledger(Path(sys.argv[1]))
ledger.record(ONE)
child = os.fork()
ledger.record(replace(ONE, turn=2 if child else 3))
ledger.close()
if child:
    _, status = os.waitpid(child, 0)
    ledger.record(replace(ONE, turn=4))
    sys.exit(status)
"""

WHILE_IT_IS_MADE = """
import fcntl, os, sys, threading
from pathlib import Path
from tests.unit.test_ledger import ONE
from finclaw_cli.usage.store import Ledger

path = Path(sys.argv[1])
path.parent.mkdir()
lock = f"{path}.lock"
fd = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(fd, fcntl.LOCK_EX)  # as another process that makes the file
import filelock  # its hooks for forks are registered after those of the store

waits, forks = threading.Event(), threading.Event()
sys.addaudithook(lambda name, arguments: waits.set() if name == "open" and str(arguments[0]) == lock else None)
os.register_at_fork(before=forks.set)  # the hook that is registered last runs first
writer = threading.Thread(target=Ledger(path).record, args=(ONE,))
writer.start()

def release():
    forks.wait()
    fcntl.flock(fd, fcntl.LOCK_UN)

threading.Thread(target=release).start()
waits.wait()
child = os.fork()
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
writer.join()
"""


def test_a_forked_process_writes_through_a_connection_of_its_own(path: Path):
    subprocess.run([sys.executable, "-c", FORKING, str(path)], check=True, timeout=60)
    assert total(path).requests == 4


def test_a_fork_waits_for_the_thread_that_makes_the_file_and_both_go_on(path: Path):
    subprocess.run([sys.executable, "-c", WHILE_IT_IS_MADE, str(path)], check=True, timeout=30)
    assert total(path).requests == 1
