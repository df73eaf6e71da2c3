"""Tools as servers declare them, as finclaw's: what may run unasked is decided here, never by the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.toolsets import ToolSpec
from finclaw_mcp.digests import digest
from finclaw_mcp.entries import Entry
from finclaw_mcp.names import shown_names

MAX_DESCRIPTION = 4_000
Effect = Literal["read", "claims to read", "write", "transact"]
JsonTool = Mapping[str, Any]
"""A tool as the protocol has it (`tools/list`)."""
_PINNED = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


def tool_digest(tool: JsonTool) -> str:
    """Changes with anything of a tool that the user looked at, or the model is given."""
    return digest({key: tool.get(key) for key in _PINNED})


def effect_of(tool: JsonTool, entry: Entry) -> Effect:
    """What a call does, as far as it is believed.

    What the protocol assumes where a server is silent on it is the worst: it changes things, outside, for good. A tool
    that may do that could place an order. A hint is a claim of the server, and two that contradict are none.
    """
    known = entry.tools.get(str(tool["name"]))
    if known is not None and known.effect is not None:
        return known.effect
    hints: Mapping[str, Any] = tool.get("annotations") or {}
    if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is not True:
        return "read" if entry.hints == "believe" else "claims to read"
    is_harmless = hints.get("destructiveHint") is False or hints.get("openWorldHint") is False
    return "write" if is_harmless and hints.get("readOnlyHint") is not True else "transact"


def specs_of(server: str, tools: Sequence[JsonTool], entry: Entry) -> dict[str, ToolSpec]:
    """The declarations of a server's tools that the user wants, by their names at the server."""
    names = shown_names(server, [str(tool["name"]) for tool in tools])
    return {
        str(tool["name"]): _spec(names[str(tool["name"])], tool, entry)
        for tool in tools
        if entry.offers(str(tool["name"]))
    }


def _spec(name: str, tool: JsonTool, entry: Entry) -> ToolSpec:
    effect = effect_of(tool, entry)
    hints: Mapping[str, Any] = tool.get("annotations") or {}
    is_believed = entry.hints == "believe" and effect != "transact"
    return ToolSpec(
        name=name,
        description=bounded(str(tool.get("description") or tool.get("title") or tool["name"]), MAX_DESCRIPTION),
        input_schema=_schema(tool.get("inputSchema")),
        group="web" if effect == "read" else "custom",  # the usual verdicts: a read runs unasked, all else asks
        requires_approval=effect in {"write", "claims to read"},
        transactional=effect == "transact",
        read_only=effect == "read",
        idempotent=is_believed and hints.get("idempotentHint") is True,
        external=True,
        timeout_s=entry.timeout_s(str(tool["name"])),
    )


def _schema(given: object) -> dict[str, Any]:
    """The schema of an object, which every provider of models takes."""
    schema = {key: value for key, value in given.items() if key != "$schema"} if isinstance(given, Mapping) else {}
    return {**schema, "type": "object", "properties": schema.get("properties") or {}}
