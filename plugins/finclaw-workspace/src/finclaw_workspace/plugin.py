"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.sdk import ToolAt, hookimpl, tools_at


@hookimpl
def finclaw_tools() -> Sequence[ToolAt]:
    """The tools that work inside the workspace."""
    return tools_at(
        __package__,
        "reading:read",
        "writing:write",
        "editing:edit",
        "finding:glob",
        "searching:grep",
        "shelling:shell",
    )
