"""A question as a Chat Completions request. Pure; what the server wants differently stands in its profile."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import cast

from finclaw_cli.core.json_text import JsonObject, JsonValue, canonical, plain
from finclaw_cli.core.messages import Message, ToolCall, ToolResultBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.providers.fields import records, text
from finclaw_cli.providers.openai.calls import result_text
from finclaw_cli.providers.openai.chat_decode import DIALECT
from finclaw_cli.providers.openai.chat_message import VENDOR_FIELDS
from finclaw_cli.providers.openai.profiles import ChatProfile
from finclaw_cli.providers.wire_names import short_id, wire_name

# What OpenAI takes at most; other servers take more, or do not mind.
MAX_NAME, MAX_ID = 64, 40
_SHORT_ID = re.compile(r"[A-Za-z0-9]{9}")


def encode_chat(request: ModelRequest, profile: ChatProfile) -> JsonObject:
    """Build the body. The messages come last, so that a longer conversation begins with the bytes of a shorter one."""
    body: JsonObject = {"model": request.model, "stream": True}
    if profile.stream_options:
        body["stream_options"] = {"include_usage": True}
    if profile.service_tier is not None:
        body["service_tier"] = profile.service_tier
    if request.temperature is not None and profile.temperature:
        body["temperature"] = request.temperature
    if (limit := request.most_output(None)) is not None:
        body[profile.max_tokens] = limit
    if request.schema is not None and profile.response_format:
        named: JsonObject = {"name": "answer", "schema": request.schema, "strict": False}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    if request.tools:
        body["tools"] = [_tool(spec) for spec in sorted(request.tools, key=lambda spec: spec.name)]
        if profile.reasoning_effort is not None:
            body["reasoning_effort"] = profile.reasoning_effort
    body["messages"] = [*_messages(request, profile)]
    return cast("JsonObject", plain(body))


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "type": "function",
        "function": {"name": spec.name, "description": spec.description, "parameters": spec.input_schema},
    }


def _messages(request: ModelRequest, profile: ChatProfile) -> list[JsonObject]:
    encoded: list[JsonObject] = [{"role": "system", "content": system}] if (system := request.instructions) else []
    for message in request.messages:
        if message.role == "assistant":
            encoded.append(_assistant(message, request.model, profile))
        else:
            _add(encoded, _others(message, profile))
    return encoded


def _add(encoded: list[JsonObject], others: list[JsonObject]) -> None:
    """Append messages; two of the user in a row, as after a turn that failed, become one: some templates demand it."""
    for each in others:
        last = encoded[-1] if encoded else {}
        if each["role"] == last.get("role") == "user":
            encoded[-1] = {**last, "content": f"{last['content']}\n\n{each['content']}"}
        else:
            encoded.append(each)


def _others(message: Message, profile: ChatProfile) -> list[JsonObject]:
    """Results first: nothing may stand between a call and its answer."""
    blocks = () if isinstance(message.content, str) else message.content
    encoded: list[JsonObject] = [
        {"role": "tool", "tool_call_id": _call_id(block.tool_use_id, profile), "content": result_text(block)}
        for block in blocks
        if isinstance(block, ToolResultBlock)
    ]
    if message.text or not encoded:
        encoded.append({"role": message.role if message.role == "system" else "user", "content": message.text})
    return encoded


def _assistant(message: Message, model: str, profile: ChatProfile) -> JsonObject:
    raw = message.raw
    if raw is not None and raw.dialect == DIALECT and raw.model == model and raw.blocks:
        encoded = _echo(raw.blocks[0], profile)
    else:
        encoded = _rebuilt(message, profile)
    if profile.padded_reasoning and "tool_calls" in encoded:
        encoded.setdefault("reasoning_content", "")
    return encoded


def _echo(message: JsonObject, profile: ChatProfile) -> JsonObject:
    kept = {key: value for key, value in message.items() if profile.vendor_fields or key not in VENDOR_FIELDS}
    if "tool_calls" in kept:
        kept["tool_calls"] = [
            {**call, "id": _call_id(text(call.get("id")), profile), **_named(call)}
            for call in records(kept["tool_calls"])
        ]
    return kept


def _named(call: JsonObject) -> JsonObject:
    """The call's function under a name that is taken; nothing, where it has none."""
    function = call.get("function")
    if not isinstance(function, dict) or "name" not in function:
        return {}
    return {"function": {**function, "name": wire_name(text(function["name"]), MAX_NAME)}}


def _rebuilt(message: Message, profile: ChatProfile) -> JsonObject:
    calls: list[JsonValue] = [_call(call, profile) for call in message.tool_calls]
    words: JsonValue = message.text or (None if calls else "")
    return {"role": "assistant", "content": words, **({"tool_calls": calls} if calls else {})}


def _call(call: ToolCall, profile: ChatProfile) -> JsonObject:
    function: JsonObject = {"name": wire_name(call.name, MAX_NAME), "arguments": canonical(call.input)}
    return {"id": _call_id(call.id, profile), "type": "function", "function": function}


def _call_id(identifier: str, profile: ChatProfile) -> str:
    if not profile.short_call_ids or _SHORT_ID.fullmatch(identifier):
        return short_id(identifier, MAX_ID)
    return sha256(identifier.encode("utf-8", "replace")).hexdigest()[:9]
