"""The version, told at once: scripts ask for it, and people after each update."""

from __future__ import annotations

import os
import sys

from finclaw_cli import __version__


def tell_version() -> None:
    """Print the version and end the process; come back where it could not be printed, which others report."""
    try:
        print(f"finclaw {__version__}", flush=True)  # noqa: T201 - before there is any output of ours
    except (OSError, ValueError):
        return
    if sys.stdout is not None:  # closed from the start
        os._exit(0)
