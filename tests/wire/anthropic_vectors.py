"""Anthropic's wire in vectors: what the server sends, and what our chunks say. One per way to read it wrongly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.wire.anthropic_events import Event, begin, call, delta, end, error, start, stop, text, thinking


@dataclass(frozen=True, slots=True)
class Vector:
    """`says` are the chunks in words; `fails` is the reason and code of the error instead; `echo` the raw blocks."""

    name: str
    events: list[Event]
    says: list[str]
    echo: list[Event] | None = None
    fails: tuple[str, str] | None = None


AMOUNT = '{"to": "bob", "amount": 100}'
CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_quote", "input": {"symbol": "AAPL"}}
SAID_CALL = ["start toolu_1 get_quote", 'input toolu_1 {"symbol": "AAPL"}', "end toolu_1"]


def aapl(index: int = 0, **fields: Any) -> list[Event]:
    return call(index, "", '{"sym', 'bol": "AAPL"}', **fields)


VECTORS = [
    Vector("plain text", [begin(), *text(0, "Hel", "lo"), *end()], ["text Hello", "done end_turn"]),
    Vector(
        "text, then a call",
        [begin(), *text(0, "Look:"), *aapl(1), *end("tool_use")],
        ["text Look:", *SAID_CALL, "done tool_use"],
        [{"type": "text", "text": "Look:"}, CALL],
    ),
    Vector(
        "two calls each end once",
        [begin(), *aapl(0), *call(1, '{"a": 1}', call_id="toolu_2", name="other"), *end("tool_use")],
        [*SAID_CALL, "start toolu_2 other", 'input toolu_2 {"a": 1}', "end toolu_2", "done tool_use"],
    ),
    Vector(
        "two calls interleaved",
        [
            begin(),
            start(0, "tool_use", id="a", name="one", input={}),
            start(1, "tool_use", id="b", name="two", input={}),
            delta(0, "input_json_delta", partial_json='{"x"'),
            delta(1, "input_json_delta", partial_json='{"y"'),
            delta(0, "input_json_delta", partial_json=": 1}"),
            delta(1, "input_json_delta", partial_json=": 2}"),
            stop(1),
            stop(0),
            *end("tool_use"),
        ],
        [
            "start a one",
            "start b two",
            'input a {"x"',
            'input b {"y"',
            "input a : 1}",
            "input b : 2}",
            "end b",
            "end a",
            "done tool_use",
        ],
        [
            {"type": "tool_use", "id": "a", "name": "one", "input": {"x": 1}},
            {"type": "tool_use", "id": "b", "name": "two", "input": {"y": 2}},
        ],
    ),
    Vector(
        "thinking and signature survive beside a call",
        [begin(), *thinking(0), *aapl(1), *end("tool_use")],
        ["thinks Hm.", "signs sig==", *SAID_CALL, "done tool_use"],
        [{"type": "thinking", "thinking": "Hm.", "signature": "sig=="}, CALL],
    ),
    Vector(
        "empty thinking still has its signature",
        [begin(), *thinking(0, ""), *text(1, "Yes"), *end()],
        ["signs sig==", "text Yes", "done end_turn"],
        [{"type": "thinking", "thinking": "", "signature": "sig=="}, {"type": "text", "text": "Yes"}],
    ),
    Vector(
        "redacted thinking is kept and not shown",
        [begin(), start(0, "redacted_thinking", data="xx"), stop(0), *text(1, "Yes"), *end()],
        ["text Yes", "done end_turn"],
        [{"type": "redacted_thinking", "data": "xx"}, {"type": "text", "text": "Yes"}],
    ),
    Vector(
        "a server tool is not ours to run",
        [
            begin(),
            *[
                {**event, "content_block": {**event["content_block"], "type": "server_tool_use"}}
                if event["type"] == "content_block_start"
                else event
                for event in call(0, '{"query": "x"}', call_id="srv_1", name="web_search")
            ],
            start(1, "web_search_tool_result", tool_use_id="srv_1", content=[{"type": "web_search_result"}]),
            stop(1),
            *aapl(2),
            *end("tool_use"),
        ],
        [*SAID_CALL, "done tool_use"],
        [
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srv_1",
                "content": [{"type": "web_search_result"}],
            },
            CALL,
        ],
    ),
    Vector(
        "citations are kept",
        [begin(), *text(0, "So")[:-1], delta(0, "citations_delta", citation={"url": "u"}), stop(0), *end()],
        ["text So", "done end_turn"],
        [{"type": "text", "text": "So", "citations": [{"url": "u"}]}],
    ),
    Vector(
        "unknown keys of a call are echoed",
        [begin(), *aapl(caller={"type": "direct"}), *end("tool_use")],
        [*SAID_CALL, "done tool_use"],
        [{**CALL, "caller": {"type": "direct"}}],
    ),
    Vector(
        "no input at all is an empty object",
        [begin(), *call(0), *end("tool_use")],
        ["start toolu_1 get_quote", "end toolu_1", "done tool_use"],
        [{**CALL, "input": {}}],
    ),
    Vector(
        "an empty piece of input is an empty object",
        [begin(), *call(0, ""), *text(1, "ok"), *end("tool_use")],
        ["start toolu_1 get_quote", "text ok", "end toolu_1", "done tool_use"],
    ),
    Vector(
        "input that stands in the start is used",
        [
            begin(),
            start(0, "tool_use", id="toolu_1", name="get_quote", input={"symbol": "AAPL"}),
            stop(0),
            *end("tool_use"),
        ],
        ["start toolu_1 get_quote", 'input toolu_1 {"symbol":"AAPL"}', "end toolu_1", "done tool_use"],
        [CALL],
    ),
    Vector(
        "a call that max_tokens cuts has no end",
        [begin(), *text(0, "Now"), *call(1, '{"to": "bob", "amount": 100')[:-1], *end("max_tokens")],
        [
            "text Now",
            "start toolu_1 get_quote",
            'input toolu_1 {"to": "bob", "amount": 100',
            "done max_tokens",
        ],
        [{"type": "text", "text": "Now"}],
    ),
    Vector(
        "a call that max_tokens cuts has no end, though its block has",
        [begin(), *call(0, '{"to": "bob", "amount": 100'), *end("max_tokens")],
        ["start toolu_1 get_quote", 'input toolu_1 {"to": "bob", "amount": 100', "done max_tokens"],
        [],
    ),
    Vector(
        "a call cut before its first byte of input has no end",
        [begin(), *call(0, ""), *end("max_tokens")],
        ["start toolu_1 get_quote", "done max_tokens"],
        [],
    ),
    Vector(
        "a whole call before the cut is whole",
        [begin(), *call(0, AMOUNT), *text(1, "and th"), *end("max_tokens")],
        [
            "start toolu_1 get_quote",
            f"input toolu_1 {AMOUNT}",
            "end toolu_1",
            "text and th",
            "done max_tokens",
        ],
    ),
    Vector(
        "a refusal after a call is a refusal",
        [
            begin(),
            *aapl(0),
            *end("refusal", stop_details={"type": "refusal", "category": "cyber", "explanation": "No."}),
        ],
        [*SAID_CALL, "done refusal (cyber: No.)"],
    ),
    Vector("a refusal without words", [begin(), *end("refusal")], ["done refusal"], []),
    Vector(
        "invalid JSON in a finished call is echoed as an empty object",
        [begin(), *call(0, '{"unit": celsius}'), *end("tool_use")],
        ["start toolu_1 get_quote", 'input toolu_1 {"unit": celsius}', "end toolu_1", "done tool_use"],
        [{**CALL, "input": {}}],
    ),
    Vector(
        "duplicate keys and NaN are nobody's input",
        [begin(), *call(0, '{"a": 1, "a": 2}'), *call(1, '{"a": NaN}', call_id="toolu_2"), *end("tool_use")],
        [
            "start toolu_1 get_quote",
            'input toolu_1 {"a": 1, "a": 2}',
            "start toolu_2 get_quote",
            'input toolu_2 {"a": NaN}',
            "end toolu_1",
            "end toolu_2",
            "done tool_use",
        ],
        [{**CALL, "input": {}}, {**CALL, "id": "toolu_2", "input": {}}],
    ),
    Vector(
        "two calls of one id become two",
        [begin(), *call(0, '{"n": 1}'), *call(1, '{"n": 2}'), *end("tool_use")],
        [
            "start toolu_1 get_quote",
            'input toolu_1 {"n": 1}',
            "end toolu_1",
            "start toolu_1_2 get_quote",
            'input toolu_1_2 {"n": 2}',
            "end toolu_1_2",
            "done tool_use",
        ],
        [{**CALL, "input": {"n": 1}}, {**CALL, "id": "toolu_1_2", "input": {"n": 2}}],
    ),
    Vector(
        "stop_reason tool_use without a call ends the turn",
        [begin(), *text(0, "Well"), *end("tool_use")],
        ["text Well", "done end_turn (tool_use)"],
    ),
    Vector(
        "a call with end_turn is run",
        [begin(), *aapl(0), *end("end_turn")],
        [*SAID_CALL, "done tool_use (end_turn)"],
    ),
    Vector("a pause", [begin(), *text(0, "Hm"), *end("pause_turn")], ["text Hm", "done pause"]),
    Vector(
        "a full context window",
        [begin(), *text(0, "Hm"), *end("model_context_window_exceeded")],
        ["text Hm", "done context_exceeded"],
    ),
    Vector(
        "a stop sequence",
        [begin(), *text(0, "Hm"), *end("stop_sequence", stop_sequence="END")],
        ["text Hm", "done stop_sequence (END)"],
    ),
    Vector(
        "a reason of the future",
        [begin(), *text(0, "Hm"), *end("tired")],
        ["text Hm", "done unknown (tired)"],
    ),
    Vector("no reason at all", [begin(), *text(0, "Hm"), *end(None)], ["text Hm", "done unknown"]),
    Vector("nothing but an end", [begin(), *end()], ["done end_turn"], []),
    Vector(
        "pings, unknown events, blocks and deltas are passed over",
        [
            {"type": "ping"},
            begin(),
            {"type": "future_event", "x": [1]},
            start(0, "future_block", a=1),
            delta(0, "future_delta", b=2),
            delta(0, "text_delta", text="not of a text block"),
            stop(0),
            {"type": "ping"},
            delta(7, "text_delta", text="of no block"),
            stop(7),
            *text(1, "Fine"),
            *end(),
        ],
        ["text Fine", "done end_turn"],
        [{"type": "future_block", "a": 1}, {"type": "text", "text": "Fine"}],
    ),
    Vector(
        "nothing after the terminal marker counts",
        [begin(), *text(0, "Fine"), *end(), *text(1, "late"), error("overloaded_error")],
        ["text Fine", "done end_turn"],
    ),
    Vector(
        "lone surrogates pass",
        [begin(), *text(0, "a\ud83d"), *end()],
        ["text a\ud83d", "done end_turn"],
    ),
]
