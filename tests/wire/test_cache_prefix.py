"""What a provider has cached of one request is found by the next one, on all three wires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.providers.anthropic.encode import encode
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.profiles import ResponsesProfile, chat_profile
from finclaw_cli.providers.openai.responses_encode import encode_responses
from tests.wire import anthropic_rules, openai_rules
from tests.wire.openai_responses_wire import function, message, reasoning

MODEL = "the-model"
MARK = "cache_control"
# How far before a mark Anthropic looks for what it has cached.
LOOKBACK = 20
MOST_MARKS = 4
TOOLS = tuple(
    ToolSpec(name=name, description=f"does {name}", input_schema={"type": "object", "properties": {}})
    for name in ("zeta", "alpha", "mid", "beta")
)
DIALECTS = ("anthropic-messages", "openai-responses", "openai-chat")


@dataclass(frozen=True)
class Wire:
    """How a request is written for one API, and what that API would refuse of it."""

    write: Callable[[ModelRequest], Any]
    lint: Callable[[Any], list[str]]

    def body(self, request: ModelRequest) -> Any:
        body = self.write(request)
        assert self.lint(body) == []
        return body


ANTHROPIC = Wire(encode, anthropic_rules.lint_request)
# Their provider makes plain JSON of what is encoded.
RESPONSES = Wire(lambda request: encode_responses(request, ResponsesProfile()), openai_rules.lint_responses)
CHATS = [
    Wire(lambda request, url=url: encode_chat(request, chat_profile(url)), openai_rules.lint_chat)
    for url in ("https://api.openai.com/v1", "http://localhost:11434/v1")
]
WIRES = [ANTHROPIC, RESPONSES, *CHATS]
named = pytest.mark.parametrize("wire", WIRES, ids=["anthropic", "responses", "chat", "other-chat"])

words = st.sampled_from(["Well.", "애플은 3.5 % 올랐다.", '{"close": 42.10}', "\ud83d", "x" * 300])
blank = st.sampled_from(["", "  ", "\n"])


def raw_turn(dialect: str, text: str, calls: list[ToolUseBlock]) -> RawTurn:
    """What a provider of this dialect would have sent."""
    blocks: list[JsonObject]
    if dialect == "anthropic-messages":
        thought: JsonObject = {"type": "thinking", "thinking": "Hm.", "signature": "sig=="}
        uses = [{"type": "tool_use", "id": call.id, "name": call.name, "input": {"n": 1.5}} for call in calls]
        blocks = [thought, {"type": "text", "text": text}, *uses] if text or calls else []
    elif dialect == "openai-responses":
        items = [function(call.id, call.name, '{"n": 1.50}', place) for place, call in enumerate(calls)]
        said = [message(text, 1)] if text else []
        blocks = [reasoning(), *said, *items] if text or calls else []
    else:
        asked = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": '{ "n" : 1.50 }'}}
            for call in calls
        ]
        blocks = [{"role": "assistant", "content": text, **({"tool_calls": asked} if asked else {})}]
    return RawTurn(dialect=dialect, model=MODEL, blocks=tuple(blocks))


@st.composite
def turns(draw: st.DrawFn, number: int) -> list[Message]:
    """What one turn adds: an answer and the next question, or calls with their results, and perhaps a word of the user.

    An answer may be blank, and calls may be more than Anthropic looks back.
    """
    count = draw(st.sampled_from((0, 0, 1, 2, 25)))
    ids = [f"call.{number}:{place}" if number % 2 else f"toolu_{number}_{place}" for place in range(count)]
    calls = [ToolUseBlock(call, draw(st.sampled_from(("alpha", "mid"))), {"n": Decimal("1.50")}) for call in ids]
    text = draw(words | blank)
    raw = draw(st.none() | st.sampled_from(DIALECTS).map(lambda dialect: raw_turn(dialect, text.strip(), calls)))
    added = [Message("assistant", (ReasoningBlock("Hm."), TextBlock(text), *calls), raw)]
    if calls:
        results = (ToolResultBlock(call, draw(words | blank), is_error=draw(st.booleans())) for call in ids)
        added.append(Message("tool", tuple(results)))
    if not calls or draw(st.booleans()):
        added.append(Message("user", draw(words)))
    return added


@st.composite
def growing(draw: st.DrawFn) -> list[ModelRequest]:
    """The requests of one conversation, each with what the turn before it added."""
    request = ModelRequest(
        model=MODEL,
        messages=(Message("user", draw(words)),),
        system=draw(st.sampled_from(["", "Be brief."])),
        state=draw(st.sampled_from(["", "It is Monday."])),
        tools=draw(st.sampled_from([(), TOOLS[:1], TOOLS])),
    )
    requests = [request]
    for number in range(draw(st.integers(1, 5))):
        request = replace(
            request,
            messages=(*request.messages, *draw(turns(number))),
            tools=tuple(draw(st.permutations(request.tools))),
            window_left=draw(st.none() | st.integers(1_000, 9_000)),
        )
        requests.append(request)
    return requests


def bare(block: JsonObject) -> JsonObject:
    return {key: value for key, value in block.items() if key != MARK}


def said(body: Any) -> list[tuple[str, JsonObject]]:
    """Who says which block, as the cache compares them."""
    return [(turn["role"], bare(block)) for turn in body["messages"] for block in turn["content"]]


def marked(body: Any) -> list[int]:
    """Up to which blocks of the messages something is cached."""
    blocks = [block for turn in body["messages"] for block in turn["content"]]
    return [place for place, block in enumerate(blocks) if MARK in block]


@given(growing())
def test_what_anthropic_has_cached_of_a_request_is_found_by_the_next(requests: list[ModelRequest]) -> None:
    bodies = [ANTHROPIC.body(request) for request in requests]
    for now, then in zip(bodies, bodies[1:], strict=False):  # noqa: RUF007
        assert (now.get("tools"), now.get("system")) == (then.get("tools"), then.get("system"))
        assert said(then)[: len(said(now))] == said(now)
        end = marked(now)[-1]
        assert end == len(said(now)) - 1
        assert any(end <= place < end + LOOKBACK for place in marked(then))


@given(growing())
def test_anthropic_gets_no_more_marks_than_it_takes_and_one_behind_all_that_stays(requests: list[ModelRequest]) -> None:
    for request in requests:
        body = ANTHROPIC.body(request)
        assert len(anthropic_rules.marks(body)) <= MOST_MARKS
        assert [MARK in tool for tool in body.get("tools", [])] == [False] * (len(request.tools) - 1) + [True] * bool(
            request.tools
        )
        stays, changes = bool(request.system), bool(request.state)
        assert [MARK in block for block in body.get("system", [])] == [True] * stays + [False] * changes


@given(growing(), st.sampled_from(["", "It is Tuesday.", "장이 열렸다."]))
def test_another_state_changes_nothing_before_anthropics_mark(requests: list[ModelRequest], state: str) -> None:
    request = requests[-1]
    body, other = ANTHROPIC.body(request), ANTHROPIC.body(replace(request, state=state))
    kept = bool(request.system)
    assert body.get("system", [])[:kept] == other.get("system", [])[:kept]
    assert len(other.get("system", [])) == kept + bool(state)
    assert without(body, "system") == without(other, "system")


def without(body: Any, key: str) -> Any:
    return {each: value for each, value in body.items() if each != key}


@given(growing())
def test_a_responses_request_begins_with_the_one_before(requests: list[ModelRequest]) -> None:
    bodies = [RESPONSES.body(request) for request in requests]
    for now, then in zip(bodies, bodies[1:], strict=False):  # noqa: RUF007
        limitless = [without(without(body, "input"), "max_output_tokens") for body in (now, then)]
        assert limitless[0] == limitless[1]
        assert then["input"][: len(now["input"])] == now["input"]
        assert len(then["input"]) > len(now["input"])


@pytest.mark.parametrize("wire", CHATS, ids=["chat", "other-chat"])
@given(requests=growing())
def test_a_chat_request_begins_with_the_one_before(wire: Wire, requests: list[ModelRequest]) -> None:
    bodies = [wire.body(request) for request in requests]
    for now, then in zip(bodies, bodies[1:], strict=False):  # noqa: RUF007
        assert now.get("tools") == then.get("tools")
        assert then["messages"][: len(now["messages"])] == now["messages"]
        assert len(then["messages"]) > len(now["messages"])


@given(growing(), st.sampled_from(["", "It is Tuesday.", "장이 열렸다."]))
def test_another_state_changes_only_the_end_of_openais_instructions(requests: list[ModelRequest], state: str) -> None:
    request = requests[-1]
    changed = replace(request, state=state)
    body, other = RESPONSES.body(request), RESPONSES.body(changed)
    assert without(body, "instructions") == without(other, "instructions")
    assert all(each.get("instructions", "").startswith(request.system) for each in (body, other))
    assert other.get("instructions", "").endswith(state)
    for wire in CHATS:
        body, other = wire.body(request), wire.body(changed)
        talks = [[each for each in told["messages"] if each["role"] != "system"] for told in (body, other)]
        assert talks[0] == talks[1]
        assert without(body, "messages") == without(other, "messages")
        systems = [each["content"] for told in (body, other) for each in told["messages"] if each["role"] == "system"]
        assert all(text.startswith(request.system) for text in systems)
        assert len(systems) == bool(request.instructions) + bool(changed.instructions)


@named
@settings(max_examples=20)
@given(requests=growing(), order=st.permutations(range(len(TOOLS))))
def test_the_order_in_which_tools_are_offered_does_not_matter(
    wire: Wire, requests: list[ModelRequest], order: list[int]
) -> None:
    request = replace(requests[-1], tools=TOOLS)
    assert wire.body(replace(request, tools=tuple(TOOLS[place] for place in order))) == wire.body(request)
