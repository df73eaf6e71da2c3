"""Chat Completions streams as servers really send them, and what each means."""

from __future__ import annotations

import json
from typing import Any

from finclaw_cli.core.chunks import UsageReport
from tests.wire.openai_turns import Fault, Turn, Vector
from tests.wire.server import openai_sse, sse

TRUNCATED = Fault(reason="connection", code="stream_truncated")
ARGS = '{"to":"bob","amount":100}'


def chunk(delta: Any = None, finish: Any = None, **extra: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m", "choices": [choice], **extra}


def words(text: str, finish: Any = None, **extra: Any) -> dict[str, Any]:
    return chunk({"content": text}, finish, **extra)


def entry(index: Any = None, id: Any = None, name: Any = None, args: Any = None, **extra: Any) -> dict[str, Any]:  # noqa: A002 - the wire's word
    function = {key: value for key, value in (("name", name), ("arguments", args)) if value is not None}
    said = {"index": index, "id": id, "function": function, **extra}
    return {key: value for key, value in said.items() if value is not None}


def calls(*entries: dict[str, Any], finish: Any = None, **extra: Any) -> dict[str, Any]:
    return chunk({"tool_calls": list(entries)}, finish, **extra)


def usage(prompt: int = 10, completion: int = 5, **extra: Any) -> dict[str, Any]:
    counts = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion, **extra}
    return {"id": "chatcmpl-1", "choices": [], "usage": counts}


def stream(*chunks: dict[str, Any], done: bool = True) -> bytes:
    return openai_sse(chunks, done=done)


PLAIN_USAGE = UsageReport(input=10, output=5)
FIRST = chunk({"role": "assistant", "content": "", "refusal": None}, obfuscation="x9f", usage=None)
STOP = chunk({}, "stop")
USE = chunk({}, "tool_calls")
PAID = Turn(calls=(("call_1", "pay", ARGS),), stop="tool_use")
TWO = Turn(calls=(("call_1", "pay", '{"a":1}'), ("call_2", "balance", '{"b":2}')), stop="tool_use")
TWO_OF_OURS = Turn(calls=(("*", "pay", '{"a":1}'), ("*", "balance", '{"b":2}')), stop="tool_use")


def echoed(*calls: tuple[str, str, str], content: Any = None, **extra: Any) -> dict[str, Any]:
    said = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
    return {"role": "assistant", "content": content, **extra, **({"tool_calls": said} if said else {})}


