"""Responses streams as OpenAI and its gateways send them, and what each means."""

from __future__ import annotations

import json

from tests.wire.openai_responses_faults import FAULTS
from tests.wire.openai_responses_wire import (
    ARGS,
    COUNTED,
    COUNTS,
    added,
    call_of,
    created,
    delta,
    done,
    function,
    message,
    over,
    reasoning,
    stream,
    text_of,
)
from tests.wire.openai_turns import Turn, Vector

PAID = Turn(calls=(("call_1", "pay", ARGS),), stop="tool_use")
TWO = Turn(calls=(("call_1", "pay", '{"a":1}'), ("call_2", "balance", '{"b":2}')), stop="tool_use")

TURNS = [
    Vector(
        "an answer in pieces and its usage",
        stream(
            created(),
            {"type": "response.in_progress", "response": {}},
            text_of("Hel", "lo"),
            over(usage=COUNTS, output=[message("Hello")]),
        ),
        Turn(text="Hello", usage=COUNTED),
        (message("Hello"),),
    ),
    Vector(
        "unknown events say nothing",
        stream({"type": "response.future.delta", "delta": "x"}, text_of("Hi"), over()),
        Turn(text="Hi"),
    ),
    Vector(
        "a call: its call_id is its id, and the turn is completed like any other",
        stream(created(), call_of("call_1", "pay", '{"to":"bob",', '"amount":100}'), over()),
        PAID,
        (function("call_1", "pay", ARGS),),
    ),
    Vector(
        "reasoning is told and kept before its call",
        stream(
            added(reasoning(encrypted_content="half")),
            delta("reasoning_summary_text", "Let me", summary_index=0),
            {"type": "response.reasoning_summary_part.added", "output_index": 0, "summary_index": 1},
            delta("reasoning_summary_text", "see", summary_index=1),
            done(reasoning()),
            call_of("call_1", "pay", ARGS, index=1),
            over(),
        ),
        Turn(reasoning="Let me\n\nsee", calls=PAID.calls, stop="tool_use"),
        (reasoning(), function("call_1", "pay", ARGS, 1)),
    ),
    Vector(
        "open reasoning",
        stream(delta("reasoning_text", "hm"), text_of("Hi", index=1), over()),
        Turn(text="Hi", reasoning="hm"),
    ),
    Vector(
        "two calls interleaved",
        stream(
            added(function("call_1", "pay", "", 0), 0),
            added(function("call_2", "balance", "", 1), 1),
            delta("function_call_arguments", '{"a"', 0),
            delta("function_call_arguments", '{"b"', 1),
            delta("function_call_arguments", ":1}", 0),
            delta("function_call_arguments", ":2}", 1),
            done(function("call_2", "balance", '{"b":2}', 1), 1),
            done(function("call_1", "pay", '{"a":1}', 0), 0),
            over(),
        ),
        TWO,
        (function("call_1", "pay", '{"a":1}', 0), function("call_2", "balance", '{"b":2}', 1)),
    ),
    Vector(
        "arguments only in the finished item",
        stream(added(function("call_1", "pay", "")), done(function("call_1", "pay", ARGS)), over()),
        PAID,
    ),
    Vector("a call only in its finished item", stream(done(function("call_1", "pay", ARGS)), over()), PAID),
    Vector(
        "a call only in the finished response", stream(created(), over(output=[function("call_1", "pay", ARGS)])), PAID
    ),
    Vector(
        "a call that the finished response lists at another place is one call",
        stream(call_of("call_1", "pay", ARGS), over(output=[reasoning(), function("call_1", "pay", ARGS, 1)])),
        PAID,
    ),
    Vector(
        "two calls of one id only in the finished response",
        stream(over(output=[function("call_1", "pay", '{"a":1}'), function("call_1", "pay", '{"a":2}', 1)])),
        Turn(calls=(("call_1", "pay", '{"a":1}'), ("call_1_2", "pay", '{"a":2}')), stop="tool_use"),
    ),
    Vector(
        "an end of input without any leaves it to the finished item",
        stream(
            added(function("call_1", "pay", "")),
            {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": ""},
            done(function("call_1", "pay", ARGS)),
            over(),
        ),
        PAID,
    ),
    Vector("words only in the finished item", stream(done(message("Hi")), over()), Turn(text="Hi")),
    Vector(
        "a gateway that changes an item's id from event to event",
        stream(
            added({**function("call_1", "pay", ""), "id": "a"}),
            {**delta("function_call_arguments", ARGS), "item_id": "b"},
            done({**function("call_1", "pay", ARGS), "id": "c"}),
            over(),
        ),
        PAID,
    ),
    Vector(
        "a gateway that gives no places",
        stream(
            {"type": "response.output_item.added", "item": function("call_1", "pay", "", 0)},
            {"type": "response.output_item.added", "item": function("call_2", "balance", "", 1)},
            {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "delta": '{"b":2}'},
            {"type": "response.function_call_arguments.delta", "item_id": "fc_0", "delta": '{"a":1}'},
            {"type": "response.output_item.done", "item": function("call_1", "pay", '{"a":1}', 0)},
            over(output=[function("call_1", "pay", '{"a":1}', 0), function("call_2", "balance", '{"b":2}', 1)]),
        ),
        TWO,
    ),
    Vector(
        "a call without arguments",
        stream(call_of("call_1", "balance", ""), over()),
        Turn(calls=(("call_1", "balance", ""),), stop="tool_use"),
    ),
    Vector(
        "a call without an id",
        stream(call_of("", "pay", ARGS), over()),
        Turn(calls=(("*", "pay", ARGS),), stop="tool_use"),
    ),
    Vector(
        "two calls with the same id",
        stream(call_of("call_1", "pay", '{"a":1}'), call_of("call_1", "pay", '{"a":2}', index=1), over()),
        Turn(calls=(("call_1", "pay", '{"a":1}'), ("call_1_2", "pay", '{"a":2}')), stop="tool_use"),
        (function("call_1", "pay", '{"a":1}'), function("call_1_2", "pay", '{"a":2}', 1)),
    ),
    Vector(
        "broken arguments are given on as they are, and echoed as an empty object",
        stream(call_of("call_1", "pay", "[1]"), over()),
        Turn(calls=(("call_1", "pay", "[1]"),), stop="tool_use"),
        (function("call_1", "pay", "{}"),),
    ),
    Vector(
        "a code point that came in two halves is whole in the finished item",
        stream(
            added(function("call_1", "pay", "")),
            delta("function_call_arguments", '{"to":"\ud83d'),
            delta("function_call_arguments", "\ude00"),
            done(function("call_1", "pay", '{"to":"\N{GRINNING FACE}"}')),
            over(),
        ),
        Turn(calls=(("call_1", "pay", '{"to":"\ud83d\ude00"}'),), stop="tool_use"),
        (function("call_1", "pay", '{"to":"\N{GRINNING FACE}"}'),),
    ),
    Vector(
        "tools of the server are kept and are nobody's to run",
        stream(done({"type": "web_search_call", "id": "ws_1", "status": "completed"}), text_of("Hi", index=1), over()),
        Turn(text="Hi"),
        ({"type": "web_search_call", "id": "ws_1", "status": "completed"}, message("Hi", 1)),
    ),
    Vector(
        "a refusal",
        stream(delta("refusal", "I can"), delta("refusal", "not."), over()),
        Turn(text="I cannot.", stop="refusal"),
    ),
    Vector(
        "a refusal only in the finished item",
        stream(done({**message(), "content": [{"type": "refusal", "refusal": "No."}]}), over()),
        Turn(text="No.", stop="refusal"),
    ),
    Vector(
        "calls of a refused turn are not run",
        stream(call_of("call_1", "pay", ARGS), delta("refusal", "No.", 1), over()),
        Turn(text="No.", open_calls=("pay",), stop="refusal"),
    ),
    Vector(
        "a turn cut by its length, inside a call",
        stream(
            done(reasoning()),
            added(function("call_1", "pay", ""), 1),
            delta("function_call_arguments", '{"to"', 1),
            done({**function("call_1", "pay", '{"to"'), "status": "incomplete"}, 1),
            over("incomplete", incomplete_details={"reason": "max_output_tokens"}, usage=COUNTS),
        ),
        Turn(open_calls=("pay",), stop="max_tokens", detail="max_output_tokens", usage=COUNTED),
        (),
    ),
    Vector(
        "a filtered turn",
        stream(text_of("Hi"), over("incomplete", incomplete_details={"reason": "content_filter"})),
        Turn(text="Hi", stop="content_filter", detail="content_filter"),
    ),
    Vector(
        "a turn that is incomplete for no reason given",
        stream(text_of("Hi"), over("incomplete")),
        Turn(text="Hi", stop="max_tokens"),
    ),
    Vector(
        "a turn that is completed, but for its status",
        stream(text_of("Hi"), {"type": "response.completed", "response": {"status": "incomplete"}}),
        Turn(text="Hi", stop="max_tokens"),
    ),
    Vector(
        "a turn that is incomplete for a new reason",
        stream(text_of("Hi"), over("incomplete", incomplete_details={"reason": "steered"})),
        Turn(text="Hi", stop="unknown", detail="steered"),
    ),
    Vector(
        "OpenRouter's stray done marker behind the end",
        stream(text_of("Hi"), over()) + b"data: [DONE]\n\n",
        Turn(text="Hi"),
    ),
    Vector(
        "a whole response as a plain body",
        json.dumps(
            over(output=[reasoning(), message("Hi", 1), function("call_1", "pay", ARGS, 2)], usage=COUNTS)["response"]
        ).encode(),
        Turn(text="Hi", calls=PAID.calls, stop="tool_use", usage=COUNTED),
        (reasoning(), message("Hi", 1), function("call_1", "pay", ARGS, 2)),
        content_type="application/json",
    ),
]

ALL = [*TURNS, *FAULTS]
