"""Files of the workspace for imports and plots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError, no_data
from finclaw_cli.sdk.files import Refused, private_copy, write_file
from finclaw_cli.sdk.render import quoted
from finclaw_market.svg import MARK

_MAX_BYTES = 200_000_000
_HEAD_BYTES = 4_096


@contextmanager
def copied(ctx: ToolContext, path: str) -> Iterator[Path]:
    """A private copy of a file of the workspace under its own name, so that the checked bytes are those that are read.

    Raises:
        ToolError: BAD_INPUT: it is outside, behind a link, missing, no regular file, or too large.
    """
    try:
        with private_copy(ctx, path, _MAX_BYTES) as copy:
            yield copy
    except Refused as refused:
        more = "; the user can run: finclaw data import FILE" if refused.code == "TOO_LARGE" else ""
        raise _refused(path, refused.reason + more) from None


def write_own(ctx: ToolContext, path: str, content: bytes) -> None:
    """Write a plot to the workspace atomically; an existing file is replaced only if it is a plot of this plugin.

    Raises:
        ToolError: BAD_INPUT: the path leads outside or below a protected name, or another file is there.
    """
    try:
        write_file(ctx, path, content, may_replace=lambda before: MARK.encode() in before[:_HEAD_BYTES])
    except Refused as refused:
        if refused.code == "BUSY":
            raise no_data(refused.reason, code="BUSY") from None
        raise _refused(path, refused.reason) from None


def _refused(path: str, why: str) -> ToolError:
    return no_data(f"path {quoted(path)} cannot be used: {why.removesuffix('.')}", code="BAD_INPUT")
