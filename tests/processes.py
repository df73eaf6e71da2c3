"""What other processes there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def command_lines() -> Iterator[str]:
    """The command lines of all processes that can be seen."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