TEXT = [
    Vector(
        "an answer in pieces, its usage and the marker",
        stream(FIRST, words("Hel"), words("lo"), STOP, usage()),
        Turn(text="Hello", usage=PLAIN_USAGE),
        (echoed(content="Hello"),),
    ),
    Vector(
        "an answer without usage that ends at its finish reason", stream(words("Hi"), STOP, done=False), Turn(text="Hi")
    ),
    Vector(
        "Azure's first chunk has no choices, only its filters",
        stream({"choices": [], "prompt_filter_results": [{}]}, FIRST, words("Hi"), STOP),
        Turn(text="Hi"),
    ),
    Vector(
        "choices and deltas that are null say nothing",
        stream({"choices": None}, {"choices": [{"delta": None}]}, {}, words("Hi"), STOP),
        Turn(text="Hi"),
    ),
    Vector(
        "a finish reason of an empty string on every chunk is none",
        stream(words("a", ""), words("b", ""), words("c", "stop")),
        Turn(text="abc"),
    ),
    Vector("the last words come with the finish reason", stream(words("a"), words("b", "stop")), Turn(text="ab")),
    Vector(
        "OpenRouter's comments, its role in every delta and its finish reason said twice",
        b": OPENROUTER PROCESSING\n\n"
        + stream(
            chunk({"role": "assistant", "content": "Hi"}),
            chunk({"role": "assistant", "content": ""}, "stop"),
            chunk({"role": "assistant", "content": ""}, "stop", usage=usage()["usage"]),
        ),
        Turn(text="Hi", usage=PLAIN_USAGE),
    ),
    Vector(
        "Snowflake never gives a finish reason: usage and the marker suffice",
        stream(chunk({"content": "Hi", "refusal": "", "tool_calls": None}), usage()),
        Turn(text="Hi", usage=PLAIN_USAGE),
    ),
    Vector(
        "usage in a chunk of its own is a marker by itself",
        stream(words("Hi"), usage(), done=False),
        Turn(text="Hi", usage=PLAIN_USAGE),
    ),
    Vector("the done marker is a marker by itself", stream(words("Hi")), Turn(text="Hi")),
    Vector(
        "Mistral's content is a list of thinking and words",
        stream(
            chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}),
            chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "m"}]}]}),
            chunk({"content": [{"type": "text", "text": "Hi"}, {"type": "reference", "reference_ids": [1]}]}),
            words("!", "stop"),
        ),
        Turn(text="Hi!", reasoning="hmm"),
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hmm"}]},
                    {"type": "text", "text": "Hi"},
                    {"type": "reference", "reference_ids": [1]},
                    {"type": "text", "text": "!"},
                ],
            },
        ),
    ),
    Vector(
        "Hugging Face's extra keys are no trouble",
        stream(chunk({"role": "assistant", "content": "Hi", "token_id": 7}), STOP),
        Turn(text="Hi"),
    ),
    Vector(
        "a surrogate pair that came apart arrives in both halves",
        stream(words("\ud83d"), words("\ude00"), STOP),
        Turn(text="\ud83d\ude00"),
    ),
    Vector("line separators inside the text stay", stream(words("a\u2028b"), STOP), Turn(text="a\u2028b")),
    Vector("an empty answer that was finished is an answer", stream(FIRST, STOP), Turn(), (echoed(content=""),)),
    Vector("llama.cpp's timings are ignored", stream(words("Hi", timings={"n": 1}), STOP), Turn(text="Hi")),
]

STOPS = [
    Vector("an answer cut by its length", stream(words("Hi"), chunk({}, "length")), Turn(text="Hi", stop="max_tokens")),
    Vector(
        "Mistral's word for the same",
        stream(words("Hi"), chunk({}, "model_length")),
        Turn(text="Hi", stop="max_tokens"),
    ),
    Vector(
        "a content filter stops the answer",
        stream(words("Hi"), chunk({}, "content_filter")),
        Turn(text="Hi", stop="content_filter", detail="content_filter"),
    ),
    Vector(
        "an unknown reason is passed on",
        stream(words("Hi"), chunk({}, "tired")),
        Turn(text="Hi", stop="unknown", detail="tired"),
    ),
    Vector(
        "a refusal is shown although its reason is stop",
        stream(chunk({"refusal": "I can"}), chunk({"refusal": "not."}), STOP),
        Turn(text="I cannot.", stop="refusal"),
        (echoed(content="I cannot."),),
    ),
    Vector(
        "a tool turn without a tool is not a tool turn",
        stream(FIRST, USE),
        Turn(stop="unknown", detail="tool_calls"),
    ),
]

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
]

