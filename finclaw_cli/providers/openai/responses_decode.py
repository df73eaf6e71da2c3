"""Responses, from raw events to chunks. Only `response.completed` and `response.incomplete` make a turn whole.

Each of them is final: what follows it is not read, so a connection that breaks behind it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.core.chunks import Done, RawTurn, ReasoningDelta, StreamChunk, ToolUseEnd
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.usage import StopReason
from finclaw_cli.http.failures import truncated
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.failures import classify
from finclaw_cli.providers.fields import count, record, records, text
from finclaw_cli.providers.openai.faults import raise_if_failed
from finclaw_cli.providers.openai.responses_items import OutputItems
from finclaw_cli.providers.openai.usage import responses_usage

DIALECT = "openai-responses"

# Without a reason it is still no whole answer.
_INCOMPLETE: dict[str, StopReason] = {
    "": "max_tokens",
    "max_output_tokens": "max_tokens",
    "content_filter": "content_filter",
}
_STATUSES = frozenset({"completed", "incomplete", "failed", "cancelled"})


class ResponsesDecoder:
    """One turn. Feed it every event, then ask it to finish."""

    def __init__(self, *, provider: str, model: str) -> None:
        self._provider = provider
        self._model = model
        self._items = OutputItems(provider)
        self._incomplete: str | None = None
        self.ended = False
        """The terminal event came: nothing that follows counts."""
        self._handlers: dict[str, Callable[[JsonObject], list[StreamChunk]]] = {
            "response.output_text.delta": self._items.text_delta,
            "response.refusal.delta": self._items.refusal_delta,
            "response.reasoning_summary_part.added": _new_paragraph,
            "response.reasoning_summary_text.delta": _reasoning,
            "response.reasoning_text.delta": _reasoning,
            "response.output_item.added": self._items.added,
            "response.function_call_arguments.delta": self._items.arguments_delta,
            "response.function_call_arguments.done": self._items.arguments_done,
            "response.output_item.done": self._items.done,
            "response.completed": self._over,
            "response.incomplete": self._over,
            "response.failed": self._over,
            "response.cancelled": self._over,
        }

    def feed(self, event: RawEvent) -> list[StreamChunk]:
        """Take one event; those of unknown types, and a stray `[DONE]`, say nothing.

        Raises:
            ProviderError: when the server reports a failure, or contradicts itself about a call.
        """
        raise_if_failed(event, self._provider)
        data = record(event.data)
        if event.name == "json":
            return self._over({"response": data}) if text(data.get("status")) in _STATUSES else []
        handler = self._handlers.get(text(data.get("type")) or event.name)
        return handler(data) if handler else []

    def finish(self) -> list[StreamChunk]:
        """End the turn.

        Raises:
            ProviderError: when no terminal event came, or one came over a call that never became whole.
        """
        if not self.ended or (self._incomplete is None and self._items.unfinished):
            raise truncated(self._provider)
        stop, detail = self._stop_reason()
        runs = stop == "tool_use"
        ends = [ToolUseEnd(call) for call in self._items.calls] if runs else []
        raw = RawTurn(dialect=DIALECT, model=self._model, blocks=self._items.echo(with_calls=runs))
        return [*ends, Done(stop_reason=stop, raw=raw, detail=detail)]

    def _over(self, data: JsonObject) -> list[StreamChunk]:
        response = record(data.get("response"))
        status = text(response.get("status")) or text(data.get("type")).removeprefix("response.")
        if status in {"failed", "cancelled"}:
            raise self._failure(response, status)
        if status == "incomplete":
            self._incomplete = text(record(response.get("incomplete_details")).get("reason"))
        # It repeats whatever the stream left out.
        chunks = self._items.late(records(response.get("output")))
        usage = record(response.get("usage"))
        self.ended = True
        return [*chunks, *([responses_usage(usage)] if usage else [])]

    def _failure(self, response: JsonObject, status: str) -> ProviderError:
        return classify(self._provider, response.get("error") or {"message": f"the response was {status}"})

    def _stop_reason(self) -> tuple[StopReason, str | None]:
        if self._incomplete is not None:
            return _INCOMPLETE.get(self._incomplete, "unknown"), self._incomplete or None
        if self._items.refused:
            return "refusal", None
        # A tool turn is "completed" like any other.
        return ("tool_use" if self._items.calls else "end_turn"), None


def _reasoning(data: JsonObject) -> list[StreamChunk]:
    words = text(data.get("delta"))
    return [ReasoningDelta(words)] if words else []


def _new_paragraph(data: JsonObject) -> list[StreamChunk]:
    return [ReasoningDelta("\n\n")] if count(data.get("summary_index")) else []
