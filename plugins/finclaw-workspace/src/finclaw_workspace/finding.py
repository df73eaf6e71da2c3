"""`glob`: the files whose path matches a pattern."""

from __future__ import annotations

import time

from finclaw_cli.sdk import PlainText, ToolContext, tool
from finclaw_cli.sdk.files import MAX_PATH, shown
from finclaw_workspace.calls import workspace
from finclaw_workspace.patterns import PathPattern
from finclaw_workspace.walk import Walk

_MAX_FOUND = 1000
_WALK_S = 20.0


@tool(group="system", read_only=True, idempotent=True, timeout=30)
def glob(pattern: str, ctx: ToolContext, path: str = ".") -> PlainText:
    """List the files and folders whose path matches; folders end in a slash. Leaves out .git, node_modules, .venv.

    Args:
        pattern: as in "**/*.py" or "data/*.{csv,json}"; "*" stays within one folder.
        ctx: given by finclaw.
        path: the folder to look in.
    """
    with workspace(ctx) as root, root.folder(path) as top:
        wanted, above = PathPattern(pattern), len(top.parts)
        walk = Walk(root, time.monotonic() + _WALK_S, enter=lambda parts: wanted.may_lead_to(parts[above:]))
        found: list[str] = []
        for entry in walk.entries(top):
            if wanted.matches(entry.parts[above:]):
                found.append(shown(entry.parts, MAX_PATH) + ("/" if entry.is_folder else ""))
            if len(found) > _MAX_FOUND or ctx.cancelled.is_set():
                break
    return PlainText(_text(found, cut=len(found) > _MAX_FOUND, stopped=walk.stopped))


def _text(found: list[str], *, cut: bool, stopped: bool) -> str:
    lines = sorted(found[:_MAX_FOUND])
    if cut:
        lines.append(f"[only the first {_MAX_FOUND}; there are more: narrow the pattern]")
    if stopped:
        lines.append("[not everything was looked at: give a folder as path]")
    return "\n".join(lines) or "[nothing matches]"
