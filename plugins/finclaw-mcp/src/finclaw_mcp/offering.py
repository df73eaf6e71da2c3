"""finclaw's tools and their results as the protocol has them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import mcp_types as types

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.toolsets import ToolSpec

FINANCE: dict[str, Any] = {
    "type": "object",
    "description": "Numbers with their units, their date and their sources. Money and prices are decimal strings.",
    "properties": {
        "data": {"description": "The numbers; session dates are YYYY-MM-DD, fractions stand in place of percent."},
        "as_of": {"type": "string", "description": "The date of the numbers."},
        "units": {"type": "object", "description": "The unit of each field."},
        "sources": {"type": "array", "description": "Where the numbers come from."},
        "warnings": {"type": "array", "description": "What limits their use."},
    },
    "required": ["data"],
}
"""The schema of results of finance tools; keys that say nothing are left out of a result."""
_TYPES: dict[str, type] = {"as_of": str, "units": dict, "sources": list, "warnings": list}


def is_offered_unasked(spec: ToolSpec) -> bool:
    """Whether a tool is offered where the user names none: it reads, and is of finance."""
    return spec.group == "finance" and spec.read_only and not spec.transactional and spec.source != "builtin"


def chosen(specs: Iterable[ToolSpec], named: Sequence[str]) -> list[str]:
    """The names of the tools to offer, of those that the patterns found; one that moves money has to be named.

    Raises:
        ToolError: there is none.
    """
    if named:
        whole = {name for name in named if not set(name) & set("*?[:")}
        names = whole | {name.rpartition(".")[2] for name in whole}  # of DIST.NAME
        found = [spec.name for spec in specs if not spec.transactional or spec.name in names]
    else:
        found = [spec.name for spec in specs if is_offered_unasked(spec)]
    if not found:
        raise ToolError("there is no tool to offer; one that moves money has to be named: -t NAME")
    return found


def declared(spec: ToolSpec) -> types.Tool:
    """A tool as it is listed."""
    reads = spec.read_only and not spec.transactional
    return types.Tool(
        name=spec.name,
        description=spec.description,
        input_schema=dict(spec.input_schema),
        output_schema=FINANCE if spec.group == "finance" else None,
        annotations=types.ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=not reads,
            idempotent_hint=reads or spec.is_repeatable,
            open_world_hint=spec.external,
        ),
    )


def result(spec: ToolSpec, text: str) -> types.CallToolResult:
    """The result of a call as text, and as a JSON value where it is one."""
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if spec.group == "finance" and not _is_finance_result(value):
        value = {"data": value}
    structured = value if isinstance(value, dict) else None
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=structured)


def failure(text: str) -> types.CallToolResult:
    """The error of a call, for the model of the client."""
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _is_finance_result(value: object) -> bool:
    if not isinstance(value, dict) or "data" not in value:
        return False
    return all(isinstance(value[key], kind) for key, kind in _TYPES.items() if key in value)
