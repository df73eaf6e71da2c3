"""Our conversation as the body of a Messages request. Pure.

The body's keys and blocks stand in an order that only ever grows at its end, so that one turn's request is the prefix
of the next one's and is read from the provider's cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from finclaw_cli.core.json_text import JsonObject, plain
from finclaw_cli.core.messages import ContentBlock, Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.providers.anthropic.schema import accepted_schema
from finclaw_cli.providers.wire_names import wire_id, wire_name

DIALECT = "anthropic-messages"
DEFAULT_MAX_TOKENS = 16_000
NO_OUTPUT = "(no output)"
# Of names and ids alike.
MAX_NAME = 128
_MARKABLE = frozenset({"text", "tool_use", "tool_result"})

Turn = tuple[str, list[JsonObject]]


def encode(request: ModelRequest) -> JsonObject:
    """Write the request. The sampling temperature is left out: the API refuses it on every current model."""
    body: JsonObject = {
        "model": request.model,
        "max_tokens": request.most_output(DEFAULT_MAX_TOKENS),
        "stream": True,
    }
    if request.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": accepted_schema(request.schema)}}
    if request.tools:
        body["tools"] = plain(_tools(request.tools))
    if system := _system(request):
        body["system"] = plain(system)
    turns = _turns(request.messages, request.model)
    _mark_ends(turns)
    body["messages"] = plain([{"role": role, "content": blocks} for role, blocks in turns])
    return body


def _system(request: ModelRequest) -> list[JsonObject]:
    """What stays is cached; what changes from run to run comes after it."""
    blocks: list[JsonObject] = []
    if request.system.strip():
        blocks.append(_marked({"type": "text", "text": request.system}))
    if request.state.strip():
        blocks.append({"type": "text", "text": request.state})
    return blocks


def _tools(specs: Sequence[ToolSpec]) -> list[JsonObject]:
    tools: list[JsonObject] = [
        {"name": spec.name, "description": spec.description, "input_schema": spec.input_schema}
        for spec in sorted(specs, key=lambda spec: spec.name)
    ]
    return [*tools[:-1], _marked(tools[-1])]


def _turns(messages: Iterable[Message], model: str) -> list[Turn]:
    """Messages without anything in them vanish; neighbours of the same role become one, results before words."""
    turns: list[Turn] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _echoed(message, model) or _rebuilt(message)
        if not blocks:
            continue
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        else:
            turns.append((role, blocks))
    for role, blocks in turns:
        if role == "user":
            blocks.sort(key=lambda block: block["type"] != "tool_result")
    return turns


def _echoed(message: Message, model: str) -> list[JsonObject]:
    """The provider's own blocks as they came, where this very model wrote them: its thinking is bound to it."""
    raw = message.raw
    if raw is None or raw.dialect != DIALECT or raw.model != model:
        return []
    return [_with_safe_id(_without_mark(block)) for block in raw.blocks if not _is_blank(block)]


def _without_mark(block: JsonObject) -> JsonObject:
    return {key: value for key, value in block.items() if key != "cache_control"}


def _is_blank(block: JsonObject) -> bool:
    """Text without words: models write it, and the API refuses to take it back."""
    return block.get("type") == "text" and not str(block.get("text") or "").strip()


def _with_safe_id(block: JsonObject) -> JsonObject:
    if block.get("type") != "tool_use":
        return block
    name, call_id = str(block.get("name")), str(block.get("id"))
    return {**block, "id": wire_id(call_id, MAX_NAME), "name": wire_name(name, MAX_NAME)}


def _rebuilt(message: Message) -> list[JsonObject]:
    content = (TextBlock(message.content),) if isinstance(message.content, str) else message.content
    return [encoded for block in content if (encoded := _block(block)) is not None]


def _block(block: ContentBlock) -> JsonObject | None:
    match block:
        case TextBlock(text=text):
            return {"type": "text", "text": text} if text.strip() else None
        case ToolUseBlock():
            given = cast("JsonObject", plain(block.input))
            return {
                "type": "tool_use",
                "id": wire_id(block.id, MAX_NAME),
                "name": wire_name(block.name, MAX_NAME),
                "input": given,
            }
        case ToolResultBlock():
            return _result(block)
        case _:  # another model's thinking
            return None


def _result(block: ToolResultBlock) -> JsonObject:
    content = block.content if block.content.strip() else NO_OUTPUT
    result: JsonObject = {
        "type": "tool_result",
        "tool_use_id": wire_id(block.tool_use_id, MAX_NAME),
        "content": content,
    }
    return {**result, "is_error": True} if block.is_error else result


def _mark_ends(turns: list[Turn]) -> None:
    """Cache up to the end of this request, and read what the previous one cached at its own end."""
    if not turns:
        return
    _mark_last(turns[-1][1])
    earlier = [blocks for role, blocks in turns[:-1] if role == "user"]
    if earlier:
        _mark_last(earlier[-1])


def _mark_last(blocks: list[JsonObject]) -> None:
    for at in range(len(blocks) - 1, -1, -1):
        if blocks[at].get("type") in _MARKABLE:
            blocks[at] = _marked(blocks[at])
            return


def _marked(block: JsonObject) -> JsonObject:
    return {**block, "cache_control": {"type": "ephemeral"}}
