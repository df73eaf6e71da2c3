"""Answers of models in three dialects, for a server of tests: from the body of a request to the body of its answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from finclaw_cli.core.record import record

Body = dict[str, Any]
INPUT, CACHED, OUTPUT = 60, 40, 10
"""The tokens of each answer."""


@record(kw_only=True)
class Asked:
    """What a request asks."""

    prompt: str
    """The last text of the user."""
    has_results: bool
    """Whether results of tools come after it."""


@record(kw_only=True)
class Reply:
    """The answer of a model: a text, or one call of a tool."""

    text: str = ""
    tool: str = ""
    input: Mapping[str, object] | None = None

    @property
    def call_id(self) -> str:
        """The same for the same call."""
        return f"call_{hashlib.sha256(self.arguments.encode()).hexdigest()[:12]}"

    @property
    def arguments(self) -> str:
        """The input as JSON."""
        return json.dumps(dict(self.input or {}))


def asked(body: Body) -> Asked:
    """What a body of any of the dialects asks."""
    messages = body["messages"] if "messages" in body else _items(body["input"])
    prompt = next(_text(each) for each in reversed(messages) if each.get("role") == "user" and _text(each))
    return Asked(prompt=prompt, has_results=_is_result(messages[-1]))


def message(body: Body, reply: Reply) -> Body:
    """An answer of Anthropic's Messages."""
    block: Body = {"type": "text", "text": reply.text}
    if reply.tool:
        block = {"type": "tool_use", "id": reply.call_id, "name": reply.tool, "input": dict(reply.input or {})}
    usage = {"input_tokens": INPUT, "cache_read_input_tokens": CACHED, "output_tokens": OUTPUT, "service_tier": "batch"}
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": [block],
        "stop_reason": "tool_use" if reply.tool else "end_turn", "stop_sequence": None, "usage": usage,
    }  # fmt: skip


def response(body: Body, reply: Reply) -> Body:
    """An answer of OpenAI's Responses."""
    item: Body = {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": reply.text, "annotations": []}],
    }  # fmt: skip
    if reply.tool:
        item = {
            "type": "function_call", "id": "fc_1", "call_id": reply.call_id, "name": reply.tool,
            "arguments": reply.arguments, "status": "completed",
        }  # fmt: skip
    usage = {
        "input_tokens": INPUT + CACHED, "input_tokens_details": {"cached_tokens": CACHED}, "output_tokens": OUTPUT,
        "total_tokens": INPUT + CACHED + OUTPUT,
    }  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "status": "completed", "model": body["model"], "output": [item],
        "usage": usage,
    }  # fmt: skip


def completion(body: Body, reply: Reply) -> Body:
    """An answer of OpenAI's Chat Completions."""
    turn: Body = {"role": "assistant", "content": reply.text}
    if reply.tool:
        call = {
            "id": reply.call_id, "type": "function", "function": {"name": reply.tool, "arguments": reply.arguments},
        }  # fmt: skip
        turn = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {
        "prompt_tokens": INPUT + CACHED, "prompt_tokens_details": {"cached_tokens": CACHED},
        "completion_tokens": OUTPUT, "total_tokens": INPUT + CACHED + OUTPUT,
    }  # fmt: skip
    reason = "tool_calls" if reply.tool else "stop"
    return {
        "id": "c_1", "object": "chat.completion", "model": body["model"], "usage": usage,
        "choices": [{"index": 0, "message": turn, "finish_reason": reason}],
    }  # fmt: skip


DIALECTS: Final[Mapping[str, Callable[[Body, Reply], Body]]] = {
    "/v1/messages": message,
    "/v1/responses": response,
    "/v1/chat/completions": completion,
}
"""What answers at each endpoint."""


def _items(given: object) -> list[Body]:
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []


def _text(turn: Body) -> str:
    content = turn.get("content")
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content or () if part.get("type") == "text")


def _is_result(turn: Body) -> bool:
    if turn.get("role") == "tool" or turn.get("type") == "function_call_output":
        return True
    content = turn.get("content")
    return isinstance(content, list) and any(part.get("type") == "tool_result" for part in content)
