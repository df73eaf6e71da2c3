"""What the declaration of a tool has to be, wherever it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import GROUPS, ToolSpec, declaration

MAX_TOOL_CHARS = 200_000
"""Of a tool in its manifest: its schema, description and examples as JSON."""
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def check_declaration(tool: ToolSpec, others: Iterable[ToolSpec]) -> None:
    """Check a tool beside the others of its plugin.

    Raises:
        UsageError: its name, group or schema cannot be used, or another tool has that name.
    """
    name = tool.name
    if not TOOL_NAME.fullmatch(name):
        raise UsageError(f"tool {name!r}: a name is {TOOL_NAME.pattern}")
    if any(other.name == name for other in others):
        raise UsageError(f"tool {name!r} is offered twice by the same plugin")
    if tool.group not in GROUPS:
        raise UsageError(f"tool {name!r}: no group is called {tool.group!r}; groups: {', '.join(GROUPS)}")
    if tool.input_schema.get("type") != "object":
        raise UsageError(f"tool {name!r}: its input schema must be of type object")
    _check_size(tool)


def _check_size(tool: ToolSpec) -> None:
    """Refuse what no manifest can keep: a schema that contains itself, values that are no JSON, megabytes."""
    try:
        size = len(json.dumps(asdict(declaration(tool)), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        why = "it contains itself" if isinstance(error, RecursionError) else str(error)
        raise UsageError(f"tool {tool.name!r}: its schema or examples are not JSON: {why}") from error
    if size > MAX_TOOL_CHARS:
        raise UsageError(f"tool {tool.name!r}: its description has {size:,} characters; at most {MAX_TOOL_CHARS:,}")
