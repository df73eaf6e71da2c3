"""Chat Completions streams as servers really send them: words, reasons to stop, vendors' fields, counts."""

from __future__ import annotations

from finclaw_cli.core.chunks import UsageReport
from tests.wire.openai_chat_faults import FAULTS, WHOLE
from tests.wire.openai_chat_tools import TOOLS
from tests.wire.openai_chat_wire import (
    ARGS,
    FIRST,
    PAID,
    PLAIN_USAGE,
    STOP,
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
    Vector("the done marker is a marker by itself", stream(words("Hi")), Turn(text="Hi")),
    Vector(
        "a reason to stop in every chunk stands on the last one too",
        stream(words("a", "stop"), words("b", "stop"), done=False),
        Turn(text="ab"),
    ),
    Vector(
        "content after a reason to stop belongs to the turn once the done marker comes",
        stream(words("Sell "), STOP, words("nothing")),
        Turn(text="Sell nothing"),
    ),
    Vector(
        "a second reason to stop ends what came after the first",
        stream(words("Sell "), STOP, words("nothing"), STOP, done=False),
        Turn(text="Sell nothing"),
    ),
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

ALL = [*TEXT, *STOPS, *TOOLS, *VENDORS, *USAGES, *FAULTS, *WHOLE]
