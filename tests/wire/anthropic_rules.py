"""Anthropic's own rules for a request, as far as they can be checked without asking Anthropic."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
Body = dict[str, Any]


def lint_request(body: Body) -> list[str]:
    """What the API would refuse; nothing, for a good request."""
    return [*_frame(body), *_messages(body["messages"]), *_pairs(body["messages"])]


def _frame(body: Body) -> Iterator[str]:
    json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
    if forbidden := {"temperature", "top_p", "top_k"} & set(body):
        yield f"sampling parameters {forbidden}"
    if not isinstance(body.get("max_tokens"), int):
        yield "max_tokens is missing"
    names = [tool["name"] for tool in body.get("tools", [])]
    if len(set(names)) != len(names) or not all(map(NAME.fullmatch, names)):
        yield "tool names"
    if body.get("tools") == [] or body.get("system") in ("", []):
        yield "an empty list"
    if len(marks(body)) > 4:
        yield f"{len(marks(body))} blocks with cache_control"


def marks(node: object) -> list[object]:
    """Every block that carries a cache breakpoint."""
    if isinstance(node, dict):
        own = [node] if "cache_control" in node else []
        return own + [found for value in node.values() for found in marks(value)]
    return [found for value in node for found in marks(value)] if isinstance(node, list) else []


def _messages(messages: list[Body]) -> Iterator[str]:
    for before, after in zip(messages, messages[1:], strict=False):  # noqa: RUF007
        if before["role"] == after["role"]:
            yield "two neighbours of one role"
    for message in messages:
        if not message["content"]:
            yield "an empty message"
        kinds = [block["type"] for block in message["content"]]
        if message["role"] == "user" and kinds != sorted(kinds, key=lambda kind: kind != "tool_result"):
            yield "a tool_result after other content"
        for block in message["content"]:
            yield from _block(block)


def _block(block: Body) -> Iterator[str]:
    match block["type"]:
        case "text" if not block["text"].strip():
            yield "text without words"
        case "tool_use" if not isinstance(block["input"], dict) or not all(
            map(NAME.fullmatch, (block["id"], block["name"]))
        ):
            yield "a malformed tool_use"
        case "tool_result" if block.get("is_error") and not block["content"]:
            yield "an empty error"
        case "thinking" | "redacted_thinking" if "cache_control" in block:
            yield "cache_control on thinking"


def _pairs(messages: list[Body]) -> Iterator[str]:
    asked: list[str] = []
    for message in messages:
        answered = [block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"]
        if sorted(answered) != sorted(asked):
            yield f"results {answered} for calls {asked}"
        asked = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
        if len(set(asked)) != len(asked):
            yield f"calls of one id: {asked}"
