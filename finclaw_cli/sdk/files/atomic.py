"""Replacing a file atomically: all of the new content, or no change."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from finclaw_cli.sdk.files.names import shown
from finclaw_cli.sdk.files.refusal import Refused, from_os
from finclaw_cli.sdk.files.root import Target, regular

MAX_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Existing:
    """The file at a target: its content and status when it was read."""

    data: bytes
    facts: os.stat_result


def existing(target: Target, *, to_write: bool) -> Existing | None:
    """Read the file at a target; None where there is none.

    Raises:
        Refused: it is no regular file, is too large, must not be written, or has a second name (a hard link), which
            may be outside.
    """
    if target.folder is None:
        return None
    how = (os.O_RDWR if to_write else os.O_RDONLY) | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        fd = os.open(target.name, how, dir_fd=target.folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.EISDIR:
            raise Refused("IS_A_FOLDER", f"{shown(target.parts)} is a folder. Give the name of a file.") from error
        if error.errno == errno.ELOOP:
            raise Refused("NOT_FOUND", f"{shown(target.parts)} is a link to nothing here. Use another name.") from error
        raise from_os(error, shown(target.parts)) from error
    with os.fdopen(fd, "rb") as file:
        facts = regular(fd, target.parts)
        if facts.st_nlink > 1:
            raise Refused("HARD_LINK", f"{shown(target.parts)} has a second name elsewhere. Write a new file instead.")
        if facts.st_size > MAX_BYTES:
            raise Refused("TOO_LARGE", f"{shown(target.parts)} has {facts.st_size:,} bytes, more than {MAX_BYTES:,}.")
        return Existing(file.read(MAX_BYTES + 1), facts)


def replace(target: Target, data: bytes, before: Existing | None, check: Callable[[], None]) -> None:
    """Write a file beside the target and rename it; keep the mode, and where possible the owner.

    Args:
        target: with its folder open.
        data: the whole new content.
        before: the result of `existing`; the file must be unchanged since.
        check: called just before the rename; may raise `Refused`.

    Raises:
        Refused: it cannot be written, or another process changed the file.
    """
    if target.folder is None:
        raise Refused("NOT_FOUND", f"the folder of {shown(target.parts)} does not exist.")
    name = f".finclaw-{secrets.token_hex(8)}.tmp"
    try:
        _write(name, target.folder, data, before)
        try:
            _check_unchanged(target, before)
            check()
            os.rename(name, target.name, src_dir_fd=target.folder, dst_dir_fd=target.folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(name, dir_fd=target.folder)
            raise
        with suppress(OSError):  # some file systems cannot do this for folders
            os.fsync(target.folder)
    except OSError as error:
        raise from_os(error, shown(target.parts)) from error


def _write(name: str, folder: int, data: bytes, before: Existing | None) -> None:
    # A new file gets the mode of the umask; a replacement is private until it gets the mode of the old file.
    mode = 0o666 if before is None else 0o600
    fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=folder)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            if before is not None:
                with suppress(OSError):  # only root may change the owner
                    os.fchown(fd, before.facts.st_uid, before.facts.st_gid)
                os.fchmod(fd, stat.S_IMODE(before.facts.st_mode) & 0o777)
            os.fsync(fd)
    except BaseException:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def _check_unchanged(target: Target, before: Existing | None) -> None:
    try:
        now = os.stat(target.name, dir_fd=target.folder, follow_symlinks=False)
    except FileNotFoundError:
        same = before is None
    else:
        same = before is not None and _identity(now) == _identity(before.facts)
    if not same:
        raise Refused("CHANGED", f"{shown(target.parts)} was changed by another process. Read it again.")


def _identity(facts: os.stat_result) -> tuple[int, ...]:
    return (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_nlink)
