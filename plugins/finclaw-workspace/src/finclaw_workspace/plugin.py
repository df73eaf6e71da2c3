"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.sdk import hookimpl


@hookimpl
def finclaw_tools() -> Sequence[object]:
    """The tools that work inside the workspace."""
    from finclaw_workspace.editing import edit
    from finclaw_workspace.finding import glob
    from finclaw_workspace.reading import read
    from finclaw_workspace.searching import grep
    from finclaw_workspace.shelling import shell
    from finclaw_workspace.writing import write

    return [read, write, edit, glob, grep, shell]
