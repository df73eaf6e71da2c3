"""Chat Completions, from raw events to chunks: what every compatible server sends, and what it leaves out.

Nothing but the end of the stream ends a call: calls may interleave, and only a turn that is whole may be acted upon. A
turn is whole in two cases: `[DONE]` came, or the body came to a clean end and no content followed the last
`finish_reason`. Usage is no end: servers report it before, between and after the deltas.

`[DONE]` is final: what follows it is not read, so a connection that breaks behind it changes nothing. Before it a
broken connection is an error, also after a `finish_reason`, since content may have been lost.
"""

from __future__ import annotations

from finclaw_cli.core.chunks import Done, RawTurn, StreamChunk, ToolUseEnd, UsageReport
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.usage import StopReason
from finclaw_cli.http.failures import truncated
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.fields import record, records, text
from finclaw_cli.providers.openai.chat_message import VENDOR_FIELDS, AssistantMessage
from finclaw_cli.providers.openai.chat_slots import CallSlots
from finclaw_cli.providers.openai.faults import raise_if_failed
from finclaw_cli.providers.openai.usage import chat_usage

DIALECT = "openai-chat"

_STOPS: dict[str, StopReason] = {
    "": "end_turn",
    "stop": "end_turn",
    "eos": "end_turn",
    "end_turn": "end_turn",
    "stop_sequence": "stop_sequence",
    "tool_calls": "tool_use",
    "tool_use": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "model_length": "max_tokens",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "refusal": "refusal",
}
_TOOL_WORDS = frozenset({"tool_calls", "tool_use", "function_call"})
# A choice has none of these but where it failed.
_FAULT_KEYS = frozenset({"error", "object", "type"})
_USAGE_KEYS = frozenset({"usage", "x_groq"})
_CONTENT_KEYS = frozenset({"content", "refusal", "tool_calls", "function_call", *VENDOR_FIELDS})
# The server's own failures, given as a reason to stop.
_FAILED = frozenset({"error", "abort", "insufficient_system_resource"})


class ChatDecoder:
    """One turn. Feed it every event, then ask it to finish."""

    def __init__(self, *, provider: str, model: str) -> None:
        self._provider = provider
        self._model = model
        self._message = AssistantMessage(provider)
        self._slots = CallSlots(provider)
        self._finish = ""
        self._is_finished = False
        """A reason to stop came, and no content since."""
        self._usage: UsageReport | None = None
        self.ended = False
        """The terminal marker came: nothing that follows counts."""

    def feed(self, event: RawEvent) -> list[StreamChunk]:
        """Take one event.

        Raises:
            ProviderError: when the server reports a failure in the middle of its answer.
        """
        if event.name == "[DONE]":
            self.ended = True
            return []
        raise_if_failed(event, self._provider)
        data = record(event.data)
        choice = self._choice(data)
        if event.name == "json":
            choice = _as_chunk(choice)
            self.ended = bool(choice)
        delta = record(choice.get("delta"))
        if self._is_finished and any(delta.get(key) for key in _CONTENT_KEYS):
            self._is_finished = False
        chunks = self._take_delta(delta)
        if reason := text(choice.get("finish_reason")):
            self._finish, self._is_finished = reason, True
        if not _USAGE_KEYS.isdisjoint(data) or "usage" in choice:
            chunks += self._take_usage(_usage_in(data, choice))
        return chunks

    def finish(self) -> list[StreamChunk]:
        """End the turn.

        Raises:
            ProviderError: when the stream ended before the turn was whole, or the server gave up on it.
        """
        if not (self.ended or self._is_finished):
            raise truncated(self._provider)
        late = [*self._message.flush(), *self._slots.flush()]
        stop = self._stop_reason()
        calls = self._slots.named if stop == "tool_use" else []
        message = self._message.build([slot.echo() for slot in calls])
        raw = RawTurn(dialect=DIALECT, model=self._model, blocks=(message,))
        detail = self._finish if stop in {"unknown", "content_filter"} else None
        return [*late, *(ToolUseEnd(slot.id) for slot in calls), Done(stop_reason=stop, raw=raw, detail=detail)]

    def _choice(self, data: JsonObject) -> JsonObject:
        choices = data.get("choices")
        # One answer is asked for; what belongs to another one is passed over.
        first = (
            (item for item in choices if isinstance(item, dict) and not item.get("index"))
            if isinstance(choices, list)
            else ()
        )
        choice = next(iter(first), {})
        if not _FAULT_KEYS.isdisjoint(choice):
            raise_if_failed(RawEvent("", choice), self._provider)
        return choice

    def _take_delta(self, delta: JsonObject) -> list[StreamChunk]:
        chunks = self._message.take(delta)
        if "tool_calls" in delta:
            for entry in records(delta["tool_calls"]):
                chunks += self._slots.feed(entry)
        if "function_call" in delta and (legacy := record(delta["function_call"])):
            chunks += self._slots.feed({"index": 0, "function": legacy})
        return chunks

    def _take_usage(self, usage: JsonObject) -> list[StreamChunk]:
        if not usage:
            return []
        report = chat_usage(usage)
        if report == self._usage:
            return []
        self._usage = report
        return [report]

    def _stop_reason(self) -> StopReason:
        word = self._finish.lower()
        if word in _FAILED:
            raise ProviderError(
                f"{self._provider} gave up on its answer ({word})",
                reason="overloaded" if word == "insufficient_system_resource" else "server_error",
                code=word,
                provider=self._provider,
            )
        if self._message.refused:
            return "refusal"
        stop = _STOPS.get(word, "unknown")
        calls = self._slots.named
        if stop in {"end_turn", "tool_use"}:
            return "tool_use" if calls else ("unknown" if word in _TOOL_WORDS else stop)
        if stop == "unknown" and calls and all(slot.whole for slot in calls):
            return "tool_use"
        return stop


def _usage_in(data: JsonObject, choice: JsonObject) -> JsonObject:
    """What was counted so far: in OpenAI's place, Groq's, Moonshot's."""
    return record(data.get("usage")) or record(record(data.get("x_groq")).get("usage")) or record(choice.get("usage"))


def _as_chunk(choice: JsonObject) -> JsonObject:
    """A whole message read as if it were the only delta; its calls are distinguished by their place."""
    message = record(choice.get("message"))
    calls = [{"index": place, **entry} for place, entry in enumerate(records(message.get("tool_calls")))]
    return {**choice, "delta": {**message, "tool_calls": [*calls]}} if choice else {}
