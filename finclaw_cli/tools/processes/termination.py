"""Ending processes: a chance to end by themselves, then none."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress

from finclaw_cli.tools.processes.process_tracker import the_tracker, tracker_at_work
from finclaw_cli.tools.processes.process_tree import ProcessTree
from finclaw_cli.tools.processes.procfs import Process, descendants
from finclaw_cli.tools.processes.program import TERM_GRACE_S

# What is ended by force is gone within milliseconds, unless the system itself cannot let go of it.
KILL_GRACE_S = 1.0
LOOK_AGAIN_S = 0.02
# Between two looks a thread that was about to start something has either done so or been refused.
LOOKS_WITHOUT_ANY = 2


async def end_family(family: ProcessTree) -> None:
    """End all processes of a call: SIGTERM, two seconds, SIGKILL; nothing is started for it any more."""
    family.ended = family.is_over = True
    await _end(lambda: _living([family]))
    the_tracker().forget(family)


async def end_families(families: Iterable[ProcessTree]) -> None:
    """End what a run's calls have left running.

    In a process of our own in which no other run has calls under way, that is everything which was started since the
    first call, of whatever tool.
    """
    watch = tracker_at_work()
    if watch is None:
        return
    ending = list(families)
    alone = watch.adopts and all(family.is_over or family in ending for family in watch.families)
    if alone:
        ending += [family for family in watch.families if family not in ending]
    for family in ending:
        family.ended = family.is_over = True

    def left() -> list[Process]:
        return [*_living(ending), *(watch.strangers() if alone else ())]

    if left() or any(family.working_threads() for family in ending):
        await _end(left)
    for family in ending:
        watch.forget(family)


def kill_at_once() -> None:
    """The process ends now: so does, where it is our own, what its tools have started."""
    watch = tracker_at_work()
    if watch is None or not watch.adopts:
        return
    for _ in range(LOOKS_WITHOUT_ANY):  # the second for what the first one's victims were just starting
        for process in descendants(watch.home):
            _signal(process, signal.SIGKILL)


def _living(families: list[ProcessTree]) -> list[Process]:
    the_tracker().look_around()
    return [process for family in families for process in family.living()]


async def _end(living: Callable[[], list[Process]]) -> None:
    if not await _gone(living, signal.SIGTERM, TERM_GRACE_S):
        await _gone(living, signal.SIGKILL, KILL_GRACE_S)


async def _gone(living: Callable[[], list[Process]], number: signal.Signals, patience_s: float) -> bool:
    """Send each process the signal, also those that appear meanwhile; True where all are gone in time."""
    signalled: set[tuple[int, int]] = set()
    looks_without_any = 0
    deadline = asyncio.get_running_loop().time() + patience_s
    while asyncio.get_running_loop().time() < deadline:
        there = living()
        looks_without_any = 0 if there else looks_without_any + 1
        if looks_without_any >= LOOKS_WITHOUT_ANY:
            return True
        for process in there:
            if (process.pid, process.start) not in signalled:
                _signal(process, number)
                signalled.add((process.pid, process.start))
        await asyncio.sleep(LOOK_AGAIN_S)
    return False


def _signal(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if process.group == process.pid:
            os.killpg(process.group, number)
        elif process.is_alive:  # pragma: no branch - but for one that ended meanwhile
            os.kill(process.pid, number)
