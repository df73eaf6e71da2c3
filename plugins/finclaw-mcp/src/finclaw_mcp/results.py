"""What a server answers a call with, as the result of a tool."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.render import bounded

KIB = 1024


def result_of(answer: Mapping[str, Any]) -> object:
    """The result of a call.

    Args:
        answer: as the protocol has it (`CallToolResult`).

    Raises:
        ToolError: the tool failed, as the server reports.
    """
    structured = answer.get("structuredContent")
    lines = [line for block in answer.get("content") or () for line in _lines(block, structured)]
    text = "\n".join(lines)
    if answer.get("isError"):
        raise ToolError(text or "the tool failed, and its server does not give a reason")
    if structured is None:
        return text
    return structured if not lines else {"result": structured, "text": text}


def _lines(block: Mapping[str, Any], structured: object) -> Iterator[str]:
    match block.get("type"):
        case "text":
            text = str(block.get("text", ""))
            if structured is None or not _is_same(text, structured):
                yield text
        case "image" | "audio" as kind:
            yield f"[{kind}: {_media(block)}, not shown]"
        case "resource_link":
            yield f"[resource: {_named(block)}]"
        case "resource":
            yield from _resource(block.get("resource") or {})
        case other:
            yield f"[content of the unknown type {bounded(str(other), 40)}]"


def _resource(resource: Mapping[str, Any]) -> Iterator[str]:
    yield f"[resource: {_named(resource)}]"
    if "text" in resource:
        yield str(resource["text"])
    else:
        yield f"[{_media(resource)}, not shown]"


def _media(block: Mapping[str, Any]) -> str:
    data = str(block.get("data") or block.get("blob") or "")
    size = len(data) * 3 // 4
    return f"{bounded(str(block.get('mimeType') or 'unknown type'), 80)}, {max(1, size // KIB)} KiB"


def _named(block: Mapping[str, Any]) -> str:
    parts = (block.get("name"), block.get("uri"), block.get("mimeType"))
    return ", ".join(bounded(str(part), 300) for part in parts if part)


def _is_same(text: str, structured: object) -> bool:
    """Whether a text is the structured result, or the one value that servers put into an object, as its `result`."""
    if isinstance(structured, Mapping) and list(structured.values()) == [text]:
        return True
    try:
        return bool(json.loads(text) == structured)
    except (ValueError, RecursionError):
        return False
