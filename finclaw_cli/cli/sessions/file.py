"""Writing an export to stdout, or to a file, atomically."""

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
    """Check in advance that the file may be written.

    Raises:
        UsageError: the file exists and may not be replaced, or it is no regular file.
    """
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # it does not exist, or writing reports the error
    if not stat.S_ISREG(mode):
        raise UsageError(f"{path} is there and is no regular file", hint="Name another file.")
    if not force:
        raise _there(path)


def write_stdout(pieces: Iterable[str]) -> None:
    """Write text to stdout: as UTF-8, and on a terminal in its encoding.

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
        UsageError: the file exists, and `force` is false.
        OutputFailed: it cannot be written; an existing file is unchanged.
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
    """Rename the complete file; without `force` only where the name is still free."""
    if not force:
        with suppress(PermissionError, NotImplementedError):  # file systems without hard links
            path.hardlink_to(part)
            return
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    part.replace(path)


def _there(path: Path) -> UsageError:
    return UsageError(f"{path} is there already", hint="Name another file, or add --force to replace it.")
