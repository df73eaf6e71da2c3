"""Responses streams that fail."""

from __future__ import annotations

import json

from tests.wire.openai_responses_wire import (
    ARGS,
    TRUNCATED,
    added,
    call_of,
    created,
    delta,
    done,
    function,
    over,
    stream,
    text_of,
)
from tests.wire.openai_turns import Fault, Vector
from tests.wire.server import sse

FAULTS = [
    Vector("nothing at all", b"", TRUNCATED),
    Vector("a clean end without a terminal event", stream(created(), text_of("Hi")), TRUNCATED),
    Vector("a clean end behind a whole call", stream(call_of("call_1", "pay", ARGS)), TRUNCATED),
    Vector("a stray done marker is no end", stream(text_of("Hi")) + b"data: [DONE]\n\n", TRUNCATED),
    Vector(
        "a completed turn over half a call",
        stream(added(function("call_1", "pay", "")), delta("function_call_arguments", '{"to"'), over()),
        TRUNCATED,
    ),
    Vector(
        "input after its call's end",
        stream(call_of("call_1", "pay", '{"to":"bob"'), delta("function_call_arguments", ',"amount":100}'), over()),
        Fault(reason="server_error", code="stream_malformed"),
    ),
    Vector(
        "input after its end was announced",
        stream(
            added(function("call_1", "pay", "")),
            {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": '{"to":"bob"'},
            delta("function_call_arguments", ',"amount":100}'),
            done(function("call_1", "pay", ARGS)),
            over(),
        ),
        Fault(reason="server_error", code="stream_malformed"),
    ),
    Vector(
        "more input in the finished item than at its announced end",
        stream(
            added(function("call_1", "pay", "")),
            {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": '{"to":"bob",'},
            done(function("call_1", "pay", ARGS)),
            over(),
        ),
        Fault(reason="server_error", code="stream_malformed"),
    ),
    Vector(
        "arguments in two versions",
        stream(
            added(function("call_1", "pay", "")),
            delta("function_call_arguments", '{"amount":100}'),
            done(function("call_1", "pay", '{"amount":900}')),
            over(),
        ),
        Fault(reason="server_error", code="stream_malformed"),
    ),
    Vector(
        "a failed response",
        stream(created(), over("failed", error={"code": "rate_limit_exceeded", "message": "slow"})),
        Fault(reason="rate_limit", code="rate_limit_exceeded"),
    ),
    Vector("a failed response that says no more", stream(over("failed")), Fault(reason="server_error")),
    Vector("a cancelled response", stream(over("cancelled")), Fault(reason="server_error")),
    Vector(
        "an error event",
        stream(text_of("Hi"), {"type": "error", "code": "server_error", "message": "x"}),
        Fault(reason="server_error", code="server_error"),
    ),
    Vector(
        "an error event with an error inside",
        stream({"type": "error", "error": {"type": "insufficient_quota", "message": "x"}}),
        Fault(reason="quota"),
    ),
    Vector(
        "an error without a type",
        sse("", {"error": {"code": "context_length_exceeded", "message": "x"}}),
        Fault(reason="context_exceeded"),
    ),
    Vector(
        "a refused prompt",
        stream(over("failed", error={"code": "invalid_prompt", "message": "x"})),
        Fault(reason="refused"),
    ),
    Vector(
        "a failed response as a plain body",
        json.dumps(over("failed", error={"code": "server_error", "message": "x"})["response"]).encode(),
        Fault(reason="server_error"),
        content_type="application/json",
    ),
    Vector(
        "a queued response as a plain body",
        json.dumps({"status": "queued", "output": []}).encode(),
        TRUNCATED,
        content_type="application/json",
    ),
]
