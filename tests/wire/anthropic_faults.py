"""Streams of Anthropic that fail: what was said before, and the reason and code of the error."""

from __future__ import annotations

from tests.wire.anthropic_events import Event, begin, delta, end, error, start, stop, text
from tests.wire.anthropic_vectors import SAID_CALL, Vector, aapl


def failing(name: str, events: list[Event], says: list[str], reason: str, code: str) -> Vector:
    return Vector(name, events, says, fails=(reason, code))


BROKEN = [
    failing("an early end after text", [begin(), *text(0, "Hi")], ["text Hi"], "connection", "stream_truncated"),
    failing("an early end after a call", [begin(), *aapl(0)], list(SAID_CALL), "connection", "stream_truncated"),
    failing(
        "a stop reason without the terminal marker",
        [begin(), *text(0, "Hi"), end()[0]],
        ["text Hi"],
        "connection",
        "stream_truncated",
    ),
    failing("nothing at all", [], [], "connection", "stream_truncated"),
    failing(
        "an open call at the end of a tool turn",
        [begin(), *aapl(0)[:-1], *end("tool_use")],
        SAID_CALL[:-1],
        "connection",
        "stream_truncated",
    ),
    failing(
        "overloaded in the middle",
        [begin(), *text(0, "Hi"), error("overloaded_error")],
        ["text Hi"],
        "overloaded",
        "overloaded_error",
    ),
    failing(
        "an API error after a call", [begin(), *aapl(0), error("api_error")], SAID_CALL, "server_error", "api_error"
    ),
    failing("an error before the start", [error("rate_limit_error")], [], "rate_limit", "rate_limit_error"),
    failing("a timeout told as an event", [begin(), error("timeout_error")], [], "timeout", "timeout_error"),
    failing(
        "an error without a type around it", [{"error": {"message": "went wrong"}}], [], "server_error", "server_error"
    ),
    failing(
        "input after its call's end",
        [begin(), *aapl(0), delta(0, "input_json_delta", partial_json=', "shares": 100}'), *end("tool_use")],
        SAID_CALL,
        "server_error",
        "stream_malformed",
    ),
    failing(
        "input of a server's tool after its end",
        [
            begin(),
            start(0, "server_tool_use", id="srv_1", name="web_search", input={}),
            stop(0),
            delta(0, "input_json_delta", partial_json='{"query": "x"}'),
            *end(),
        ],
        [],
        "server_error",
        "stream_malformed",
    ),
]
