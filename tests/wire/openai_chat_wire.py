"""The pieces that Chat Completions vectors are made of."""

from __future__ import annotations

from typing import Any

from finclaw_cli.core.chunks import UsageReport
from tests.wire.openai_turns import Fault, Turn
from tests.wire.server import openai_sse

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
