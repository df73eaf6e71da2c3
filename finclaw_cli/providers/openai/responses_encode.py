"""A question as a Responses request, stateless: OpenAI keeps nothing, so its earlier answers are sent again."""

from __future__ import annotations

from typing import cast

from finclaw_cli.core.json_text import JsonObject, canonical, plain
from finclaw_cli.core.messages import Message, ToolResultBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.providers.fields import text, without_nulls
from finclaw_cli.providers.openai.calls import result_text
from finclaw_cli.providers.openai.profiles import ResponsesProfile
from finclaw_cli.providers.openai.responses_decode import DIALECT
from finclaw_cli.providers.wire_names import short_id, wire_name

# An id makes the server look for an item that it did not store; `status` is refused as unknown on these types.
_OUTPUT_ONLY = frozenset({"id", "created_by"})
_STATUS_REFUSED = frozenset({"message", "reasoning", "function_call"})
# What the API takes at most.
MAX_NAME, MAX_ID = 64, 64
# Below this the API answers 400.
_LEAST_OUTPUT = 16


def encode_responses(request: ModelRequest, profile: ResponsesProfile) -> JsonObject:
    """Build the body. The input comes last, so that a longer conversation begins with the bytes of a shorter one."""
    body: JsonObject = {"model": request.model, "stream": True, "store": False, **_of_server(profile)}
    if request.temperature is not None and profile.temperature:
        body["temperature"] = request.temperature
    if (limit := request.most_output(None)) is not None:
        body["max_output_tokens"] = max(limit, _LEAST_OUTPUT)
    if request.schema is not None and profile.text_format:
        wanted: JsonObject = {"type": "json_schema", "name": "answer", "schema": request.schema, "strict": False}
        body["text"] = {"format": wanted}
    if instructions := request.instructions:
        body["instructions"] = instructions
    if request.tools:
        body["tools"] = [_tool(spec) for spec in sorted(request.tools, key=lambda spec: spec.name)]
        if profile.parallel_tool_calls:
            body["parallel_tool_calls"] = True
    body["input"] = [item for message in request.messages for item in _items(message, request.model, profile)]
    return cast("JsonObject", plain(body))


def _of_server(profile: ResponsesProfile) -> JsonObject:
    included: JsonObject = {"include": ["reasoning.encrypted_content"]} if profile.encrypted_reasoning else {}
    return included if profile.service_tier is None else {**included, "service_tier": profile.service_tier}


def _tool(spec: ToolSpec) -> JsonObject:
    # Strict is what this wire takes for granted, and it refuses any schema with an optional field.
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.input_schema,
        "strict": False,
    }


def _items(message: Message, model: str, profile: ResponsesProfile) -> list[JsonObject]:
    if message.role != "assistant":
        return _others(message)
    raw = message.raw
    if raw is None or raw.dialect != DIALECT or raw.model != model:
        return _rebuilt(message)
    return [_echo(item) for item in raw.blocks if item.get("type") != "reasoning" or _readable(item, profile)]


def _readable(reasoning: JsonObject, profile: ResponsesProfile) -> bool:
    # Without its encrypted content it would only be a name for something that was not stored.
    return profile.echoed_reasoning and bool(reasoning.get("encrypted_content"))


def _echo(item: JsonObject) -> JsonObject:
    kind = text(item.get("type"))
    dropped = _OUTPUT_ONLY | ({"status"} if kind in _STATUS_REFUSED else set())
    kept = {key: value for key, value in without_nulls(item).items() if key not in dropped}
    if kind == "function_call":
        kept["call_id"] = short_id(text(kept.get("call_id")), MAX_ID)
        kept["name"] = wire_name(text(kept.get("name")), MAX_NAME)
    return kept


def _others(message: Message) -> list[JsonObject]:
    blocks = () if isinstance(message.content, str) else message.content
    items: list[JsonObject] = [
        {"type": "function_call_output", "call_id": short_id(block.tool_use_id, MAX_ID), "output": result_text(block)}
        for block in blocks
        if isinstance(block, ToolResultBlock)
    ]
    if message.text or not items:
        items.append({"role": "system" if message.role == "system" else "user", "content": message.text})
    return items


def _rebuilt(message: Message) -> list[JsonObject]:
    items: list[JsonObject] = [{"role": "assistant", "content": message.text}] if message.text else []
    items += [
        {
            "type": "function_call",
            "call_id": short_id(call.id, MAX_ID),
            "name": wire_name(call.name, MAX_NAME),
            "arguments": canonical(call.input),
        }
        for call in message.tool_calls
    ]
    return items
