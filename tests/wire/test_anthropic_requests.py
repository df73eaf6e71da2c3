"""What we send to Anthropic, rule by rule."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.providers.anthropic.encode import DIALECT, encode
from tests.wire.anthropic_rules import lint_request, marks

MODEL = "claude-sonnet-5"
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "sig=="}
CACHED = {"cache_control": {"type": "ephemeral"}}
TOOLS = tuple(
    ToolSpec(name=name, description="does it", input_schema={"type": "object"}) for name in ("zeta", "alpha", "mid")
)


def request(*messages: Message, **fields: Any) -> ModelRequest:
    return ModelRequest(**{"model": MODEL, "messages": messages, **fields})


def sent(*messages: Message, **fields: Any) -> list[Any]:
    """The messages of the body, without cache marks; the body is valid by Anthropic's rules."""
    body = encode(request(*messages, **fields))
    assert lint_request(body) == []
    return bare(body)["messages"]


def bare(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: bare(value) for key, value in node.items() if key != "cache_control"}
    return [bare(value) for value in node] if isinstance(node, list) else node


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def use(call_id: str = "a", **given: Any) -> ToolUseBlock:
    return ToolUseBlock(call_id, "quote", given)


def results(*ids: str, error: bool = False) -> Message:
    return Message("tool", tuple(ToolResultBlock(call_id, f"got {call_id}", is_error=error) for call_id in ids))


def echoing(*blocks: dict[str, Any], model: str = MODEL, dialect: str = DIALECT) -> Message:
    """An assistant's turn that has both our view and the provider's own blocks."""
    view = tuple(
        ToolUseBlock(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"
    )
    content = (ReasoningBlock("Hm.", "sig=="), TextBlock("Look"), *view)
    return Message("assistant", content, RawTurn(dialect=dialect, model=model, blocks=blocks))


def test_a_plain_question_has_a_model_a_limit_and_a_stream() -> None:
    body = encode(request(Message("user", "hi"), temperature=0.2))
    assert body == {
        "model": MODEL,
        "max_tokens": 16_000,
        "stream": True,
        "messages": [{"role": "user", "content": [{**words("hi"), **CACHED}]}],
    }
    assert encode(request(Message("user", "hi"), max_output_tokens=5))["max_tokens"] == 5


def test_tools_stand_in_the_order_of_their_names() -> None:
    body: Any = encode(request(Message("user", "hi"), tools=TOOLS, system="Be brief."))
    assert [tool["name"] for tool in body["tools"]] == ["alpha", "mid", "zeta"]
    assert [bool(marks(tool)) for tool in body["tools"]] == [False, False, True]
    assert body["system"] == [{**words("Be brief."), **CACHED}]


def test_results_of_one_turn_go_back_in_one_user_message() -> None:
    said = sent(Message("user", "hi"), Message("assistant", (use("a"), use("b"))), results("a", "b"))
    assert said[-1] == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "got a"},
            {"type": "tool_result", "tool_use_id": "b", "content": "got b"},
        ],
    }


def test_words_after_results_join_their_message_and_stand_behind_them() -> None:
    said = sent(Message("assistant", (use("a"),)), Message("user", "wait"), results("a"), Message("user", "and now?"))
    assert [block["type"] for block in said[-1]["content"]] == ["tool_result", "text", "text"]


def test_an_error_is_marked_and_never_empty() -> None:
    nothing = Message("tool", (ToolResultBlock("a", "  ", is_error=True),))
    said = sent(Message("assistant", (use("a"),)), nothing)
    assert said[-1]["content"][0] == {
        "type": "tool_result",
        "tool_use_id": "a",
        "content": "(no output)",
        "is_error": True,
    }


