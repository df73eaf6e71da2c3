"""How long a tool may run."""

from __future__ import annotations

from collections.abc import Mapping

from finclaw_cli.core.tool import ToolSpec

DEFAULT_S = 30.0
USUAL_S: Mapping[str, float] = {
    "shell": 120.0,
    "web_fetch": 30.0,
    "web_search": 30.0,
    "read": 10.0,
    "write": 10.0,
    "edit": 10.0,
    "glob": 30.0,
    "grep": 60.0,
}
"""What tools of these names usually need, where neither the user nor the tool sets a limit."""


def time_limit(tool: ToolSpec, settings: Mapping[str, float], asked: float | None = None) -> float:
    """What the caller asks for, else the user's settings say, else the tool itself, else what is usual; in seconds."""
    if asked is not None:
        return asked
    wanted = settings.get(tool.name, tool.timeout_s)
    return wanted if wanted is not None else USUAL_S.get(tool.name, DEFAULT_S)
