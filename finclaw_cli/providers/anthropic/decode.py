"""Anthropic's events as our chunks. Pure: events in, chunks out, switching on `type` strings and never on classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from finclaw_cli.core.chunks import MAX_BLOCKS, Done, RawTurn, StreamChunk, UsageReport
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.core.usage import StopReason
from finclaw_cli.http.failures import contradictory, not_a_stream, overfull, truncated
from finclaw_cli.http.sse import WHOLE_BODY
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.anthropic.blocks import PROVIDER, Block
from finclaw_cli.providers.anthropic.encode import DIALECT
from finclaw_cli.providers.anthropic.usage import report
from finclaw_cli.providers.anthropic.whole import events_of
from finclaw_cli.providers.call_ids import CallIds
from finclaw_cli.providers.failures import classify

_STOPS: Final[Mapping[str, StopReason]] = {
    "end_turn": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
    "pause_turn": "pause",
    "model_context_window_exceeded": "context_exceeded",
    # OpenAI's words, which gateways pass on.
    "length": "max_tokens",
    "content_filter": "content_filter",
}
# The reasons that may cut a turn in the middle of a call; with any other, an open call means a broken stream.
_CUTTING: Final[frozenset[StopReason]] = frozenset(
    {"max_tokens", "context_exceeded", "refusal", "content_filter", "pause"}
)
# Servers that send one block after the other may leave its place out.
_NO_INDEX = -1
_NO_CHUNKS: Final[tuple[StreamChunk, ...]] = ()
_NO_FIELDS: Final[Mapping[str, JsonValue]] = {}


_OF_OUTPUT = frozenset({"output_tokens", "output_tokens_details"})


class Decoder:
    """The state of one turn. `feed` one event after the other until `ended`; `Done` comes only with the last.

    Only `message_stop` makes a turn whole. It is final: what follows it is not read, so a connection that breaks behind
    it changes nothing. Before it any end of the stream is an error, also after a `stop_reason`.

    Raises `ProviderError` for an `error` event, and for input that follows the end of its call.
    """

    def __init__(self, model: str, provider: str = PROVIDER) -> None:
        self.ended = False
        self._model = model
        self._provider = provider
        self._ids = CallIds(provider, "toolu_")
        self._blocks: dict[int, Block] = {}
        self._order: list[Block] = []
        self._usage: JsonObject = {}
        self._stop: str | None = None
        self._stop_fields: Mapping[str, JsonValue] = _NO_FIELDS
        self._takers: Mapping[str, Callable[[JsonObject], tuple[StreamChunk, ...]]] = {
            "content_block_delta": self._delta,
            "content_block_start": self._start,
            "content_block_stop": self._block_stop,
            "message_start": self._message_start,
            "message_delta": self._message_delta,
            "message_stop": self._message_stop,
            "error": self._error,
        }

    def feed(self, event: RawEvent) -> Iterable[StreamChunk]:
        """The chunks of one event; none for an event that is not known."""
        return self._take_whole(event.data) if event.name == WHOLE_BODY else self._take(event.data)

    def finish(self) -> Iterable[StreamChunk]:
        """End the turn, after the terminal marker or a clean end of the body.

        Raises:
            ProviderError: the marker is missing.
        """
        if not self.ended:
            missing = "a stop reason came, but no message_stop" if self._stop is not None else ""
            raise truncated(self._provider, missing)
        return _NO_CHUNKS

    def _take(self, data: JsonValue) -> tuple[StreamChunk, ...]:
        if not isinstance(data, dict):
            return _NO_CHUNKS
        kind = data.get("type")
        taker = self._takers.get(kind) if isinstance(kind, str) else None
        if taker is not None:
            return taker(data)
        return self._error(data) if data.get("error") else _NO_CHUNKS

    def _take_whole(self, message: JsonValue) -> Iterator[StreamChunk]:
        """The chunks of a message that came in one piece."""
        for data in events_of(message):
            yield from self._take(data)
        if not self.ended:
            raise not_a_stream(self._provider, "application/json")

    def _delta(self, data: JsonObject) -> tuple[StreamChunk, ...]:
        index = data.get("index")
        block = self._blocks.get(index if isinstance(index, int) else _NO_INDEX)
        delta = data.get("delta")
        if block is None or not isinstance(delta, dict):
            return _NO_CHUNKS
        if block.closed and block.takes_input and delta.get("partial_json"):
            raise contradictory(self._provider, "the input of a call went on after its end")
        return block.grow(delta)

    def _start(self, data: JsonObject) -> tuple[StreamChunk, ...]:
        if len(self._order) == MAX_BLOCKS:
            raise overfull(self._provider, "blocks", MAX_BLOCKS)
        raw = dict(_fields(data, "content_block"))
        if raw.get("type") == "tool_use":
            raw["id"] = self._ids.take(_string(raw.get("id")) or "")
        block = Block(raw)
        self._blocks[_index(data)] = block
        self._order.append(block)
        return block.begin()

    def _block_stop(self, data: JsonObject) -> tuple[StreamChunk, ...]:
        block = self._blocks.get(_index(data))
        return block.close() if block is not None and not block.closed else _NO_CHUNKS

    def _message_start(self, data: JsonObject) -> tuple[StreamChunk, ...]:
        # Its count of the answer, which has hardly begun, is not what is billed.
        counts = {
            key: value for key, value in _fields(_fields(data, "message"), "usage").items() if key not in _OF_OUTPUT
        }
        return self._count({"usage": counts})

    def _message_delta(self, data: JsonObject) -> tuple[StreamChunk, ...]:
        delta = _fields(data, "delta")
        if isinstance(reason := delta.get("stop_reason"), str):
            self._stop, self._stop_fields = reason, delta
        return self._count(data)

    def _count(self, holder: Mapping[str, JsonValue]) -> tuple[StreamChunk, ...]:
        """Newer counts replace older ones field by field: they are totals, and what is left out still stands."""
        news = {key: value for key, value in _fields(holder, "usage").items() if value is not None}
        self._usage.update(news)
        counted = report(self._usage)
        return (counted,) if news and counted != UsageReport() else _NO_CHUNKS

    def _message_stop(self, data: JsonObject) -> tuple[StreamChunk, ...]:
        del data
        reason: StopReason = _STOPS.get(self._stop or "", "unknown")
        ends = self._settle(reason)
        calls = any(block.is_call for block in self._order)
        if reason == "tool_use" and not calls:
            reason = "end_turn"
        elif reason == "end_turn" and calls:
            reason = "tool_use"
        raw = RawTurn(dialect=DIALECT, model=self._model, blocks=tuple(block.echo() for block in self._order))
        self.ended = True
        return (*ends, Done(stop_reason=reason, raw=raw, detail=self._detail(reason)))

    def _settle(self, reason: StopReason) -> list[StreamChunk]:
        """End the calls whose JSON is not visibly whole, and drop those that were cut in two."""
        last = self._order[-1] if self._order else None
        kept: list[Block] = []
        ends: list[StreamChunk] = []
        for block in self._order:
            is_open = block.is_call and not block.ended
            if is_open and reason in _CUTTING and (block is last or not block.closed):
                continue
            if is_open and not block.closed:
                raise truncated(self._provider)
            if is_open:
                ends.append(block.end())
            kept.append(block)
        self._order = kept
        return ends

    def _detail(self, reason: StopReason) -> str | None:
        if reason == "stop_sequence":
            return _string(self._stop_fields.get("stop_sequence"))
        if reason == "refusal":
            details = _fields(self._stop_fields, "stop_details")
            parts = [text for key in ("category", "explanation") if (text := _string(details.get(key)))]
            return ": ".join(parts) or None
        return None if _STOPS.get(self._stop or "") == reason else self._stop

    def _error(self, data: JsonObject) -> tuple[StreamChunk, ...]:
        raise classify(self._provider, data)


def _index(data: JsonObject) -> int:
    index = data.get("index")
    return index if isinstance(index, int) else _NO_INDEX


def _fields(data: Mapping[str, JsonValue], key: str) -> Mapping[str, JsonValue]:
    value = data.get(key)
    return value if isinstance(value, dict) else _NO_FIELDS


def _string(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and value else None
