"""Record the lines that run, in memory that all processes of a test share.

A copy of this module is put into an environment with a `.pth` that imports it, so that it begins in every process,
whatever its variables are. Each line of the sources has one byte in a file that is mapped: a process that is killed, or
that closes all its descriptors, loses nothing. The first byte counts the tests.
"""

from __future__ import annotations

import mmap
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HERE = Path(__file__).parent
INDEX = HERE / "mutants_index.txt"
MEMORY = HERE / "mutants_lines.bin"
MISSES = 25
"""A function that has run this often without a new line is not looked at again in the same test."""
EVENTS = 3000


class Seen:
    """What has run of one function, in one test."""

    __slots__ = ("code", "events", "first", "generation", "left", "misses")

    def __init__(self, code: CodeType, first: int, generation: int) -> None:
        self.code = code  # kept alive: it is looked up by its id
        self.first = first
        self.generation = generation
        self.left = {line for _, _, line in code.co_lines() if line}
        self.misses = 0
        self.events = 0

    def on_line(self, frame: FrameType, event: str, _argument: Any) -> Any:
        """Note a line, and leave the frame alone when there is nothing more to note."""
        if event == "line":
            line = frame.f_lineno
            self.events += 1
            if line in self.left:
                self.left.discard(line)
                memory[self.first + line] = 1
                self.misses = self.events = 0
            if not self.left or self.events > EVENTS:
                frame.f_trace_lines = False
        return self.on_line


memory: Any = None
_first_bytes: dict[str, int] = {}
_seen: dict[int, Seen] = {}


def on_call(frame: FrameType, _event: str, _argument: Any) -> Any:
    """Look at the lines of a function, where it is one of the sources and has lines that did not run yet."""
    code = frame.f_code
    first = _first_bytes.get(code.co_filename)
    if first is None:
        return None
    seen = _seen.get(id(code))
    if seen is None or seen.generation != memory[0]:
        seen = _seen[id(code)] = Seen(code, first, memory[0])
    if not seen.left or seen.misses > MISSES:
        return None
    seen.misses += 1
    return seen.on_line


def begin() -> None:
    """Record from now on, where a file to record in is there."""
    global memory  # noqa: PLW0603
    if memory is not None or not MEMORY.exists():
        return
    with MEMORY.open("r+b") as file:
        memory = mmap.mmap(file.fileno(), 0)
    for line in INDEX.read_text("utf-8").splitlines():
        first, _, path = line.partition("\t")
        _first_bytes[path] = int(first)
    threading.settrace(on_call)
    sys.settrace(on_call)


begin()
