"""Messages as a transcript keeps them: everything that is needed to send the conversation on, and nothing lost.

A call's input is kept as canonical JSON in a string, because its numbers are exact and JSON's are not.
"""

from __future__ import annotations

from typing import Any, cast, get_args

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.json_text import InvalidJson, JsonObject, canonical, parse_object
from finclaw_cli.core.messages import (
    ContentBlock,
    Message,
    ReasoningBlock,
    Role,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)


class NoMessage(ValueError):
    """A record is not a message; the text is the reason."""


def message_data(message: Message) -> JsonObject:
    """A message as JSON."""
    content = message.content
    data: JsonObject = {
        "role": message.role,
        "content": content if isinstance(content, str) else [_block_data(block) for block in content],
    }
    if (raw := message.raw) is not None:
        data["raw"] = {"dialect": raw.dialect, "model": raw.model, "blocks": list(raw.blocks)}
    return data


def _block_data(block: ContentBlock) -> JsonObject:
    match block:
        case TextBlock(text):
            return {"type": "text", "text": text}
        case ReasoningBlock(text, signature):
            return {"type": "reasoning", "text": text, "signature": signature}
        case ToolUseBlock(call_id, name, arguments, invalid):
            return {"type": "tool_use", "id": call_id, "name": name, "input": canonical(arguments), "invalid": invalid}
        case ToolResultBlock(call_id, text, is_error):
            return {"type": "tool_result", "id": call_id, "content": text, "is_error": is_error}


def message_of(data: JsonObject) -> Message:
    """The message that JSON stands for.

    Raises:
        NoMessage: it stands for none.
    """
    try:
        role, content, raw = data["role"], data["content"], data.get("raw")
        if role not in get_args(Role):
            raise NoMessage(f"{role!r} is not a role")
        return Message(
            cast("Role", role),
            content if isinstance(content, str) else tuple(_block_of(cast("Any", block)) for block in _list(content)),
            None if raw is None else _raw_of(cast("Any", raw)),
        )
    except (KeyError, TypeError, AttributeError, InvalidJson) as error:
        raise NoMessage(f"it has not the form of a message: {error!r}") from None


def compacted_messages(data: JsonObject) -> list[Message]:
    """The messages of a compaction.

    Raises:
        NoMessage: one of them is none, or there are none.
    """
    messages = data.get("messages")
    if not isinstance(messages, list) or not messages:
        raise NoMessage("it has no messages")
    return [message_of(message) if isinstance(message, dict) else message_of({}) for message in messages]


def _raw_of(data: dict[str, Any]) -> RawTurn:
    blocks = tuple(_dict(block) for block in _list(data["blocks"]))
    return RawTurn(dialect=_text(data["dialect"]), model=_text(data["model"]), blocks=blocks)


def _block_of(data: dict[str, Any]) -> ContentBlock:
    match data["type"]:
        case "text":
            return TextBlock(_text(data["text"]))
        case "reasoning":
            return ReasoningBlock(_text(data["text"]), _maybe_text(data["signature"]))
        case "tool_use":
            arguments = parse_object(_text(data["input"]))
            return ToolUseBlock(_text(data["id"]), _text(data["name"]), arguments, _maybe_text(data["invalid"]))
        case "tool_result":
            return ToolResultBlock(_text(data["id"]), _text(data["content"]), data["is_error"] is True)
        case unknown:
            raise NoMessage(f"there is no block of type {unknown!r}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _maybe_text(value: object) -> str | None:
    return None if value is None else _text(value)


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value


def _dict(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no object")
    return value
