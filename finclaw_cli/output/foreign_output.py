"""Foreign output to descriptors 1 and 2 while tools run: of C libraries, processes, `os.write`.

Where stderr is a terminal, these descriptors lead into a pipe, whose content a thread writes to the terminal, cleaned
as all other output. finclaw's own output uses another descriptor of the terminal.
"""

from __future__ import annotations

import codecs
import os
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO, cast

from finclaw_cli.output.clean_stream import CleanStream

READ_BYTES = 65_536
PAUSE_S = 0.05
"""The time after which an incomplete line is shown."""
DRAIN_S = 0.3
"""How long the end of the process waits for the rest in the pipe, which other processes may hold open."""

_reader: threading.Thread | None = None


def stderr_fd() -> int:
    """The descriptor of finclaw's own output to stderr."""
    try:
        return sys.__stderr__.fileno() if sys.__stderr__ is not None else 2
    except (OSError, ValueError):
        return 2


def clean_foreign_output(keep_private: Callable[[int], None]) -> None:
    """Redirect descriptors 1 and 2 into the pipe, if stderr is a terminal.

    Args:
        keep_private: called with the terminal's descriptor, to keep it from processes that tools fork.
    """
    global _reader  # noqa: PLW0603 - there is one terminal
    if _reader is not None or sys.__stderr__ is None or not os.isatty(2):
        return
    terminal = os.dup(2)
    keep_private(terminal)
    sys.__stderr__.flush()
    own = open(terminal, "w", encoding=sys.__stderr__.encoding, errors="backslashreplace", buffering=1)  # noqa: PTH123, SIM115 - lives as long as the process
    setattr(sys, "__stderr__", own)  # noqa: B010 - used by rich and others, and final for mypy
    sys.stderr = cast("TextIO", CleanStream(own, always=True))
    reading, writing = os.pipe()
    os.dup2(writing, 1)
    os.dup2(writing, 2)
    os.close(writing)
    _reader = threading.Thread(target=_hand_on, args=(reading,), name="finclaw-foreign-output", daemon=True)
    _reader.start()


def drain_foreign_output() -> None:
    """Show the rest in the pipe, at the end of the process; what is written after that is not shown."""
    if _reader is None:
        return
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        for fd in (1, 2):
            os.dup2(nowhere, fd)
    _reader.join(DRAIN_S)


def _hand_on(reading: int) -> None:
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    waiting = ""
    with suppress(OSError, ValueError):
        while True:
            if waiting and not select.select([reading], [], [], PAUSE_S)[0]:
                waiting = _shown(waiting)
            data = os.read(reading, READ_BYTES)
            waiting += decode(data)
            if not data or len(waiting) > READ_BYTES:
                waiting = _shown(waiting)
            if not data:
                return
            lines, newline, waiting = waiting.rpartition("\n")
            _shown(lines + newline)


def _shown(text: str) -> str:
    """Write cleaned text to stderr; return the empty rest."""
    if text:
        sys.stderr.write(text)
        sys.stderr.flush()
    return ""
