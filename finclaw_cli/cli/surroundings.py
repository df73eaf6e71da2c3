"""Checks and changes of the process's environment before anything else."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import cast

from finclaw_cli.core.errors import FinclawError, OutputFailed, UsageError

STANDARD = (0, 1, 2)
NOT_IMPORTED = ("linkify_it", "msvcrt", "nt", "_winapi", "winreg", "pywintypes", "win32ctypes")
"""What libraries import where it is there: markdown-it a plugin of its own, Python and keyring modules of Windows."""


def refuse_plugins_of_libraries() -> None:
    """Keep libraries from importing plugins of their own, which any installed package may register."""
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    for name in [name for name in os.environ if name.startswith("OTEL_PYTHON_") or name == "OTEL_PROPAGATORS"]:
        del os.environ[name]  # they name entry points of opentelemetry, which an SDK imports
    for name in NOT_IMPORTED:
        sys.modules.setdefault(name, cast("ModuleType", None))


def settle_descriptors() -> None:
    """Open closed standard streams on the null device, so that no other file gets their descriptors.

    Raises:
        OutputFailed: stdout was closed.
    """
    for descriptor in STANDARD:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - lives as long as the process
    if sys.stdout is None:
        raise OutputFailed("stdout is closed: there is nowhere to write", code="stdout_closed")


def check_folder() -> None:
    """Make sure that the working directory exists.

    Raises:
        UsageError: it was removed.
    """
    try:
        os.getcwd()  # noqa: PTH109 - without importing pathlib
    except OSError as error:
        raise UsageError("the current folder no longer exists", hint="Go to another one and try again.") from error


def of_the_system(error: Exception) -> FinclawError | None:
    """An error of the system in writing stdout as a FinclawError; None for any other."""
    if isinstance(error, OSError) and error.filename is None:
        return OutputFailed(f"stdout cannot be written: {error.strerror or error}", code="stdout_failed")
    return None
