"""Keeping what a plugin prints while it is imported away from stdout, at the level of descriptors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from finclaw_cli.core.environment import environment


@contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Point descriptor 1 at stderr for a while, so that no `print`, C library or child reaches stdout.

    In a process of another program, whose threads write to stdout meanwhile, nothing is changed.
    """
    if not environment().owns_process:
        yield
        return
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # closed: there is nothing to protect
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
