"""Calls in Chat Completions streams: what servers forget, repeat and mix up."""

from __future__ import annotations

from tests.wire.openai_chat_wire import (
    ARGS,
    FIRST,
    PAID,
    PLAIN_USAGE,
    STOP,
    TWO,
    TWO_OF_OURS,
    USE,
    calls,
    chunk,
    echoed,
    entry,
    stream,
    usage,
    words,
)
from tests.wire.openai_turns import Turn, Vector

TOOLS = [
    Vector(
        "one call in pieces",
        stream(
            FIRST,
            calls(entry(0, "call_1", "pay", "", type="function")),
            calls(entry(0, args='{"to":"bob",')),
            calls(entry(0, args='"amount":100}')),
            USE,
            usage(),
        ),
        Turn(calls=PAID.calls, stop="tool_use", usage=PLAIN_USAGE),
        (echoed(*PAID.calls),),
    ),
    Vector(
        "a call whose code point came in two halves is echoed whole",
        stream(calls(entry(0, "call_1", "pay", '{"to":"\ud83d')), calls(entry(0, args='\ude00"}')), USE),
        Turn(calls=(("call_1", "pay", '{"to":"\ud83d\ude00"}'),), stop="tool_use"),
        (echoed(("call_1", "pay", '{"to":"\N{GRINNING FACE}"}')),),
    ),
    Vector(
        "words before a call stay beside it",
        stream(words("One moment."), calls(entry(0, "call_1", "pay", ARGS)), USE),
        Turn(text="One moment.", calls=PAID.calls, stop="tool_use"),
        (echoed(*PAID.calls, content="One moment."),),
    ),
    Vector(
        "two calls one after the other",
        stream(
            calls(entry(0, "call_1", "pay", "")),
            calls(entry(0, args='{"a":1}')),
            calls(entry(1, "call_2", "balance", "")),
            calls(entry(1, args='{"b":2}')),
            USE,
        ),
        TWO,
    ),
    Vector(
        "two calls interleaved end with the stream, each whole",
        stream(
            calls(entry(0, "call_1", "pay", "")),
            calls(entry(1, "call_2", "balance", "")),
            calls(entry(0, args='{"a"')),
            calls(entry(1, args='{"b"')),
            calls(entry(0, args=":1}")),
            calls(entry(1, args=":2}")),
            USE,
        ),
        TWO,
    ),
    Vector(
        "several entries in one chunk, two of them of the same call",
        stream(
            calls(entry(0, "call_1", "pay", '{"a"'), entry(0, args=":1}"), entry(1, "call_2", "balance", '{"b":2}')),
            USE,
        ),
        TWO,
    ),
    Vector(
        "a call without arguments",
        stream(calls(entry(0, "call_1", "balance", "")), USE),
        Turn(calls=(("call_1", "balance", ""),), stop="tool_use"),
        (echoed(("call_1", "balance", "{}")),),
    ),
    Vector(
        "a call whose arguments are null",
        stream(
            chunk({"tool_calls": [{"index": 0, "id": "call_1", "function": {"name": "balance", "arguments": None}}]}),
            USE,
        ),
        Turn(calls=(("call_1", "balance", ""),), stop="tool_use"),
    ),
    Vector(
        "arguments that are an object already",
        stream(calls(entry(0, "call_1", "pay", {"to": "bob"})), USE),
        Turn(calls=(("call_1", "pay", '{"to": "bob"}'),), stop="tool_use"),
    ),
    Vector(
        "broken arguments are given on as they are, and echoed as an empty object",
        stream(calls(entry(0, "call_1", "pay", '{"amount": NaN}')), USE),
        Turn(calls=(("call_1", "pay", '{"amount": NaN}'),), stop="tool_use"),
        (echoed(("call_1", "pay", "{}")),),
    ),
    Vector(
        "a call that ran into the length is never ended nor echoed",
        stream(calls(entry(0, "call_1", "pay", '{"to":"bob","amount":100')), chunk({}, "length")),
        Turn(open_calls=("pay",), stop="max_tokens"),
        (echoed(content=""),),
    ),
    Vector(
        "a whole call beside a cut one is not run either",
        stream(calls(entry(0, "call_1", "pay", ARGS), entry(1, "call_2", "pay", '{"to"')), chunk({}, "length")),
        Turn(open_calls=("pay", "pay"), stop="max_tokens"),
    ),
    Vector(
        "a call that looks whole is not run when the length stopped the turn",
        stream(calls(entry(0, "call_1", "pay", ARGS)), chunk({}, "length")),
        Turn(open_calls=("pay",), stop="max_tokens"),
    ),
    Vector(
        "calls of a filtered turn are not run",
        stream(calls(entry(0, "call_1", "pay", ARGS)), chunk({}, "content_filter")),
        Turn(open_calls=("pay",), stop="content_filter", detail="content_filter"),
    ),
    Vector(
        "calls of a refused turn are not run",
        stream(calls(entry(0, "call_1", "pay", ARGS)), chunk({"refusal": "No."}), STOP),
        Turn(text="No.", open_calls=("pay",), stop="refusal"),
    ),
    Vector(
        "a finish reason of stop with calls is a tool turn", stream(calls(entry(0, "call_1", "pay", ARGS)), STOP), PAID
    ),
    Vector(
        "an empty finish reason with calls is a tool turn",
        stream(
            calls(
                entry(
                    0,
                    "call_1",
                    "pay",
                    ARGS,
                ),
                finish="",
            )
        ),
        PAID,
    ),
    Vector(
        "an unknown finish reason with whole calls is a tool turn",
        stream(calls(entry(0, "call_1", "pay", ARGS)), chunk({}, "eot")),
        PAID,
    ),
    Vector(
        "an unknown finish reason with half a call is not",
        stream(calls(entry(0, "call_1", "pay", '{"to"')), chunk({}, "eot")),
        Turn(open_calls=("pay",), stop="unknown", detail="eot"),
    ),
    Vector(
        "no finish reason but usage and the marker",
        stream(calls(entry(0, "call_1", "pay", ARGS)), usage()),
        Turn(calls=PAID.calls, stop="tool_use", usage=PLAIN_USAGE),
    ),
    Vector(
        "Ollama gives every call index 0",
        stream(calls(entry(0, "call_1", "pay", '{"a":1}')), calls(entry(0, "call_2", "balance", '{"b":2}')), USE),
        TWO,
    ),
    Vector(
        "index 0 for every call, and no ids",
        stream(calls(entry(0, None, "pay", '{"a":1}')), calls(entry(0, None, "balance", '{"b":2}')), USE),
        TWO_OF_OURS,
    ),
    Vector(
        "the same tool twice at index 0 without ids",
        stream(calls(entry(0, None, "pay", '{"a":1}')), calls(entry(0, None, "pay", '{"a":2}')), USE),
        Turn(calls=(("*", "pay", '{"a":1}'), ("*", "pay", '{"a":2}')), stop="tool_use"),
    ),
    Vector(
        "older Ollama gives neither index nor ids",
        stream(calls(entry(None, None, "pay", '{"a":1}'), entry(None, None, "balance", '{"b":2}')), STOP),
        TWO_OF_OURS,
    ),
    Vector(
        "no index: a known id continues its call, nothing continues the last",
        stream(
            calls(entry(None, "call_1", "pay", '{"a"')),
            calls(entry(None, "call_2", "balance", '{"b"')),
            calls(entry(None, None, None, ":2}")),
            calls(entry(None, "call_1", None, ":1}")),
            USE,
        ),
        TWO,
    ),
    Vector(
        "ids and names in every piece are said once",
        stream(
            calls(entry(0, "call_1", "pay", '{"to":"bob",')), calls(entry(0, "call_1", "pay", '"amount":100}')), USE
        ),
        PAID,
    ),
    Vector(
        "vLLM repeats id and name in the last piece, together with the finish reason",
        stream(
            calls(entry(0, "call_1", "pay", "")),
            calls(entry(0, args='{"to":"bob",')),
            calls(entry(0, "call_1", "pay", '"amount":100}'), finish="tool_calls"),
        ),
        PAID,
    ),
    Vector(
        "a whole call said again under its id is not meant twice",
        stream(calls(entry(0, "call_1", "pay", ARGS)), calls(entry(0, "call_1", "pay", ARGS)), USE),
        PAID,
    ),
    Vector(
        "vLLM gives no ids and pieces without arguments",
        stream(
            calls(entry(0, None, "pay", "")),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": None}}]}),
            calls(entry(0, args=ARGS)),
            chunk({}),
            USE,
        ),
        Turn(calls=(("*", "pay", ARGS),), stop="tool_use"),
    ),
    Vector(
        "SGLang sends arguments before the name",
        stream(calls(entry(0, "call_1", None, '{"to":"bob",')), calls(entry(0, None, "pay", '"amount":100}')), USE),
        PAID,
    ),
    Vector(
        "an id that comes late does not make another call",
        stream(calls(entry(0, None, "pay", "")), calls(entry(0, "call_1", None, ARGS)), USE),
        Turn(calls=(("*", "pay", ARGS),), stop="tool_use"),
    ),
    Vector(
        "an empty id is none",
        stream(calls(entry(0, "", "pay", ARGS)), USE),
        Turn(calls=(("*", "pay", ARGS),), stop="tool_use"),
    ),
    Vector(
        "two calls with the same id are two calls",
        stream(calls(entry(0, "call_1", "pay", '{"a":1}')), calls(entry(1, "call_1", "pay", '{"a":2}')), USE),
        Turn(calls=(("call_1", "pay", '{"a":1}'), ("call_1_2", "pay", '{"a":2}')), stop="tool_use"),
        (echoed(("call_1", "pay", '{"a":1}'), ("call_1_2", "pay", '{"a":2}')),),
    ),
    Vector(
        "two calls with the same id and no index are two calls",
        stream(calls(entry(None, "call_1", "pay", '{"a":1}')), calls(entry(None, "call_1", "pay", '{"a":2}')), USE),
        Turn(calls=(("call_1", "pay", '{"a":1}'), ("call_1_2", "pay", '{"a":2}')), stop="tool_use"),
    ),
    Vector(
        "a call without a name is nobody's",
        stream(calls(entry(0, "call_1", None, "{}")), calls(entry(1, "call_2", "balance", "{}")), USE),
        Turn(calls=(("call_2", "balance", "{}"),), stop="tool_use"),
    ),
    Vector(
        "Groq sends a whole call at once, a new chunk id every time, and usage in a place of its own",
        stream(
            calls(entry(0, "call_1", "pay", ARGS, type="function"), id="chatcmpl-a"),
            {**USE, "id": "chatcmpl-b", "x_groq": {"id": "req", "usage": usage()["usage"]}},
        ),
        Turn(calls=PAID.calls, stop="tool_use", usage=PLAIN_USAGE),
    ),
    Vector(
        "the function call of old",
        stream(
            chunk({"function_call": {"name": "pay", "arguments": ""}}),
            chunk({"function_call": {"arguments": ARGS}}),
            chunk({}, "function_call"),
        ),
        Turn(calls=(("*", "pay", ARGS),), stop="tool_use"),
    ),
    Vector(
        "a call after a reason to stop is run once the done marker comes",
        stream(words("One moment."), STOP, calls(entry(0, "call_1", "pay", ARGS))),
        Turn(text="One moment.", calls=PAID.calls, stop="tool_use"),
    ),
    Vector(
        "a call after the length stopped the turn is not run, whatever comes",
        stream(words("One"), chunk({}, "length"), calls(entry(0, "call_1", "pay", ARGS))),
        Turn(text="One", open_calls=("pay",), stop="max_tokens"),
    ),
]