SIGNED = {"google": {"thought_signature": "c2ln"}}
VENDORS = [
    Vector(
        "Gemini's signature on a call is kept for the echo",
        stream(calls(entry(0, "call_1", "pay", ARGS, extra_content=SIGNED)), USE),
        PAID,
        ({**echoed(), "tool_calls": [{**echoed(*PAID.calls)["tool_calls"][0], "extra_content": SIGNED}]},),
    ),
    Vector(
        "Gemini's signature on a piece of its own, without index and id, belongs to the last call",
        stream(calls(entry(0, "call_1", "pay", ARGS)), calls({"extra_content": SIGNED}), STOP),
        PAID,
        ({**echoed(), "tool_calls": [{**echoed(*PAID.calls)["tool_calls"][0], "extra_content": SIGNED}]},),
    ),
    Vector(
        "Gemini's signature beside the words is kept too",
        stream(chunk({"content": "Hi", "extra_content": SIGNED}), STOP),
        Turn(text="Hi"),
        (echoed(content="Hi", extra_content=SIGNED),),
    ),
    Vector(
        "DeepSeek's reasoning is told and kept",
        stream(
            chunk({"content": None, "reasoning_content": "Let me"}),
            chunk({"content": None, "reasoning_content": " see"}),
            calls(entry(0, "call_1", "pay", ARGS)),
            {**USE, "usage": {**usage()["usage"], "prompt_cache_hit_tokens": 4}},
        ),
        Turn(
            reasoning="Let me see",
            calls=PAID.calls,
            stop="tool_use",
            usage=UsageReport(input=6, output=5, cache_read=4),
        ),
        (echoed(*PAID.calls, reasoning_content="Let me see"),),
    ),
    Vector(
        "reasoning that is empty but there is kept as empty",
        stream(chunk({"reasoning_content": ""}), calls(entry(0, "call_1", "pay", ARGS)), USE),
        PAID,
        (echoed(*PAID.calls, reasoning_content=""),),
    ),
    Vector(
        "Groq's and OpenRouter's reasoning goes by another name",
        stream(chunk({"reasoning": "hm", "channel": "analysis"}), words("Hi", "stop")),
        Turn(text="Hi", reasoning="hm"),
        (echoed(content="Hi", reasoning="hm"),),
    ),
    Vector(
        "reasoning under both names is told once",
        stream(chunk({"reasoning": "hm", "reasoning_content": "hm"}), words("Hi", "stop")),
        Turn(text="Hi", reasoning="hm"),
    ),
    Vector(
        "OpenRouter's reasoning details come together again",
        stream(
            chunk({"reasoning": "a", "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "a"}]}),
            chunk({"reasoning": "b", "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "b"}]}),
            chunk({"reasoning_details": [{"type": "reasoning.text", "index": 0, "signature": "sig"}]}),
            chunk({"reasoning_details": [{"type": "reasoning.encrypted", "index": 1, "data": "xyz"}]}),
            words("Hi", "stop"),
        ),
        Turn(text="Hi", reasoning="ab"),
        (
            echoed(
                content="Hi",
                reasoning="ab",
                reasoning_details=[
                    {"type": "reasoning.text", "index": 0, "text": "ab", "signature": "sig"},
                    {"type": "reasoning.encrypted", "index": 1, "data": "xyz"},
                ],
            ),
        ),
    ),
]

USAGES = [
    Vector(
        "cached and written tokens are taken out of the prompt, and a moderation chunk may follow",
        stream(
            words("Hi"),
            STOP,
            usage(
                100,
                20,
                prompt_tokens_details={"cached_tokens": 60, "cache_write_tokens": 30},
                completion_tokens_details={"reasoning_tokens": 8},
            ),
            {"choices": [], "usage": None, "moderation": {}},
        ),
        Turn(text="Hi", usage=UsageReport(input=10, output=20, cache_read=60, cache_write=30, reasoning=8)),
    ),
    Vector(
        "Hugging Face counts cached tokens at the top",
        stream(words("Hi"), STOP, usage(cached_tokens=3)),
        Turn(text="Hi", usage=UsageReport(input=7, output=5, cache_read=3)),
    ),
    Vector(
        "Moonshot counts inside the choice",
        stream(words("Hi"), {"choices": [{"delta": {}, "finish_reason": "stop", "usage": usage()["usage"]}]}),
        Turn(text="Hi", usage=PLAIN_USAGE),
    ),
    Vector(
        "the last count wins",
        stream({**words("H"), "usage": usage(10, 1)["usage"]}, {**words("i", "stop"), "usage": usage()["usage"]}),
        Turn(text="Hi", usage=PLAIN_USAGE),
    ),
    Vector(
        "xAI and Gemini leave thinking out of the completion but not out of the total",
        stream(words("Hi"), STOP, usage(10, 5, total_tokens=35, completion_tokens_details={"reasoning_tokens": 20})),
        Turn(text="Hi", usage=UsageReport(input=10, output=25, reasoning=20)),
    ),
    Vector(
        "counts that are no numbers are not counted",
        stream(words("Hi"), STOP, {"choices": [], "usage": {"prompt_tokens": None, "completion_tokens": "5"}}),
        Turn(text="Hi", usage=UsageReport()),
    ),
]

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

ALL = [*TEXT, *STOPS, *TOOLS, *VENDORS, *USAGES, *FAULTS, *WHOLE]
