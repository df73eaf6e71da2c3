"""The rules for OpenAI's requests see what is wrong: a good body passes, and each bad one is named."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from finclaw_cli.core.messages import Message, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.providers.anthropic.encode import encode
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.profiles import ResponsesProfile, chat_profile
from finclaw_cli.providers.openai.responses_encode import encode_responses
from tests.wire.anthropic_rules import lint_request
from tests.wire.openai_rules import Body, is_strict_object, lint_chat, lint_responses

Change = Callable[[Any], object]


def chat_call(call_id: str, arguments: str = "{}") -> Body:
    return {"id": call_id, "type": "function", "function": {"name": "pay", "arguments": arguments}}


CHAT: Body = {
    "model": "m",
    "stream": True,
    "stream_options": {"include_usage": True},
    "max_completion_tokens": 9,
    "tools": [{"type": "function", "function": {"name": "pay", "description": "", "parameters": {}}}],
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Pay."},
        {"role": "assistant", "content": None, "tool_calls": [chat_call("a"), chat_call("b", '{"x":1.5}')]},
        {"role": "tool", "tool_call_id": "b", "content": ""},
        {"role": "tool", "tool_call_id": "a", "content": "paid"},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": "Once more.", "tool_calls": [chat_call("a")]},
        {"role": "tool", "tool_call_id": "a", "content": "paid"},
        {"role": "user", "content": "Thanks."},
    ],
}
RESPONSES: Body = {
    "model": "m",
    "stream": True,
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "max_output_tokens": 16,
    "tools": [{"type": "function", "name": "pay", "parameters": {}, "strict": False}],
    "parallel_tool_calls": True,
    "input": [
        {"role": "user", "content": "Pay."},
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I pay."}]},
        {"type": "function_call", "call_id": "a", "name": "pay", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "pay", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "b", "output": ""},
        {"type": "function_call_output", "call_id": "a", "output": "paid"},
        {"role": "assistant", "content": "Paid."},
        {"role": "user", "content": "Thanks."},
    ],
}


def said(body: Body) -> Any:
    return body["messages"] if "messages" in body else body["input"]


def first_call(messages: Any) -> Body:
    return messages[2]["tool_calls"][0]


def changed(body: Body, change: Change) -> Body:
    other = copy.deepcopy(body)
    change(other)
    return other


BAD_CHAT: list[tuple[Change, str]] = [
    (lambda body: body.update(temperature=float("nan")), "no JSON"),
    (lambda body: body["messages"][1].update(content="\ud800"), "no JSON"),
    (lambda body: body.update(stream=False), "stream_options without a stream"),
    (lambda body: body.update(max_tokens=9), "two limits"),
    (lambda body: body.update(store=False), "of the other API"),
    (lambda body: body["messages"].clear(), "no messages"),
    (lambda body: body["tools"].append(body["tools"][0]), "tool names"),
    (lambda body: body["tools"][0]["function"].update(name="a.b"), "tool names"),
    (lambda body: body["tools"][0].pop("type"), "a tool of no type"),
    (lambda body: body["tools"].clear(), "an empty list"),
    (lambda body: (body.pop("tools"), body.update(parallel_tool_calls=True)), "rules for tools without any"),
    (lambda body: body["messages"][1].update(content=None), "1: content that is no text"),
    (lambda body: body["messages"][3].pop("content"), "3: content that is no text"),
    (lambda body: body["messages"][1].update(role="human"), "nobody is called 'human'"),
    (lambda body: body["messages"][5].update(content=None), "5: content that is no text beside no calls"),
    (lambda body: body["messages"][5].update(tool_calls=[]), "an empty list of calls"),
    (lambda body: first_call(said(body)).update(id=""), "a malformed id"),
    (lambda body: first_call(said(body)).update(id="x" * 41), "a malformed id"),
    (lambda body: first_call(said(body)).pop("type"), "a call of no type"),
    (lambda body: first_call(said(body))["function"].update(name="a b"), "a malformed name"),
    (lambda body: first_call(said(body))["function"].update(arguments="[]"), "arguments '[]'"),
    (lambda body: first_call(said(body))["function"].update(arguments={}), "arguments {}"),
    (lambda body: first_call(said(body)).update(id="b"), "calls of one id"),
    (lambda body: said(body).pop(4), "['a'] not answered before it"),
    (lambda body: said(body).pop(7), "['a'] not answered before it"),
    (lambda body: said(body).__delitem__(slice(7, 9)), "['a'] not answered at all"),
    (lambda body: said(body).insert(5, said(body)[4]), "5: an answer to no call"),
    (lambda body: said(body).insert(1, said(body)[4]), "1: an answer to no call"),
    (lambda body: said(body).insert(3, said(body)[1]), "3: ['a', 'b'] not answered before it"),
]
BAD_RESPONSES: list[tuple[Change, str]] = [
    (lambda body: body.update(temperature=float("inf")), "no JSON"),
    (lambda body: body.pop("store"), "something is to be kept"),
    (lambda body: body.update(previous_response_id="r"), "something is to be kept"),
    (lambda body: body.pop("include"), "reasoning that could not be sent back"),
    (lambda body: body.update(max_output_tokens=15), "too small a limit"),
    (lambda body: body.update(instructions=""), "empty instructions"),
    (lambda body: body.update(max_tokens=5), "of the other API"),
    (lambda body: said(body).clear(), "no input"),
    (lambda body: body["tools"][0].update(name=""), "tool names"),
    (lambda body: body["tools"].clear(), "an empty list"),
    (lambda body: body.pop("tools"), "rules for tools without any"),
    (lambda body: said(body)[0].update(content=None), "0: content that is no text"),
    (lambda body: said(body)[0].pop("role"), "0: nobody's message"),
    (lambda body: said(body)[2].update(content=[]), "2: an answer without words"),
    (lambda body: said(body)[1].pop("encrypted_content"), "1: reasoning that cannot be read"),
    (lambda body: said(body).insert(9, said(body)[1]), "9: reasoning without what it belongs to"),
    (lambda body: said(body).insert(0, said(body)[1]), "0: reasoning without what it belongs to"),
    (lambda body: said(body)[1].update(id="rs_1"), "1: the id of an item that nobody kept"),
    (lambda body: said(body)[3].update(status="completed"), "3: a status"),
    (lambda body: said(body)[3].update(call_id=None), "a malformed id"),
    (lambda body: said(body)[3].update(name=None), "a malformed name"),
    (lambda body: said(body)[3].update(arguments='{"a":1}{}'), "3: arguments"),
    (lambda body: said(body)[5].update(output=None), "5: an output that is no text"),
    (lambda body: said(body)[4].update(call_id="a"), "4: a second call of the id 'a'"),
    (lambda body: said(body).pop(6), "6: ['a'] not answered before it"),
    (lambda body: said(body).__delitem__(slice(6, 9)), "['a'] not answered at all"),
    (lambda body: said(body).insert(7, said(body)[6]), "7: an output of no call"),
    (lambda body: said(body).insert(0, said(body)[6]), "0: an output of no call"),
    (lambda body: said(body).insert(5, said(body)[0]), "5: ['a', 'b'] not answered before it"),
]


def numbered(cases: list[tuple[Change, str]]) -> list[str]:
    return [f"{number}: {named}" for number, (_, named) in enumerate(cases)]


def test_a_good_request_passes():
    assert lint_chat(CHAT) == []
    assert lint_responses(RESPONSES) == []


@pytest.mark.parametrize(("change", "named"), BAD_CHAT, ids=numbered(BAD_CHAT))
def test_what_chat_completions_would_refuse_is_named(change: Change, named: str):
    assert any(named in each for each in lint_chat(changed(CHAT, change)))


@pytest.mark.parametrize(("change", "named"), BAD_RESPONSES, ids=numbered(BAD_RESPONSES))
def test_what_the_responses_api_would_refuse_is_named(change: Change, named: str):
    assert any(named in each for each in lint_responses(changed(RESPONSES, change)))


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", "{}{}", '{"a":NaN}', '{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', None, {}]
)
def test_only_one_strict_object_is_arguments(text: object):
    assert not is_strict_object(text)
    assert is_strict_object('{"a": {"b": [1.50, null]}}')


@pytest.mark.parametrize(
    "calls",
    [
        [("functions.pay:0", "functions.pay")],
        [("call_" + "x" * 80 + "1", "pay"), ("call_" + "x" * 80 + "2", "pay")],
        [("call_1", "p" * 70)],
        [("call.1", "pay"), ("call:1", "pay")],
    ],
    ids=["a dot in a name", "long ids", "a long name", "ids that differ in a mark"],
)
def test_calls_that_other_servers_let_pass_are_sent_as_each_api_takes_them(calls: list[tuple[str, str]]):
    called = tuple(ToolUseBlock(call_id, name, {}) for call_id, name in calls)
    answered = tuple(ToolResultBlock(call_id, "no such tool", is_error=True) for call_id, _ in calls)
    request = ModelRequest(
        model="m", messages=(Message("user", "x"), Message("assistant", called), Message("tool", answered))
    )
    assert lint_chat(encode_chat(request, chat_profile("https://api.openai.com/v1"))) == []
    assert lint_responses(encode_responses(request, ResponsesProfile())) == []
    assert lint_request(encode(request)) == []
