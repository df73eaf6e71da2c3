"""Chat Completions streams that fail, and answers that are no streams."""

from __future__ import annotations

import json
from typing import Any

from tests.wire.openai_chat_wire import (
    ARGS,
    PLAIN_USAGE,
    STOP,
    TRUNCATED,
    USE,
    calls,
    chunk,
    echoed,
    entry,
    stream,
    usage,
    words,
)
from tests.wire.openai_turns import Fault, Turn, Vector
from tests.wire.server import sse

FAULTS = [
    Vector("nothing at all", b"", TRUNCATED),
    Vector("a clean end without a marker", stream(words("Hi"), done=False), TRUNCATED),
    Vector("a clean end inside a call", stream(calls(entry(0, "call_1", "pay", ARGS)), done=False), TRUNCATED),
    Vector(
        "counting along is no marker",
        stream({**words("Hi"), "usage": usage()["usage"]}, done=False),
        TRUNCATED,
    ),
    Vector("counting before the first word is no marker", stream(usage(), done=False), TRUNCATED),
    Vector("usage in a chunk of its own is no marker", stream(words("Hi"), usage(), done=False), TRUNCATED),
    Vector(
        "usage between the words is no marker",
        stream(words("Sell "), usage(), words("not"), done=False),
        TRUNCATED,
    ),
    Vector(
        "usage behind a call that was only announced is no marker",
        stream(calls(entry(0, "call_1", "pay", "")), usage(), done=False),
        TRUNCATED,
    ),
    Vector(
        "words after a reason to stop lack an end",
        stream(words("Sell "), STOP, words("not"), done=False),
        TRUNCATED,
    ),
    Vector(
        "a call after a reason to stop lacks an end, whatever was counted",
        stream(words("Hi"), STOP, calls(entry(0, "call_1", "pay", "")), usage(), done=False),
        TRUNCATED,
    ),
    Vector(
        "input after a reason to stop lacks an end",
        stream(calls(entry(0, "call_1", "pay", "")), USE, calls(entry(0, args=ARGS)), done=False),
        TRUNCATED,
    ),
    Vector(
        "half an event behind a reason to stop is a cut",
        stream(words("Hi"), STOP, done=False) + b'data: {"choices": [{"delta": {"content": "not',
        TRUNCATED,
    ),
    Vector(
        "half a line behind a reason to stop is a cut",
        stream(words("Hi"), STOP, done=False) + b"dat",
        TRUNCATED,
    ),
    Vector(
        "a chunk that is no JSON",
        stream(words("Hi"), done=False) + b"data: {oops\n\n",
        Fault(reason="connection", code="stream_malformed"),
    ),
    Vector(
        "an error beside choices, after a finish reason",
        stream(words("Hi"), {**chunk({}, "length"), "error": {"code": 400, "message": "bad"}}),
        Fault(reason="bad_request"),
    ),
    Vector(
        "an error in a chunk of its own",
        stream(words("Hi"), {"error": {"message": "busy", "type": "server_error", "code": "rate_limit_exceeded"}}),
        Fault(reason="rate_limit", code="rate_limit_exceeded"),
    ),
    Vector(
        "litellm's status is text, and what it does not know is None",
        stream(words("Hi"), {"error": {"message": "no", "type": "None", "param": "None", "code": "401"}}),
        Fault(reason="auth"),
    ),
    Vector(
        "Ollama's error is a string",
        stream(words("Hi"), {"error": "model runner has stopped"}),
        Fault(reason="server_error"),
    ),
    Vector(
        "Groq's error event",
        stream(words("Hi"), done=False)
        + sse(
            "error",
            {
                "error": {
                    "message": "no",
                    "type": "invalid_request_error",
                    "code": "tool_use_failed",
                    "failed_generation": "x",
                }
            },
        ),
        Fault(reason="server_error", code="tool_use_failed"),
    ),
    Vector(
        "an error event with nothing around the error",
        sse("error", {"message": "no", "code": "overloaded"}),
        Fault(reason="overloaded"),
    ),
    Vector("an error event that is only words", sse("error", '"went wrong"'), Fault(reason="server_error")),
    Vector(
        "vLLM's error object",
        stream({"object": "error", "message": "too much", "code": 429}),
        Fault(reason="rate_limit"),
    ),
    Vector(
        "Gemini's error is in an array",
        sse("", [{"error": {"code": 503, "status": "UNAVAILABLE", "message": "x"}}]),
        Fault(reason="overloaded"),
    ),
    Vector(
        "an error inside the choice",
        stream({"choices": [{"delta": {}, "error": {"code": 502, "message": "x"}}]}),
        Fault(reason="server_error"),
    ),
    Vector(
        "a finish reason that says error",
        stream(words("Hi"), chunk({}, "error")),
        Fault(reason="server_error", code="error"),
    ),
    Vector(
        "DeepSeek's finish reason for being overloaded",
        stream(words("Hi"), chunk({}, "insufficient_system_resource")),
        Fault(reason="overloaded"),
    ),
]


def _whole(message: dict[str, Any], finish: Any, **extra: Any) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return json.dumps({"object": "chat.completion", "choices": [choice], **extra}).encode()


JSON = "application/json"
WHOLE = [
    Vector(
        "a plain body instead of a stream",
        _whole({"content": "Hi", "reasoning_content": "hm"}, "stop", usage=usage()["usage"]),
        Turn(text="Hi", reasoning="hm", usage=PLAIN_USAGE),
        (echoed(content="Hi", reasoning_content="hm"),),
        content_type=JSON,
    ),
    Vector(
        "calls in a plain body, without ids",
        _whole(
            {"content": None, "tool_calls": [entry(None, None, "pay", '{"a":1}'), entry(None, None, "pay", '{"a":1}')]},
            "stop",
        ),
        Turn(calls=(("*", "pay", '{"a":1}'), ("*", "pay", '{"a":1}')), stop="tool_use"),
        content_type=JSON,
    ),
    Vector("an error in a plain body", b'{"error": "no such model"}', Fault(reason="server_error"), content_type=JSON),
    Vector("a plain body that is no answer", b'{"hello": "world"}', TRUNCATED, content_type=JSON),
]
