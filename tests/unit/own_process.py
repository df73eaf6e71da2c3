"""Scenarios in a process that serves runs and nothing else: `python -m tests.unit.own_process NAME` prints its end."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from finclaw_cli.tools.bounded import Bounded, Stopped
from finclaw_cli.tools.processes.forks import own_loop
from finclaw_cli.tools.processes.termination import end_families, kill_at_once

SLEEP = ["sleep", "60"]
LEAVES_AN_ORPHAN = ["sh", "-c", "sleep 60 > /dev/null & echo $!"]


async def orphan() -> dict[str, object]:
    """A call starts a program that ends and leaves another one; then the call is ended."""
    orphans: list[str] = []
    call, ready = Bounded(), asyncio.Event()

    async def work() -> None:
        # The program ends before anything can look at it: that its child is this call's is seen by the child alone.
        started = subprocess.run(LEAVES_AN_ORPHAN, start_new_session=True, stdout=subprocess.PIPE, check=True)  # noqa: ASYNC221
        orphans.append(started.stdout.decode().strip())
        ready.set()
        await asyncio.Event().wait()

    calling = asyncio.create_task(call(work, 60))
    await ready.wait()
    call.stop()
    with suppress(Stopped):
        await calling
    return {"pid": orphans[0]}


async def left() -> dict[str, object]:
    """A call ends well, and the run ends what it has left running."""
    started = await Bounded()(_start, 60)
    await end_families([])
    return {"end": _end_of(started)}


async def killed() -> dict[str, object]:
    """The process is about to end at once, and what a call has left running with it."""
    started = await Bounded()(_start, 60)
    kill_at_once()
    return {"end": _end_of(started)}


async def _start() -> object:
    return subprocess.Popen(SLEEP)  # noqa: ASYNC220 - as tools do


def _end_of(started: object) -> int:
    assert isinstance(started, subprocess.Popen)
    return started.wait(10)


async def exits() -> dict[str, object]:
    """Code of a plugin raises exits of Python in the event loop, and stops it."""
    loop = asyncio.get_running_loop()
    for error in (SystemExit(3), KeyboardInterrupt()):
        loop.call_soon(_raise, error)
        await asyncio.sleep(0)
    loop.stop()
    await asyncio.sleep(0)
    return {"result": "done"}


def _raise(error: BaseException) -> None:
    raise error


SCENARIOS = {"orphan": orphan, "left": left, "killed": killed, "exits": exits}


def main(name: str) -> None:
    before = subprocess.Popen(SLEEP)
    with asyncio.Runner(loop_factory=own_loop) as runner:
        found = runner.run(SCENARIOS[name]())
    if name == "orphan":
        found = {"is_left": Path("/proc", str(found["pid"])).exists()}
        found["what_was_there_before"] = "runs" if before.poll() is None else "was ended"
    before.kill()
    before.wait()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
