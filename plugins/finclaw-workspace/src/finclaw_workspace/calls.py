"""The workspace of a call under the user's settings, and checks of a model's numbers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.sdk.files import Parts, Root, below, workspace_root
from finclaw_workspace.settings import WorkspaceSettings, settings_of


@contextmanager
def workspace(ctx: ToolContext, *, to_write: bool = False) -> Iterator[Root]:
    """Open the workspace of a call.

    Raises:
        ToolError: it is read-only by the settings, or for what is refused inside the block.
    """
    settings = settings_of(ctx)
    if to_write and not settings.writable:
        raise ToolError("PROTECTED: the user's settings make the workspace read-only. Show the change instead.")
    protected = protected_in(ctx.workspace, settings)
    with workspace_root(ctx, protected) as root:
        yield root


def protected_in(folder: Path, settings: WorkspaceSettings) -> tuple[Parts, ...]:
    """What else is read-only: what the settings say, and the installation that runs finclaw, where it lies inside."""
    installation = below(os.path.realpath(folder), os.path.realpath(sys.prefix))
    return (*settings.protected_parts, *((installation,) if installation else ()))


def checked(name: str, value: int, low: int, high: int) -> int:
    """A number that the model gave, within its bounds.

    Raises:
        ToolError: it is outside them.
    """
    if not low <= value <= high:
        raise ToolError(f"BAD_INPUT: {name} is {value}, not between {low} and {high}. Give another.")
    return value
