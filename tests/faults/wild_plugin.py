"""A plugin for tests: tools that do not want to end, and hide what they start. Each process they leave has a mark."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import sys
import threading
import time

from finclaw_cli.sdk import hookimpl, tool

FOREVER = "import sys, time\nwhile True: time.sleep(1)"
STUBBORN = "import signal, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)"
# A stubborn parent with stubborn children, some of them in groups and sessions of their own.
TREE = """
import subprocess, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
leaf = [sys.executable, "-c", sys.argv[2], sys.argv[1]]
for alone in (False, True):
    subprocess.Popen(leaf, start_new_session=alone)
while True: time.sleep(1)
"""
# The classic: fork, become leader of a session, fork again, go on as an orphan.
DAEMON = """
import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
while True: time.sleep(1)
"""


# So little that each of them is cut short, unless a test wants to do that itself.
wild = tool(group="finance", read_only=True, timeout=float(os.environ.get("WILD_TIMEOUT", "1.5")))
tame = tool(group="finance", read_only=True, timeout=60)


def python(source: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", source, *arguments]


def linger(mark: str) -> None:
    """What a process of `multiprocessing` does; the mark is in its arguments where it was spawned."""
    subprocess.run(python(FOREVER, mark), check=False)


@wild
async def ignores_cancellation() -> str:
    """Swallow every cancellation."""
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            print("not me")


@wild
def sleeps_on() -> str:
    """Sleep where nothing wakes it."""
    time.sleep(120)
    return "late"


@wild
def keeps_starting(mark: str) -> str:
    """Start the next process as soon as the last one has ended, whatever happens."""
    while True:
        try:
            subprocess.run(python(FOREVER, mark), check=False)
        except Exception as error:  # noqa: BLE001 - that is the point
            print(error)


@wild
def tree(mark: str) -> str:
    """Start a stubborn family."""
    subprocess.run(python(TREE, mark, STUBBORN + f"  # {mark}"), check=False)
    return "never"


@wild
async def async_tree(mark: str) -> str:
    """Start a stubborn family from the loop's thread, and wait where no cancellation comes through."""
    process = await asyncio.create_subprocess_exec(*python(TREE, mark, STUBBORN + f"  # {mark}"))
    while process.returncode is None:
        try:
            await process.wait()
        except asyncio.CancelledError:
            print("not me")
    return "ended"


@wild
def daemon(mark: str) -> str:
    """Leave a daemon that has cut all ties, then sleep."""
    subprocess.run(python(DAEMON, mark), check=False)
    time.sleep(60)
    return "never"


@wild
async def async_daemon(mark: str) -> str:
    """Leave a daemon that has cut all ties, then sleep."""
    process = await asyncio.create_subprocess_exec(*python(DAEMON, mark))
    await process.wait()
    await asyncio.sleep(60)
    return "never"


@wild
def shell(mark: str) -> str:
    """Use os.system, which waits; the shell leaves something in the background too."""
    forever = f"sh -c 'while :; do sleep 1; done' {mark}"
    os.system(f"{forever} & {forever}")
    return "never"


@wild
def from_threads(mark: str) -> str:
    """Start processes from threads of its own."""
    for _ in range(2):
        threading.Thread(target=linger, args=(mark,)).start()
    time.sleep(60)
    return "never"


@wild
def processes(mark: str, how: str) -> str:
    """Use multiprocessing."""
    context = multiprocessing.get_context(how)
    workers = [context.Process(target=linger, args=(mark,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return "never"


@wild
async def async_processes(mark: str, how: str) -> str:
    """Use multiprocessing on the loop's thread."""
    worker = multiprocessing.get_context(how).Process(target=linger, args=(mark,))
    worker.start()
    await asyncio.sleep(60)
    return "never"


def double(number: int) -> int:
    return 2 * number


@tame
def pool(how: str) -> str:
    """Use multiprocessing as it is meant to be used."""
    with multiprocessing.get_context(how).Pool(2) as workers:
        return str(workers.map(double, range(4)))


@tame
def forks() -> str:
    """Fork, and return twice."""
    return "the child" if os.fork() == 0 else "the parent"


@tame
async def async_forks() -> str:
    """Fork, and return twice, without and with a look at the loop."""
    if os.fork() == 0:
        return "the child"
    if os.fork() == 0:
        await asyncio.sleep(0.01)
        return "the child"
    await asyncio.sleep(0.2)
    return "the parent"


@tame
async def task_forks() -> str:
    """Fork in a task of its own, and in a callback."""

    async def forked() -> None:
        os.fork()
        await asyncio.sleep(0.01)

    asyncio.get_running_loop().call_soon(os.fork)
    await asyncio.create_task(forked())
    return "the parent"


@wild
async def forks_and_stays(mark: str) -> str:
    """Fork a child that stays, and ignores signals."""
    if os.fork() == 0:
        os.execv(sys.executable, python(STUBBORN, mark))
    await asyncio.sleep(60)
    return "never"


@tame
def leaves(mark: str) -> str:
    """End well and leave something running."""
    return str(subprocess.Popen(python(STUBBORN, mark)).pid)


@tame
def is_there(pid: int) -> bool:
    """Say whether a process is there."""
    os.kill(pid, 0)
    return True


@tame
async def sibling(seconds: float) -> str:
    """Run a program of its own meanwhile, and tick."""
    code = f"import time; time.sleep({seconds}); print('unharmed')"
    process = await asyncio.create_subprocess_exec(*python(code), stdout=asyncio.subprocess.PIPE)
    reading = asyncio.create_task(process.communicate())
    ticks = 0
    while not reading.done():
        await asyncio.sleep(0.02)
        ticks += 1
    return f"{reading.result()[0].decode().strip()} {process.returncode} {ticks > seconds}"


@tame
def sync_sibling(seconds: float) -> str:
    """Run a program of its own meanwhile."""
    done = subprocess.run(python(f"import time; time.sleep({seconds})"), check=True)
    return f"unharmed {done.returncode} True"


WILD = [
    ignores_cancellation,
    sleeps_on,
    keeps_starting,
    tree,
    async_tree,
    daemon,
    async_daemon,
    shell,
    from_threads,
    processes,
    async_processes,
    pool,
    forks,
    async_forks,
    task_forks,
    forks_and_stays,
    leaves,
    is_there,
    sibling,
    sync_sibling,
]


@hookimpl
def finclaw_tools() -> list[object]:
    return list(WILD)
