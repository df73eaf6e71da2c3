"""Writes an export where it was asked for: to stdout, or to a file that is there whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.core.files import written_aside


def check_free(path: Path, *, force: bool) -> None:
    """Refuse early what would be refused in the end.

    Raises:
        UsageError: a file is there and may not be replaced, or something is there that is no file.
    """
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # nothing is there, or writing will say what
    if not stat.S_ISREG(mode):
        raise UsageError(f"{path} is there and is no regular file", hint="Name another file.")
    if not force:
        raise _there(path)


def write_stdout(pieces: Iterable[str]) -> None:
    """Write text to stdout: as UTF-8, and on a terminal as that reads it.

    Raises:
        OSError: stdout cannot be written.
    """
    encoding = (sys.stdout.isatty() and sys.stdout.encoding) or "utf-8"
    for piece in pieces:
        sys.stdout.buffer.write(piece.encode(encoding, "replace"))
    sys.stdout.buffer.flush()


def write_private(path: Path, pieces: Iterable[str], *, force: bool) -> None:
    """Write text to a file that only its owner can read.

    Raises:
        UsageError: a file is there, and `force` is not.
        OutputFailed: it cannot be written; what was there is as it was.
    """
    try:
        with written_aside(path) as (file, part):
            for piece in pieces:
                file.write(piece.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())
            _put(part, path, force=force)
    except FileExistsError:
        raise _there(path) from None
    except OSError as error:
        raise OutputFailed(
            f"{path} cannot be written: {error.strerror or error}", hint="Name a file in a folder that can be written."
        ) from error


def _put(part: Path, path: Path, *, force: bool) -> None:
    """Give the whole file its name; without `force` only where nothing has that name, also by now."""
    if not force:
        with suppress(PermissionError, NotImplementedError):  # file systems without links say so
            path.hardlink_to(part)
            return
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    part.replace(path)


def _there(path: Path) -> UsageError:
    return UsageError(f"{path} is there already", hint="Name another file, or add --force to replace it.")
