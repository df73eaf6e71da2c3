"""Files of the workspace: opened one folder at a time, so that no link, no `..` and no race leads out of it."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack, suppress
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError, no_data
from finclaw_ledger.problems import FileProblem
from finclaw_ledger.textfile import MAX_BYTES, RawFile, raw_file
from finclaw_ledger.wording import echoed

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAX_PATH = 1_000


def read_enclosed(ctx: ToolContext, path: str) -> RawFile:
    """The bytes of a file of the workspace.

    Raises:
        ToolError: BAD_INPUT: it is outside, behind a link, missing, no regular file, too large or empty.
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
            opened = os.open(name, _FILE, dir_fd=here)
            stack.callback(os.close, opened)
            if not stat.S_ISREG(os.fstat(opened).st_mode):
                raise _refused(path, "it is no regular file")
            with os.fdopen(opened, "rb", closefd=False) as stream:
                return raw_file(name, stream.read(MAX_BYTES + 1))
        except OSError as error:
            raise _refused(path, f"{error.strerror}; links are not followed") from None
        except FileProblem as error:
            raise _refused(path, str(error)) from None


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


def _refused(path: str, why: str) -> ToolError:
    return no_data(f"path {echoed(path)} cannot be used: {why}", code="BAD_INPUT")
