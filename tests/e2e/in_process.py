"""Commands that read and list, in the process of the tests; no run is made by them, and no code of plugins runs."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

COMMANDS = frozenset({"agents", "config", "context", "cost", "events", "models", "replay", "sessions"})
MADE_AGAIN = frozenset({"--verify", "--live-tools", "--model", "-m"})
"""With these a replay is a run."""
HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)


class _Ended(BaseException):
    """The command ends its process."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def in_main_thread() -> bool:
    """Whether a command can be run here, which sets handlers of signals."""
    return threading.current_thread() is threading.main_thread()


def only_reads(arguments: Sequence[str]) -> bool:
    """Whether a command line is one of these."""
    return not COMMANDS.isdisjoint(arguments[:1]) and MADE_AGAIN.isdisjoint(arguments)


def run_in_process(
    arguments: Sequence[str], *, env: Mapping[str, str], cwd: Path, stdin: bytes | None
) -> tuple[int, bytes, bytes]:
    """Run the command line to its end: its exit code, stdout and stderr."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        given.write(stdin or b"")
        given.seek(0)
        with surroundings(env, cwd), _state_of_the_process(), _streams(given, out, errors):
            sys.argv = ["finclaw", *arguments]
            code = _end_of_main()
        return code, _whole(out), _whole(errors)


@contextlib.contextmanager
def surroundings(variables: Mapping[str, str], cwd: Path) -> Iterator[None]:
    """The environment, the folder, the paths of imports and the modules that the command would have."""
    path, imported = list(sys.path), set(sys.modules)
    added = [each for each in variables.get("PYTHONPATH", "").split(os.pathsep) if each and each not in path]
    with patch.dict(os.environ, variables, clear=True), contextlib.chdir(cwd):
        sys.path[:0] = added
        time.tzset()
        try:
            yield
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - imported:
                if str(getattr(sys.modules[name], "__file__", "")).startswith(tuple(added)):
                    del sys.modules[name]
    time.tzset()


def _end_of_main() -> int:
    from finclaw_cli.__main__ import main
    from finclaw_cli.cli.plugins.own_commands import plugin_commands

    def end(code: int) -> NoReturn:
        raise _Ended(code)

    try:
        with patch("os._exit", end):
            main()
    except _Ended as ended:
        return ended.code
    finally:
        plugin_commands.cache_clear()
    raise AssertionError("a command ends its process")


@contextlib.contextmanager
def _state_of_the_process() -> Iterator[None]:
    """Restore what a command changes as the process is its own."""
    handlers = [(number, signal.getsignal(number)) for number in HANDLED]
    arguments, thresholds, collects = sys.argv, gc.get_threshold(), gc.isenabled()
    try:
        yield
    finally:
        sys.argv = arguments
        gc.set_threshold(*thresholds)
        if collects:
            gc.enable()
        for number, handler in handlers:
            signal.signal(number, handler)


@contextlib.contextmanager
def _streams(*files: Any) -> Iterator[None]:
    """The standard streams of a process."""
    saved, streams = [os.dup(number) for number in range(3)], (sys.stdin, sys.stdout, sys.stderr)
    for number, file in enumerate(files):
        os.dup2(file.fileno(), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        for number, fd in enumerate(saved):
            os.dup2(fd, number)
            os.close(fd)
        _close_duplicates(files[1].fileno())


def _close_duplicates(fd: int) -> None:
    """Close the descriptors of the same file, which commands keep until their process ends."""
    for each in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        with contextlib.suppress(OSError):
            if each != fd and os.path.sameopenfile(each, fd):
                os.close(each)


def _whole(file: Any) -> bytes:
    file.seek(0)
    content: bytes = file.read()
    return content
