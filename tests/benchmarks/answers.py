"""A turn of so many deltas, in each dialect that a command of the table or a peer speaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.wire.server import anthropic_sse, openai_sse, responses_sse, sse

WORDS = "some words "
MODEL = "claude-sonnet-5-5"


def anthropic(deltas: int) -> bytes:
    message: dict[str, object] = {
        "id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": MODEL, "stop_reason": None,
        "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 1},
    }  # fmt: skip
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": WORDS}}
    return anthropic_sse(
        [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            *[delta] * deltas,
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                "usage": {"output_tokens": 9},
            },
            {"type": "message_stop"},
        ]
    )


def chat(deltas: int) -> bytes:
    def chunk(delta: Mapping[str, str], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    usage = {"prompt_tokens": 10, "completion_tokens": 9, "total_tokens": 19}
    said = [chunk({"content": WORDS})] * deltas
    last = {**chunk({}), "choices": [], "usage": usage}
    return openai_sse([chunk({"role": "assistant", "content": ""}), *said, chunk({}, "stop"), last])


def responses(deltas: int) -> bytes:
    part = {"type": "output_text", "text": WORDS * deltas, "annotations": []}
    item = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": [part]}
    usage = {
        "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 19,
    }  # fmt: skip
    answer = {"id": "r", "object": "response", "status": "in_progress", "output": []}
    place = {"item_id": "i", "output_index": 0, "content_index": 0}
    return responses_sse(
        [
            {"type": "response.created", "response": answer},
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
            {"type": "response.content_part.added", **place, "part": {**part, "text": ""}},
            *[{"type": "response.output_text.delta", **place, "delta": WORDS}] * deltas,
            {"type": "response.output_text.done", **place, "text": WORDS * deltas},
            {"type": "response.content_part.done", **place, "part": part},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {
                "type": "response.completed",
                "response": {**answer, "status": "completed", "output": [item], "usage": usage},
            },
        ]
    )


def gemini(deltas: int) -> bytes:
    def chunk(text: str, **more: object) -> dict[str, Any]:
        content = {"role": "model", "parts": [{"text": text}]}
        return {"candidates": [{"content": content, "index": 0, **more}], "modelVersion": "gemini-2.5-flash"}

    usage = {"promptTokenCount": 10, "candidatesTokenCount": 9, "totalTokenCount": 19}
    chunks: Iterable[Mapping[str, Any]] = [chunk(WORDS)] * deltas
    last = {**chunk("", finishReason="STOP"), "usageMetadata": usage}
    return b"".join(sse("", data) for data in [*chunks, last])


DIALECTS: Mapping[str, Callable[[int], bytes]] = {
    "anthropic": anthropic,
    "chat": chat,
    "responses": responses,
    "gemini": gemini,
}
