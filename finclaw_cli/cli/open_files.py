"""The limit of open files of a process in which much goes on at once."""

from __future__ import annotations

import resource
from typing import Final

from finclaw_cli.core.errors import UsageError

FILES_A_RUN: Final = 4
"""A transcript, its lock, a connection, and one for a tool."""
_OTHER_FILES: Final = 128


def allow_open_files(option: str, value: int, each: int, others: int = 0) -> None:
    """Raise this process's limit of open files to what it may need, as far as the system allows it.

    Args:
        option: sets how much goes on at once.
        value: its value.
        each: how many files one needs.
        others: how many files are needed beside these.

    Raises:
        UsageError: the system does not allow so many.
    """
    others += _OTHER_FILES
    needed = others + each * value
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or needed <= soft:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise UsageError(
            f"{option} {value} may need {needed:,} open files, and this process may have {hard:,}",
            hint=f"Raise that limit, or use {option} {max(1, (hard - others) // each)}.",
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
