"""OpenAI's own rules for the requests of its two APIs, as far as they can be checked without asking OpenAI."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
LONGEST_ID = {"chat": 40, "responses": 64}
LEAST_OUTPUT = 16
READABLE_REASONING = "reasoning.encrypted_content"
Body = dict[str, Any]


def lint_chat(body: Body) -> list[str]:
    """What Chat Completions would refuse; nothing, for a good request."""
    tools = [tool.get("function", {}) for tool in body.get("tools", [])]
    return [*_chat_frame(body), *_tools(body, tools), *_chat_messages(body), *_chat_pairs(body["messages"])]


def lint_responses(body: Body) -> list[str]:
    """What the Responses API would refuse, of requests after which it keeps nothing."""
    return [*_responses_frame(body), *_tools(body, body.get("tools", [])), *_items(body["input"]), *_pairs(body)]


def is_strict_object(text: object) -> bool:
    """Whether this is the text of one JSON object that every reader reads alike."""
    if not isinstance(text, str):
        return False
    try:
        return isinstance(json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique), dict)
    except ValueError:
        return False


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> Body:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _is_sent(body: Body) -> Iterator[str]:
    try:
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except ValueError as error:
        yield f"no JSON: {error}"


def _chat_frame(body: Body) -> Iterator[str]:
    yield from _is_sent(body)
    if "stream_options" in body and not body.get("stream"):
        yield "stream_options without a stream"
    if {"max_tokens", "max_completion_tokens"} <= set(body):
        yield "two limits"
    if strangers := {"input", "instructions", "store", "include"} & set(body):
        yield f"parameters of the other API: {sorted(strangers)}"
    if not body["messages"]:
        yield "no messages"


def _responses_frame(body: Body) -> Iterator[str]:
    yield from _is_sent(body)
    if body.get("store") is not False or "previous_response_id" in body:
        yield "something is to be kept"
    if READABLE_REASONING not in body.get("include", []):
        yield "reasoning that could not be sent back"
    if body.get("max_output_tokens", LEAST_OUTPUT) < LEAST_OUTPUT:
        yield "too small a limit"
    if body.get("instructions") == "":
        yield "empty instructions"
    if strangers := {"messages", "max_tokens", "stream_options", "response_format"} & set(body):
        yield f"parameters of the other API: {sorted(strangers)}"
    if not body["input"]:
        yield "no input"


def _tools(body: Body, tools: list[Body]) -> Iterator[str]:
    names = [tool.get("name") for tool in tools]
    if len(set(names)) != len(names) or not all(isinstance(name, str) and NAME.fullmatch(name) for name in names):
        yield "tool names"
    if any(tool.get("type") != "function" for tool in body.get("tools", [])):
        yield "a tool of no type"
    if body.get("tools") == []:
        yield "an empty list"
    if not tools and {"parallel_tool_calls", "tool_choice"} & set(body):
        yield "rules for tools without any"


def _chat_messages(body: Body) -> Iterator[str]:
    for number, message in enumerate(body["messages"]):
        match message.get("role"):
            case "system" | "user" | "tool" if not isinstance(message.get("content"), str):
                yield f"{number}: content that is no text"
            case "assistant":
                yield from (f"{number}: {each}" for each in _chat_assistant(message))
            case "system" | "user" | "tool":
                pass
            case role:
                yield f"{number}: nobody is called {role!r}"


def _chat_assistant(message: Body) -> Iterator[str]:
    calls = message.get("tool_calls")
    if calls == []:
        yield "an empty list of calls"
    if not isinstance(message.get("content"), str) and not (calls and message.get("content") is None):
        yield "content that is no text beside no calls"
    for call in calls or []:
        function = call.get("function", {})
        yield from _call(call.get("id"), function.get("name"), function.get("arguments"), "chat")
        if call.get("type") != "function":
            yield "a call of no type"


def _call(call_id: object, name: object, arguments: object, api: str) -> Iterator[str]:
    if not isinstance(call_id, str) or not 0 < len(call_id) <= LONGEST_ID[api]:
        yield f"a malformed id {call_id!r}"
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield f"a malformed name {name!r}"
    if not is_strict_object(arguments):
        yield f"arguments {arguments!r}"


def _chat_pairs(messages: list[Body]) -> Iterator[str]:
    """Directly after a message with calls comes one answer to each, in any order, and nowhere else any."""
    due: list[str] = []
    for number, message in enumerate(messages):
        if message.get("role") == "tool":
            answered = message.get("tool_call_id")
            if answered in due:
                due.remove(answered)
            else:
                yield f"{number}: an answer to no call before it: {answered!r}"
            continue
        if due:
            yield f"{number}: {due} not answered before it"
        due = [str(call.get("id")) for call in message.get("tool_calls") or []]
        if len(set(due)) != len(due):
            yield f"{number}: calls of one id: {due}"
    if due:
        yield f"{due} not answered at all"


def _items(items: list[Body]) -> Iterator[str]:
    for number, item in enumerate(items):
        kind = _kind(item)
        follower = _kind(items[number + 1]) if number + 1 < len(items) else None
        yield from (f"{number}: {each}" for each in _item(kind, item))
        if kind == "reasoning" and follower in {None, "user", "system", "function_call_output"}:
            yield f"{number}: reasoning without what it belongs to"
        if "id" in item:
            yield f"{number}: the id of an item that nobody kept"
        if "status" in item and kind in {"assistant", "reasoning", "function_call"}:
            yield f"{number}: a status"


def _kind(item: Body) -> str:
    """Who says it, for a message; what it is, for anything else."""
    return str(item.get("role") if item.get("type", "message") == "message" else item["type"])


def _item(kind: str, item: Body) -> Iterator[str]:
    match kind:
        case "user" | "system" if not isinstance(item.get("content"), str):
            yield "content that is no text"
        case "assistant" if not item.get("content"):
            yield "an answer without words"
        case "reasoning" if not item.get("encrypted_content") or not isinstance(item.get("summary"), list):
            yield "reasoning that cannot be read"
        case "function_call":
            yield from _call(item.get("call_id"), item.get("name"), item.get("arguments"), "responses")
        case "function_call_output" if not isinstance(item.get("output"), str):
            yield "an output that is no text"
        case "None":
            yield "nobody's message"


def _pairs(body: Body) -> Iterator[str]:
    """Each call has one output after it, before anybody says or thinks anything else."""
    called, due = set[str](), list[str]()
    for number, item in enumerate(body["input"]):
        kind, call_id = _kind(item), str(item.get("call_id"))
        if kind == "function_call_output":
            if call_id in due:
                due.remove(call_id)
            else:
                yield f"{number}: an output of no call before it: {call_id!r}"
        elif kind == "function_call":
            if call_id in called:
                yield f"{number}: a second call of the id {call_id!r}"
            called.add(call_id)
            due.append(call_id)
        elif due and kind in {"user", "system", "assistant", "reasoning"}:
            yield f"{number}: {due} not answered before it"
            due = []
    if due:
        yield f"{due} not answered at all"
