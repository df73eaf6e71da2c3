"""The search itself, in a process of its own. Started by `grep`; needs nothing but the standard library."""

from __future__ import annotations

import json
import math
import os
import re
import resource
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from finclaw_cli.sdk.files import FILE, MAX_PATH, Found, Parts, Refused, Root, from_os, regular, shown
from finclaw_workspace.patterns import PathPattern
from finclaw_workspace.text import Timed, lines
from finclaw_workspace.walk import Walk

_MAX_FILE = 50_000_000
_MAX_MATCHED = 100_000  # characters of a line in which the expression is looked for
_MAX_SHOWN = 300
_MAX_CHARS = 60_000
_MEMORY = 2 << 30


class _TimeUp(Exception):
    """The alarm rang. `re` looks for signals while it matches, so this ends even an expression that never would."""


class Search:
    """The results of one search, with notes."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self._asked = asked
        self._limit: int = asked["limit"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._regex = re.compile(asked["pattern"], re.IGNORECASE if asked["ignore_case"] else 0)
        self._wanted = PathPattern(asked["glob"], anywhere=True) if asked["glob"] else None
        self._size = 0
        self._large = 0
        self._at = ""
        self.found: list[str] = []
        self.notes: list[str] = []

    def run(self) -> None:
        """Search until everything was looked at, enough was found, or time is up."""
        try:
            with Root(Path(self._asked["workspace"]), hidden=(Path(self._asked["hidden"]),)) as root:
                self._everything(root)
        except _TimeUp:
            seconds = f"{self._asked['seconds']:g} s"
            self.notes.append(f"gave up after {seconds}, at {self._at}: simplify the pattern or narrow path")
        if self._large:
            self.notes.append(f"{self._large} files of more than {_MAX_FILE:,} bytes were left out")

    def _everything(self, root: Root) -> None:
        try:
            with root.folder(self._asked["path"]) as top:
                self._below(root, top)
        except Refused as refused:
            if refused.code != "NOT_A_FOLDER":
                raise
            with root.reading(self._asked["path"]) as (found, _):
                self._one(os.dup(found.fd), found.parts)

    def _below(self, root: Root, top: Found) -> None:
        walk = Walk(root, time.monotonic() + self._asked["seconds"])
        for entry in walk.entries(top):
            if entry.is_folder or (self._wanted and not self._wanted.matches(entry.parts[len(top.parts) :])):
                continue
            if self._enough():
                return
            with suppress(OSError):  # a link, unreadable, or gone
                fd = os.open(entry.name, FILE | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=entry.folder)
                self._one(fd, entry.parts)
        if walk.stopped:
            self.notes.append("not everything was looked at: give a folder as path")

    def _one(self, fd: int, parts: Parts) -> None:
        with closed(fd), suppress(Refused):  # no regular file, or no text
            facts = regular(fd, parts)
            if facts.st_size > _MAX_FILE:
                self._large += 1
                return
            name = shown(parts, MAX_PATH)
            for number, line in enumerate(lines(Timed(fd, math.inf), name, facts.st_size, _MAX_MATCHED), start=1):
                self._at = f"{name}:{number}"
                if (match := self._regex.search(line.text)) is not None:
                    self._keep(f"{name}:{number}: {_around(line.text, match.start())}")
                    if self._enough():
                        return

    def _keep(self, line: str) -> None:
        self.found.append(line)
        self._size += len(line)

    def _enough(self) -> bool:
        enough = len(self.found) >= self._limit or self._size > _MAX_CHARS
        if enough and not self.notes:
            self.notes.append(f"stopped after {len(self.found)} lines; there may be more")
        return enough


@contextmanager
def closed(fd: int) -> Iterator[None]:
    """Close a file afterwards."""
    try:
        yield
    finally:
        os.close(fd)


def _around(line: str, at: int) -> str:
    """The line, or of a long one what is around the match."""
    if len(line) <= _MAX_SHOWN:
        return line
    start = max(at - _MAX_SHOWN // 3, 0)
    piece = line[start : start + _MAX_SHOWN]
    return f"{'…' if start else ''}{piece}{'…' if start + _MAX_SHOWN < len(line) else ''}"


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise _TimeUp


def _answers(asked: dict[str, Any]) -> Iterator[tuple[str, object]]:
    try:
        search = Search(asked)
        search.run()
    except Refused as refused:
        yield "refused", str(refused)
    except (re.error, OverflowError, RecursionError) as error:
        yield "refused", f"BAD_INPUT: the pattern is no regular expression: {error}. Escape what is meant as it is."
    except (_TimeUp, MemoryError):
        yield "refused", "BAD_INPUT: the pattern is too large to be searched for. Give a simpler one."
    except OSError as error:
        yield "refused", str(from_os(error, shown(asked["path"])))
    else:
        yield "found", search.found
        yield "notes", search.notes


def main() -> None:
    """Read the question from stdin, write the answer to stdout, both JSON."""
    asked = json.loads(sys.stdin.buffer.read())
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, asked["seconds"])
    answer = dict(_answers(asked))
    signal.setitimer(signal.ITIMER_REAL, 0)
    sys.stdout.write(json.dumps(answer))
