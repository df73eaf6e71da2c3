"""Files of a tool call's workspace; what is refused becomes the tool's error."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.sdk.files.atomic import existing, replace
from finclaw_cli.sdk.files.beneath import WithoutLinks
from finclaw_cli.sdk.files.locking import locked
from finclaw_cli.sdk.files.names import Parts, shown
from finclaw_cli.sdk.files.refusal import Refused, from_os
from finclaw_cli.sdk.files.root import Root, Target

_CHUNK_BYTES = 1024 * 1024


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Turn refusals, and errors of the system, into errors of the tool.

    Raises:
        ToolError: with the code of the refusal.
    """
    try:
        yield
    except Refused as refused:
        raise ToolError(str(refused)) from refused
    except OSError as error:
        name = error.filename
        raise ToolError(str(from_os(error, shown(name) if isinstance(name, str) else "the file"))) from error


@contextmanager
def workspace_root(ctx: ToolContext, protected: Sequence[Parts] = ()) -> Iterator[Root]:
    """Open the workspace of a call; finclaw's own data in it is hidden.

    Raises:
        ToolError: for what is refused inside the block.
    """
    with refusals_as_errors(), Root(ctx.workspace, protected=protected, hidden=(ctx.home,)) as root:
        yield root


def read_file(ctx: ToolContext, path: str, limit: int) -> bytes:
    """The content of a regular file of the workspace. Links are not followed.

    Raises:
        Refused: it is outside, behind a link, missing, hidden, no regular file, or has more than `limit` bytes.
    """
    return b"".join(_chunks(ctx, path, limit))


@contextmanager
def private_copy(ctx: ToolContext, path: str, limit: int) -> Iterator[Path]:
    """A private copy of a file of the workspace under its own name, so that the checked bytes are those that are read.

    Raises:
        Refused: like `read_file`.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="finclaw-") as folder:
        chunks = _chunks(ctx, path, limit)
        first = next(chunks, b"")
        copy = Path(folder) / Path(path).name
        with copy.open("xb") as stream:
            stream.write(first)
            stream.writelines(chunks)
        yield copy


def _chunks(ctx: ToolContext, path: str, limit: int) -> Iterator[bytes]:
    left = limit
    try:
        with _without_links(ctx) as root, root.reading(path) as (found, _):
            while chunk := os.read(found.fd, _CHUNK_BYTES):
                left -= len(chunk)
                if left < 0:
                    raise Refused("TOO_LARGE", f"{shown(found.parts)} has more than {limit:,} bytes")
                yield chunk
    except OSError as error:
        raise from_os(error, shown(path)) from error


def write_file(ctx: ToolContext, path: str, content: bytes, *, may_replace: Callable[[bytes], bool]) -> None:
    """Write a file of the workspace atomically. Links are not followed, and no folders are made.

    Args:
        ctx: of the call.
        path: relative to the workspace.
        content: the whole new content.
        may_replace: gets the content of the file that is there, and returns whether it may be replaced.

    Raises:
        Refused: it is outside, protected, behind a link, or changed meanwhile, or the call was cancelled.
    """
    with _without_links(ctx) as root, root.writing(path, make=False) as target, locked(target, ctx.cancelled.is_set):
        before = existing(target, to_write=True)
        if before is not None and not may_replace(before.data):
            raise Refused("EXISTS", "another file is there; give a new name")
        replace(target, content, before, lambda: check_current(ctx, root, target))


def check_current(ctx: ToolContext, root: Root, target: Target) -> None:
    """Check, just before a file is renamed into place, that it is still to be written there.

    Raises:
        Refused: its folder was moved, or the call was cancelled.
    """
    if ctx.cancelled.is_set():
        raise Refused("CANCELLED", "the call was cancelled; nothing was written.")
    root.still_inside(target)


def _without_links(ctx: ToolContext) -> Root:
    return Root(ctx.workspace, hidden=(ctx.home,), opener=WithoutLinks())
