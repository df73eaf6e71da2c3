"""The same turns in three dialects, as the servers would send them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Protocol

from tests.wire.server import Reply, anthropic_sse, openai_sse, responses_sse

Call = tuple[str, str, dict[str, Any]]  # id, name, input


class Dialect(Protocol):
    """How one provider says things."""

    model: str
    key: str
    used: tuple[int, int]
    """What it counts: tokens of the request, and of the answer."""

    def text(self, words: str) -> Reply: ...

    def calls(self, *calls: Call, interleaved: bool = False) -> Reply: ...

    def failing_inside(self) -> Reply:
        """An overload that is told inside a stream with status 200, after some words."""
        ...

    def refused(self) -> Reply: ...

    def cut_short(self) -> Reply:
        """The answer ends because the tokens are used up."""
        ...

    def error(self, status: int, kind: str, message: str, **headers: str) -> Reply: ...

    def results(self, body: dict[str, Any]) -> list[str]:
        """The tool results that a request carries, in order."""
        ...


def pieces(arguments: dict[str, Any]) -> tuple[str, str]:
    text = json.dumps(arguments)
    return text[: len(text) // 2], text[len(text) // 2 :]


@dataclass(frozen=True)
class Anthropic:
    model: str = "anthropic:claude-test"
    key: str = "ANTHROPIC_API_KEY"
    used: tuple[int, int] = (10, 7)

    def _turn(self, *events: dict[str, Any], stop: str = "end_turn", whole: bool = True) -> Reply:
        begin = {
            "type": "message_start",
            "message": {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "content": [],
                "model": "claude-test",
                "usage": {"input_tokens": self.used[0], "output_tokens": 1},
            },
        }
        end = [
            {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": self.used[1]}},
            {"type": "message_stop"},
        ]
        return Reply(body=anthropic_sse([begin, *events, *(end if whole else [])]))

    def _text(self, index: int, words: str) -> list[dict[str, Any]]:
        return [
            {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": words}},
            {"type": "content_block_stop", "index": index},
        ]

    def text(self, words: str) -> Reply:
        return self._turn(*self._text(0, words))

    def thinking_then(self, call: Call) -> Reply:
        thought = [
            {
                "type": "content_block_start",
                "index": 0,
                "content_block": {"type": "thinking", "thinking": "", "signature": ""},
            },
            {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2lnbmVk"}},
            {"type": "content_block_stop", "index": 0},
        ]
        return self._turn(*thought, *self._call(1, call), stop="tool_use")

    def _call(self, index: int, call: Call) -> list[dict[str, Any]]:
        call_id, name, arguments = call
        deltas = [
            {"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": part}}
            for part in ("", *pieces(arguments))
        ]
        start = {
            "type": "content_block_start",
            "index": index,
            "content_block": {"type": "tool_use", "id": call_id, "name": name, "input": {}},
        }
        return [start, *deltas, {"type": "content_block_stop", "index": index}]

    def calls(self, *calls: Call, interleaved: bool = False) -> Reply:
        blocks = [self._call(index, call) for index, call in enumerate(calls)]
        events = [event for group in (zip(*blocks, strict=True) if interleaved else blocks) for event in group]
        return self._turn(*events, stop="tool_use")

    def failing_inside(self) -> Reply:
        error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
        return self._turn(*self._text(0, "half")[:2], error, whole=False)

    def refused(self) -> Reply:
        return self._turn(*self._text(0, "I can't."), stop="refusal")

    def cut_short(self) -> Reply:
        return self._turn(*self._text(0, "half an ans"), stop="max_tokens")

    def error(self, status: int, kind: str, message: str, **headers: str) -> Reply:
        body = json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
        return Reply(status=status, body=body, headers=headers, content_type="application/json", framing="length")

    def results(self, body: dict[str, Any]) -> list[str]:
        last = body["messages"][-1]
        return [_text_of(block["content"]) for block in last["content"] if block["type"] == "tool_result"]


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@dataclass(frozen=True)
class Chat:
    model: str = "openai-chat:local-test"
    key: str = "OPENAI_API_KEY"
    used: tuple[int, int] = (10, 7)

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {
            "id": "c",
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }

    def _turn(self, *chunks: dict[str, Any]) -> Reply:
        asked, answered = self.used
        counts = {"prompt_tokens": asked, "completion_tokens": answered}
        return Reply(body=openai_sse([*chunks, {"id": "c", "choices": [], "usage": counts}]))

    def text(self, words: str) -> Reply:
        return self._turn(
            self._chunk({"role": "assistant", "content": ""}), self._chunk({"content": words}), self._chunk({}, "stop")
        )

    def calls(self, *calls: Call, interleaved: bool = False) -> Reply:
        starts, firsts, seconds = [], [], []
        for index, (call_id, name, arguments) in enumerate(calls):
            first, second = pieces(arguments)
            start = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
            starts.append(self._chunk({"tool_calls": [start]}))
            firsts.append(self._chunk({"tool_calls": [{"index": index, "function": {"arguments": first}}]}))
            seconds.append(self._chunk({"tool_calls": [{"index": index, "function": {"arguments": second}}]}))
        ordered = (
            [*starts, *firsts, *seconds]
            if interleaved
            else [c for trio in zip(starts, firsts, seconds, strict=True) for c in trio]
        )
        return self._turn(*ordered, self._chunk({}, "tool_calls"))

    def failing_inside(self) -> Reply:
        error = {"error": {"message": "Overloaded", "type": "server_error", "code": "overloaded"}}
        return Reply(body=openai_sse([self._chunk({"content": "half"}), error], done=False))

    def refused(self) -> Reply:
        return self._turn(self._chunk({"refusal": "I can't."}), self._chunk({}, "stop"))

    def cut_short(self) -> Reply:
        return self._turn(self._chunk({"content": "half an ans"}), self._chunk({}, "length"))

    def error(self, status: int, kind: str, message: str, **headers: str) -> Reply:
        body = json.dumps({"error": {"type": kind, "code": kind, "message": message}}).encode()
        return Reply(status=status, body=body, headers=headers, content_type="application/json", framing="length")

    def results(self, body: dict[str, Any]) -> list[str]:
        return [message["content"] for message in body["messages"] if message["role"] == "tool"]


@dataclass(frozen=True)
class Responses:
    model: str = "openai-responses:gpt-test"
    key: str = "OPENAI_API_KEY"
    used: tuple[int, int] = (10, 7)

    def _turn(
        self, *events: dict[str, Any], output: list[dict[str, Any]], status: str = "completed", **more: Any
    ) -> Reply:
        asked, answered = self.used
        usage = {"input_tokens": asked, "output_tokens": answered, "total_tokens": asked + answered}
        response = {"id": "r", "object": "response", "status": status, "output": output, "usage": usage, **more}
        begin = {"type": "response.created", "response": {**response, "output": [], "status": "in_progress"}}
        return Reply(body=responses_sse([begin, *events, {"type": f"response.{status}", "response": response}]))

    def _text(self, words: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        item = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": words, "annotations": []}],
        }
        events = [
            {
                "type": "response.output_item.added",
                "output_index": 0,
                "item": {**item, "content": [], "status": "in_progress"},
            },
            {
                "type": "response.output_text.delta",
                "output_index": 0,
                "item_id": "msg_1",
                "content_index": 0,
                "delta": words,
            },
            {"type": "response.output_item.done", "output_index": 0, "item": item},
        ]
        return events, item

    def text(self, words: str) -> Reply:
        events, item = self._text(words)
        return self._turn(*events, output=[item])

    def calls(self, *calls: Call, interleaved: bool = False) -> Reply:
        groups, items = [], []
        for index, (call_id, name, arguments) in enumerate(calls):
            item = {
                "type": "function_call",
                "id": f"fc_{index}",
                "call_id": call_id,
                "name": name,
                "arguments": json.dumps(arguments),
                "status": "completed",
            }
            first, second = pieces(arguments)
            where = {"output_index": index, "item_id": item["id"]}
            groups.append(
                [
                    {
                        "type": "response.output_item.added",
                        "output_index": index,
                        "item": {**item, "arguments": "", "status": "in_progress"},
                    },
                    {"type": "response.function_call_arguments.delta", **where, "delta": first},
                    {"type": "response.function_call_arguments.delta", **where, "delta": second},
                    {"type": "response.function_call_arguments.done", **where, "arguments": item["arguments"]},
                    {"type": "response.output_item.done", "output_index": index, "item": item},
                ]
            )
            items.append(item)
        ordered = [event for group in (zip(*groups, strict=True) if interleaved else groups) for event in group]
        return self._turn(*ordered, output=items)

    def failing_inside(self) -> Reply:
        events, _ = self._text("half")
        error = {"type": "error", "code": "server_error", "message": "Overloaded", "param": None}
        return Reply(body=responses_sse([*events[:2], error]))

    def refused(self) -> Reply:
        item = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "refusal", "refusal": "I can't."}],
        }
        events = [
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
            {"type": "response.refusal.delta", "output_index": 0, "item_id": "msg_1", "delta": "I can't."},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
        ]
        return self._turn(*events, output=[item])

    def cut_short(self) -> Reply:
        events, item = self._text("half an ans")
        return self._turn(
            *events, output=[item], status="incomplete", incomplete_details={"reason": "max_output_tokens"}
        )

    def error(self, status: int, kind: str, message: str, **headers: str) -> Reply:
        return Chat().error(status, kind, message, **headers)

    def results(self, body: dict[str, Any]) -> list[str]:
        return [item["output"] for item in body["input"] if item.get("type") == "function_call_output"]
