"""`finclaw --version`, answered before anything else is imported."""

from __future__ import annotations

import os
import sys

from finclaw_cli import __version__


def print_version() -> None:
    """Print the version and end the process; return where it cannot be printed, which the caller reports."""
    try:
        print(f"finclaw {__version__}", flush=True)  # noqa: T201 - the output package is not imported yet
    except (OSError, ValueError):
        return
    if sys.stdout is not None:  # None: closed from the start
        os._exit(0)
