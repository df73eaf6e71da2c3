"""What every tool of this plugin begins with: its workspace, opened, and refusals in a model's words."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_workspace.names import Parts, shown
from finclaw_workspace.refusal import Refused, from_os
from finclaw_workspace.root import Root, below
from finclaw_workspace.settings import WorkspaceSettings, settings_of


@contextmanager
def workspace(ctx: ToolContext, *, to_write: bool = False) -> Iterator[Root]:
    """The workspace of a call; what is refused inside becomes the tool's answer.

    Raises:
        ToolError: whatever was refused.
    """
    settings = settings_of(ctx)
    if to_write and not settings.writable:
        raise ToolError("PROTECTED: the user's settings make the workspace read-only. Show the change instead.")
    protected = protected_in(ctx.workspace, settings)
    with answering(), Root(ctx.workspace, protected=protected, hidden=(ctx.home,)) as root:
        yield root


def protected_in(folder: Path, settings: WorkspaceSettings) -> tuple[Parts, ...]:
    """What else is read-only: what the settings say, and the installation that runs finclaw, where it lies inside."""
    installation = below(os.path.realpath(folder), os.path.realpath(sys.prefix))
    return (*settings.protected_parts, *((installation,) if installation else ()))


@contextmanager
def answering() -> Iterator[None]:
    """Make refusals, and what the system refuses, a tool's answers."""
    try:
        yield
    except Refused as refused:
        raise ToolError(str(refused)) from refused
    except OSError as error:
        name = error.filename
        raise ToolError(str(from_os(error, shown(name) if isinstance(name, str) else "the file"))) from error


def checked(name: str, value: int, low: int, high: int) -> int:
    """A number that the model gave, within its bounds.

    Raises:
        ToolError: it is outside them.
    """
    if not low <= value <= high:
        raise ToolError(f"BAD_INPUT: {name} is {value}, not between {low} and {high}. Give another.")
    return value
