"""Short hand for Anthropic's events, and for what our chunks say of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from finclaw_cli.core.chunks import (
    Done,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
)

Event = dict[str, Any]


def begin(**usage: Any) -> Event:
    return {"type": "message_start", "message": {"id": "msg_1", "usage": usage or {"input_tokens": 5}}}


def start(index: int, kind: str, **fields: Any) -> Event:
    return {"type": "content_block_start", "index": index, "content_block": {"type": kind, **fields}}


def delta(index: int, kind: str, **fields: Any) -> Event:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def stop(index: int) -> Event:
    return {"type": "content_block_stop", "index": index}


def text(index: int, *pieces: str) -> list[Event]:
    return [start(index, "text", text=""), *(delta(index, "text_delta", text=piece) for piece in pieces), stop(index)]


def call(index: int, *pieces: str, call_id: str = "toolu_1", name: str = "get_quote", **fields: Any) -> list[Event]:
    """A whole call; without the last event it is an open one."""
    deltas = (delta(index, "input_json_delta", partial_json=piece) for piece in pieces)
    return [start(index, "tool_use", id=call_id, name=name, input={}, **fields), *deltas, stop(index)]


def thinking(index: int, thought: str = "Hm.", signature: str = "sig==") -> list[Event]:
    deltas = [delta(index, "thinking_delta", thinking=thought)] if thought else []
    return [
        start(index, "thinking", thinking="", signature=""),
        *deltas,
        delta(index, "signature_delta", signature=signature),
        stop(index),
    ]


def end(reason: str | None = "end_turn", /, *, usage: Event | None = None, **fields: Any) -> list[Event]:
    counted = usage if usage is not None else {"output_tokens": 7}
    return [
        {"type": "message_delta", "delta": {"stop_reason": reason, **fields}, "usage": counted},
        {"type": "message_stop"},
    ]


def error(kind: str, message: str = "sorry", **fields: Any) -> Event:
    return {"type": "error", "error": {"type": kind, "message": message, **fields}, "request_id": "req_9"}


def told(chunks: Iterable[StreamChunk]) -> list[str]:
    """The chunks in words, neighbouring pieces joined, without the usage."""
    lines: list[str] = []
    for chunk in chunks:
        head, piece = _line(chunk)
        if piece and lines and lines[-1].startswith(head):
            lines[-1] += piece
        elif head:
            lines.append(head + piece)
    return lines


def _line(chunk: StreamChunk) -> tuple[str, str]:
    """The chunk's line, and the part of it that a neighbour of the same kind may go on with."""
    match chunk:
        case TextDelta():
            return "text ", chunk.text
        case ReasoningDelta():
            return (f"signs {chunk.signature}", "") if chunk.signature else ("thinks ", chunk.text)
        case ToolUseStart():
            return f"start {chunk.id} {chunk.name}", ""
        case ToolInputDelta():
            return f"input {chunk.id} ", chunk.delta
        case ToolUseEnd():
            return f"end {chunk.id}", ""
        case Done():
            return f"done {chunk.stop_reason}" + f" ({chunk.detail})" * bool(chunk.detail), ""
        case _:
            return "", ""
