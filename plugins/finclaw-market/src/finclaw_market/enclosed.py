"""Files of the workspace: opened one component at a time, so that no link, no `..` and no race leads out of it."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from finclaw_cli.sdk import ToolContext, ToolError, is_protected_name, no_data
from finclaw_market.locking import folder_locked
from finclaw_market.svg import MARK
from finclaw_market.wording import echoed

MAX_BYTES = 200_000_000
_CHUNK = 1024 * 1024
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MAX_PATH = 1_000
_HEAD = 4_096


@contextmanager
def copied(ctx: ToolContext, path: str) -> Iterator[Path]:
    """A private copy of a file of the workspace, under its own name: what is checked is what is read.

    Raises:
        ToolError: BAD_INPUT: it is outside, behind a link, missing, no regular file, or too large.
    """
    with TemporaryDirectory(prefix="finclaw-") as folder, folder_of(ctx, path) as (within, name):
        target = Path(folder) / name
        with _opened(name, within, path) as source, target.open("xb") as copy:
            _copy(source, copy.fileno(), path)
        yield target


@contextmanager
def folder_of(ctx: ToolContext, path: str) -> Iterator[tuple[int, str]]:
    """The folder of a path, open, and the last name of the path; the folder must be there.

    Raises:
        ToolError: BAD_INPUT: the path leads outside the workspace, through a link, or into finclaw's own data.
    """
    *above, name = _parts(ctx, path)
    with ExitStack() as stack:
        try:
            here = os.open(ctx.workspace, _FOLDER & ~os.O_NOFOLLOW)
            stack.callback(os.close, here)
            _check_not_ours(here, ctx, path)
            for part in above:
                here = os.open(part, _FOLDER, dir_fd=here)
                stack.callback(os.close, here)
                _check_not_ours(here, ctx, path)
        except OSError as error:
            raise _refused(path, f"{error.strerror}; links are not followed") from None
        yield here, name


def _parts(ctx: ToolContext, path: str) -> tuple[str, ...]:
    given = Path(path)
    if given.is_absolute():
        with suppress(ValueError):
            given = given.relative_to(ctx.workspace)
    parts = given.parts
    if not parts or len(path) > _MAX_PATH or given.is_absolute() or ".." in parts or not path.isprintable():
        raise _refused(path, "give a file inside the workspace")
    return parts


def _check_not_ours(folder: int, ctx: ToolContext, path: str) -> None:
    """Keys and sessions lie in finclaw's data folder; the workspace may be around it."""
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(folder), ctx.home.stat()) and not ctx.home.samefile(ctx.workspace):
            raise _refused(path, "that is finclaw's own data")


@contextmanager
def _opened(name: str, within: int, path: str) -> Iterator[int]:
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=within)
    except OSError as error:
        raise _refused(path, f"{error.strerror}; links are not followed") from None
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise _refused(path, "it is no regular file")
        yield opened
    finally:
        os.close(opened)


def _copy(source: int, target: int, path: str) -> None:
    left = MAX_BYTES
    while chunk := os.read(source, _CHUNK):
        left -= len(chunk)
        if left < 0:
            raise _refused(path, f"it has more than {MAX_BYTES:,} bytes; the user can run: finclaw data import FILE")
        os.write(target, chunk)


def _refused(path: str, why: str) -> ToolError:
    return no_data(f"path {echoed(path)} cannot be used: {why}", code="BAD_INPUT")


def write_own(ctx: ToolContext, path: str, content: bytes) -> None:
    """Write a file of the workspace, whole or not at all; an existing one is replaced only if it is a plot of ours.

    Raises:
        ToolError: BAD_INPUT: the path leads outside or below a protected name, or another file is there.
    """
    if protected := next((part for part in _parts(ctx, path) if is_protected_name(part)), None):
        raise _refused(path, f"{protected} is protected: no tool writes there")
    with folder_of(ctx, path) as (folder, name), folder_locked(folder):
        _check_own(folder, name, path)
        draft = f".finclaw-{secrets.token_hex(8)}.tmp"
        try:
            made = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
            try:
                with os.fdopen(made, "wb") as stream:
                    stream.write(content)
                _check_wanted(ctx, path)
                _check_own(folder, name, path)  # another program takes no lock
                os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                os.unlink(draft, dir_fd=folder)
                raise
        except OSError as error:
            raise _refused(path, f"it cannot be written: {error.strerror}") from None


def _check_wanted(ctx: ToolContext, path: str) -> None:
    if ctx.cancelled.is_set():
        raise _refused(path, "the call was cancelled; nothing was written")


def _check_own(folder: int, name: str, path: str) -> None:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _refused(path, error.strerror or "it cannot be looked at") from None
    with _opened(name, folder, path) as existing:
        if MARK.encode() not in os.read(existing, _HEAD):
            raise _refused(path, "another file is there; give a new name")
