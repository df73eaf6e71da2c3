"""Seeing to it that every process a tool starts is known as its own, however it was started.

A tool may start processes behind our back, from threads of its own, and some of them hide: they leave their parent,
their group, their session. So we listen where Python starts something (audit events) with a context variable of the
call; the system knows which child belongs to which of our threads. A new child of a thread belongs to the call
that started something there last. In a process that is our own, orphans come to us instead of to init; one that no call
knows belongs to the call that alone can have lost it, and if there are several, it lives until the run's end.

On systems whose /proc does not tell children by thread, only the groups that `run_process` makes are ended.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from weakref import WeakKeyDictionary

from finclaw_cli.tools.processes.process_tree import CallEnded, ProcessTree, serving
from finclaw_cli.tools.processes.procfs import Process, children_of_thread, descendants, everybody

STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
PR_SET_CHILD_SUBREAPER = 36

Identity = tuple[int, int]
"""A process' number and start."""


@dataclass(slots=True)
class _Children:
    """What is known of the children of one of our threads."""

    known: frozenset[Identity]
    owner: ProcessTree | None = None
    """The one call that this thread serves, if it serves but one."""
    starting: ProcessTree | None = None
    """Who started something here last: what is new since then is theirs."""


class ProcessTracker:
    """Knows the families of this process, from the first call on."""

    def __init__(self, *, adopts: bool) -> None:
        self.home = os.getpid()
        self.adopts = adopts
        self.families: list[ProcessTree] = []
        self._new_lock()
        os.register_at_fork(after_in_child=self._new_lock)  # the thread that held it is not there
        self._threads: WeakKeyDictionary[threading.Thread, _Children] = WeakKeyDictionary()
        self._before = frozenset(_identity(process) for process in descendants(self.home))

    def _new_lock(self) -> None:
        self._lock = threading.RLock()

    def add(self, family: ProcessTree) -> None:
        """Something is about to be done for a call."""
        with self._lock:
            if family not in self.families:
                self.families.append(family)

    def forget(self, family: ProcessTree) -> None:
        """Nothing is left of a call."""
        with self._lock, suppress(ValueError):
            self.families.remove(family)

    def add_thread(self, thread: threading.Thread, family: ProcessTree) -> None:
        """A thread was started for a call. One of a pool may serve other calls too, but hardly any will know."""
        with self._lock:
            self.add(family)
            family.threads.append(thread)
            self._threads[thread] = _Children(frozenset(), owner=family, starting=family)

    def family_of(self, thread: threading.Thread) -> ProcessTree | None:  # pragma: no cover - asked by the audit hook
        """The call that a thread was started for; None once that call was ended."""
        children = self._threads.get(thread)
        return None if children is None or children.owner is None or children.owner.ended else children.owner

    def claim(self, family: ProcessTree | None, thread: threading.Thread | None = None) -> None:
        """Give a thread's new children to who started something there last; from now on that is `family`."""
        thread = thread or threading.current_thread()
        with self._lock:
            children = self._threads.setdefault(thread, _Children(self._before))
            found = {_identity(process): process for process in children_of_thread(thread.native_id or 0)}
            for identity in found.keys() - children.known:
                self._give(found[identity], children.starting)
            children.known = frozenset(found)
            children.starting = family or children.owner

    def end_of_thread(self) -> None:
        """The calling thread is about to end; then its children will be those of another one."""
        with self._lock:
            self.claim(None)
            self._threads.pop(threading.current_thread(), None)

    def look_around(self) -> None:
        """See what there is by now."""
        with self._lock:
            for thread, children in list(self._threads.items()):
                if thread.is_alive():
                    self.claim(children.starting, thread)
            self._place(descendants(self.home) if self.adopts else everybody())

    def settle(self, family: ProcessTree) -> None:
        """A call ended well: what it has left running stays, and stays known as its own."""
        if family.has_started:
            self.look_around()
        family.is_over = True
        if not family.living() and not family.working_threads():
            self.forget(family)

    def strangers(self) -> list[Process]:
        """Descendants of ours that came since the watch began and belong to no call."""
        new = [process for process in descendants(self.home) if _identity(process) not in self._before]
        return [process for process in new if not any(family.knows(process) for family in self.families)]

    def _give(self, process: Process, starting: ProcessTree | None) -> None:
        if _identity(process) in self._before:
            return  # pragma: no cover - moved here from a thread that ended
        if process.session not in {process.pid, os.getsid(0)}:
            return  # pragma: no cover - an orphan that came to us while another call was starting something
        family = self._who_knows(process) or starting
        if family is not None:
            family.take(process, own_child=family is starting)

    def _place(self, processes: Iterable[Process]) -> None:
        for process in processes:
            if _identity(process) in self._before:
                continue
            family = self._who_knows(process) or self._only_candidate(process)
            if family is not None:
                family.take(process, own_child=False)

    def _who_knows(self, process: Process) -> ProcessTree | None:
        return next((family for family in self.families if family.knows(process)), None)

    def _only_candidate(self, process: Process) -> ProcessTree | None:
        if not self.adopts or process.parent != self.home:
            return None
        candidates = [family for family in self.families if not family.is_over and family.has_lost]
        return candidates[0] if len(candidates) == 1 else None


