"""The pieces that Responses vectors are made of."""

from __future__ import annotations

from typing import Any

from finclaw_cli.core.chunks import UsageReport
from tests.wire.openai_turns import Fault
from tests.wire.server import responses_sse

TRUNCATED = Fault(reason="connection", code="stream_truncated")
ARGS = '{"to":"bob","amount":100}'
COUNTS = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 30},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 8},
    "total_tokens": 120,
}
COUNTED = UsageReport(input=10, output=20, cache_read=60, cache_write=30, reasoning=8)


def created() -> dict[str, Any]:
    return {"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "error": None}}


def over(status: str = "completed", *, output: Any = (), **response: Any) -> dict[str, Any]:
    said = {"id": "resp_1", "object": "response", "status": status, "error": None, "output": list(output), **response}
    return {"type": f"response.{status}", "response": said}


def message(text: str = "", index: int = 0, **extra: Any) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}] if text else []
    return {
        "type": "message",
        "id": f"msg_{index}",
        "status": "completed",
        "role": "assistant",
        "content": content,
        **extra,
    }


def function(call: str, name: str, args: str, index: int = 0) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": f"fc_{index}",
        "call_id": call,
        "name": name,
        "arguments": args,
        "status": "completed",
    }


def reasoning(index: int = 0, **extra: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": f"rs_{index}", "summary": [], "encrypted_content": "c2VjcmV0", **extra}


def added(item: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(item: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def delta(kind: str, piece: str, index: int = 0, **extra: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}.delta", "output_index": index, "item_id": f"it_{index}", "delta": piece, **extra}


def text_of(*pieces: str, index: int = 0) -> list[dict[str, Any]]:
    said = [delta("output_text", piece, index, content_index=0) for piece in pieces]
    return [added(message(index=index), index), *said, done(message("".join(pieces), index), index)]


def call_of(call: str, name: str, *pieces: str, index: int = 0) -> list[dict[str, Any]]:
    args = "".join(pieces)
    return [
        added(function(call, name, "", index), index),
        *(delta("function_call_arguments", piece, index) for piece in pieces),
        {"type": "response.function_call_arguments.done", "output_index": index, "item_id": "x", "arguments": args},
        done(function(call, name, args, index), index),
    ]


def stream(*events: dict[str, Any] | list[dict[str, Any]]) -> bytes:
    flat = [event for part in events for event in (part if isinstance(part, list) else [part])]
    return responses_sse(flat)