def test_the_models_own_turn_is_echoed_verbatim() -> None:
    blocks: list[dict[str, Any]] = [
        THOUGHT,
        {"type": "redacted_thinking", "data": "xx"},
        {"type": "server_tool_use", "id": "srv:1", "name": "web_search", "input": {"q": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "srv:1", "content": []},
        words("Look"),
        {"type": "tool_use", "id": "a", "name": "quote", "input": {"n": 1.5}, "caller": {"type": "direct"}},
    ]
    assert sent(Message("user", "hi"), echoing(*blocks), results("a"))[1]["content"] == blocks


@pytest.mark.parametrize("other", [{"model": "claude-opus-5"}, {"dialect": "openai-chat"}])
def test_another_models_turn_is_rebuilt_without_its_thinking(other: dict[str, str]) -> None:
    turn = echoing(THOUGHT, {"type": "tool_use", "id": "a", "name": "quote", "input": {"n": 1}}, **other)
    assert sent(turn, results("a"))[0]["content"] == [
        words("Look"),
        {"type": "tool_use", "id": "a", "name": "quote", "input": {"n": 1}},
    ]


def test_empty_text_is_dropped_and_so_is_a_message_of_nothing_else() -> None:
    empty = Message("assistant", "", RawTurn(dialect=DIALECT, model=MODEL, blocks=(words(""), words("\n "))))
    assert sent(Message("user", "one"), empty, Message("user", ""), Message("user", "two")) == [
        {"role": "user", "content": [words("one"), words("two")]}
    ]


def test_foreign_ids_are_rewritten_on_both_sides() -> None:
    said = sent(Message("assistant", (use("functions.quote:0"),)), results("functions.quote:0"))
    call_id = said[0]["content"][0]["id"]
    assert call_id == said[1]["content"][0]["tool_use_id"]
    assert re.fullmatch(r"functions_quote_0_[0-9a-f]{8}", call_id)


def test_exact_numbers_are_plain_ones_and_lone_surrogates_are_mended() -> None:
    said = sent(
        Message("user", "a\ud83d"),
        Message("assistant", (use("a", price=Decimal("1.10"), many=Decimal(3), deep=[{"x": Decimal("0.5")}]),)),
        results("a"),
    )
    assert said[0]["content"] == [words("a�")]
    assert said[1]["content"][0]["input"] == {"price": 1.1, "many": 3, "deep": [{"x": 0.5}]}


def test_a_schema_becomes_the_format_of_the_answer_in_the_subset_the_api_takes() -> None:
    schema: Any = {
        "type": "object",
        "properties": {
            "price": {"type": "number", "minimum": 0},
            "minimum": {"type": "string", "pattern": "^x"},
            "legs": {"type": "array", "minItems": 3, "items": {"oneOf": [{"type": "object", "properties": {}}]}},
        },
        "required": ["price"],
        "$schema": "x",
    }
    body: Any = encode(request(Message("user", "hi"), schema=schema))
    assert body["output_config"] == {
        "format": {
            "type": "json_schema",
            "schema": {
                "type": "object",
                "properties": {
                    "price": {"type": "number"},
                    "minimum": {"type": "string"},
                    "legs": {
                        "type": "array",
                        "items": {"anyOf": [{"type": "object", "properties": {}, "additionalProperties": False}]},
                    },
                },
                "required": ["price"],
                "additionalProperties": False,
            },
        }
    }


# --- the cache ---


def exchange(number: int) -> list[Message]:
    raw = {"type": "tool_use", "id": f"t{number}", "name": "alpha", "input": {"n": number}}
    return [echoing(THOUGHT, words(f"Look {number}"), raw), results(f"t{number}")]


def dumped(messages: Sequence[Message]) -> str:
    body = encode(request(*messages, tools=TOOLS, system="Be brief."))
    assert lint_request(body) == []
    assert len(marks(body)) <= 4
    return json.dumps(bare(body))


def test_each_request_is_a_byte_prefix_of_the_next_and_its_end_stays_marked() -> None:
    messages = [Message("user", "hi")]
    for number in range(6):
        longer = [*messages, *exchange(number)]
        closing = len("]}]}")
        assert dumped(longer).startswith(dumped(messages)[:-closing])
        now: Any = encode(request(*messages))["messages"]
        then: Any = encode(request(*longer))["messages"]
        assert then[len(now) - 1] == now[-1]
        assert marks(now[-1])
        messages = longer


def test_the_mark_passes_over_thinking() -> None:
    body: Any = encode(request(Message("user", "hi"), echoing(words("Look"), THOUGHT)))
    assert [bool(marks(block)) for block in body["messages"][-1]["content"]] == [True, False]
    assert lint_request(body) == []


def test_marks_that_came_from_outside_are_not_counted_twice() -> None:
    turns = [echoing({**words(f"{number}"), **CACHED}) for number in range(6)]
    body = encode(request(Message("user", "hi"), *turns, Message("user", "more"), tools=TOOLS, system="x"))
    assert len(marks(body)) <= 4


TEXTS = st.text(max_size=6) | st.just("word")
RAW_BLOCKS = st.sampled_from([THOUGHT, words("said"), words(""), {"type": "redacted_thinking", "data": "x"}])


@st.composite
def histories(draw: st.DrawFn) -> list[Message]:
    """Conversations as the engine keeps them: every call answered, by a message directly behind it."""
    messages: list[Message] = [Message("user", "begin")]
    for number in range(draw(st.integers(0, 5))):
        ids = [f"call.{number}:{position}" for position in range(draw(st.integers(0, 3)))]
        uses = tuple(ToolUseBlock(call_id, "alpha", {"n": Decimal("1.5")}) for call_id in ids)
        wire = [{"type": "tool_use", "id": call_id, "name": "alpha", "input": {}} for call_id in ids]
        raw = RawTurn(
            dialect=draw(st.sampled_from([DIALECT, "openai-chat"])),
            model=draw(st.sampled_from([MODEL, "other"])),
            blocks=(*draw(st.lists(RAW_BLOCKS, max_size=2)), *wire),
        )
        kept = raw if draw(st.booleans()) else None
        messages.append(Message("assistant", (ReasoningBlock("x"), TextBlock(draw(TEXTS)), *uses), kept))
        if ids:
            messages.append(Message("tool", tuple(ToolResultBlock(i, draw(TEXTS), draw(st.booleans())) for i in ids)))
        if draw(st.booleans()):
            messages.append(Message("user", draw(TEXTS)))
    return messages


@given(histories(), st.booleans(), TEXTS)
def test_every_history_of_the_engine_is_a_valid_request(messages: list[Message], tools: bool, system: str) -> None:
    before = repr(messages)
    body = encode(request(*messages, tools=TOOLS if tools else (), system=system))
    assert lint_request(body) == []
    assert repr(messages) == before