_watches: dict[int, ProcessTracker] = {}
_own: set[int] = set()


def own_this_process() -> None:
    """Say that this process serves runs and nothing else: all it has started may be ended with them."""
    _own.add(os.getpid())


def the_tracker() -> ProcessTracker:
    """The watch of this process, at work from here on; one that was forked from it gets its own."""
    pid = os.getpid()
    if pid not in _watches:
        if not _watches:  # pragma: no branch - where it has some, this process was forked from one that had a watch
            sys.addaudithook(_audit)
            _follow_threads()
        _watches[pid] = ProcessTracker(adopts=pid in _own and adopt_orphans())
    return _watches[pid]


def tracker_at_work() -> ProcessTracker | None:
    """The watch of this process, if any tool has run in it."""
    return _watches.get(os.getpid())


def adopt_orphans() -> bool:
    """Have descendants that lose their parent come to us (Linux); True where they will."""
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):  # pragma: no cover - another system than Linux
        return False


def _identity(process: Process) -> Identity:
    return process.pid, process.start


def _audit(event: str, _arguments: tuple[object, ...]) -> None:  # pragma: no cover - a hook that Python does not trace
    """Python is about to start a process. Costs next to nothing for all other events, and never fails.

    Raises:
        CallEnded: it is for a call that was ended.
    """
    if event not in STARTS:
        return
    family = None
    with suppress(Exception):
        family = _listen()
        if family is not None and event == "os.system":
            family.uses_system = True
    if family is not None and family.ended:
        raise CallEnded


def _listen() -> ProcessTree | None:  # pragma: no cover - part of that hook
    watch, family = tracker_at_work(), serving.get()
    if watch is None or (family is not None and not family.is_here):
        return None  # in a process that a tool has forked
    family = family or watch.family_of(threading.current_thread())
    if family is not None:
        family.starts_seen += 1
        watch.add(family)
    watch.claim(family)
    with suppress(RuntimeError):  # what is done in this thread next may be for another call
        asyncio.get_running_loop().call_soon(watch.claim, None)
    return family


def _follow_threads() -> None:
    """Learn for which call a thread is started: threads inherit no context, and Python 3.11 audits no start of one."""
    start = threading.Thread.start

    @wraps(start)
    def started_for(thread: threading.Thread) -> None:
        watch, family = tracker_at_work(), serving.get()
        if watch is not None and family is not None and family.is_here:
            watch.add_thread(thread, family)
        start(thread)

    setattr(threading.Thread, "start", started_for)  # noqa: B010 - mypy knows no other way
