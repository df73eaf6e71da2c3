"""What a descriptor leads to."""

from __future__ import annotations

import os


def is_terminal(fd: int) -> bool:
    """Whether it leads to a terminal; one that is closed does not."""
    try:
        return os.isatty(fd)
    except OSError:
        return False
