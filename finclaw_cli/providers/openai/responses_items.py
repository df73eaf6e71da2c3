"""The output items of one response: kept as they came for the echo, their calls and texts as chunks."""

from __future__ import annotations

from dataclasses import dataclass, field

from finclaw_cli.core.chunks import MAX_BLOCKS, StreamChunk, TextDelta, ToolInputDelta, ToolUseStart
from finclaw_cli.core.growing_text import GrowingText
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.http.failures import contradictory, overfull
from finclaw_cli.providers.call_ids import CallIds
from finclaw_cli.providers.fields import count, records, text
from finclaw_cli.providers.openai.calls import echoed

_UTF_16 = ("utf-16-le", "surrogatepass")


@dataclass(slots=True)
class _Item:
    """One place of the output. `id` is a call's, once it was announced."""

    final: JsonObject | None = None
    id: str = ""
    call_id: str = ""
    """The call's id on the wire."""
    pieces: GrowingText = field(default_factory=GrowingText)
    closed: bool = False
    """The end of the call's input came."""
    spoke: bool = False

    @property
    def arguments(self) -> str:
        return str(self.pieces)

    def echo(self) -> JsonObject:
        item = self.final or {}
        if self.id:
            # The id that was announced is the one that the result will name.
            return {**item, "call_id": self.id, "arguments": echoed(self.arguments)}
        return item


class OutputItems:
    """Keyed by `output_index`, which stays the same where gateways change an item's id from event to event."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._items: dict[int | str, _Item] = {}
        self._ids = CallIds(provider, "call_")
        self.refused = False

    @property
    def calls(self) -> list[str]:
        """The ids of the announced calls, in their order."""
        return [item.id for item in self._ordered() if item.id]

    @property
    def unfinished(self) -> bool:
        """Did a call begin that never became whole?"""
        return any(item.id and item.final is None for item in self._items.values())

    def echo(self, *, with_calls: bool) -> tuple[JsonObject, ...]:
        """The items as they go back. Without the calls, the reasoning that led to them must go too."""
        kept = [item.echo() for item in self._ordered() if item.final is not None and (with_calls or not item.id)]
        while kept and not with_calls and kept[-1].get("type") == "reasoning":
            kept.pop()
        return tuple(kept)

    def text_delta(self, data: JsonObject) -> list[StreamChunk]:
        return self._say(self._at(data), text(data.get("delta")))

    def refusal_delta(self, data: JsonObject) -> list[StreamChunk]:
        self.refused = True
        return self.text_delta(data)

    def added(self, data: JsonObject) -> list[StreamChunk]:
        return self._announce(self._at(data), _item_of(data))

    def arguments_delta(self, data: JsonObject) -> list[StreamChunk]:
        known, piece = self._at(data), text(data.get("delta"))
        if known.closed and piece:
            raise contradictory(self._provider, "the input of a call went on after its end")
        return self._argue(known, piece)

    def arguments_done(self, data: JsonObject) -> list[StreamChunk]:
        return self._close(self._at(data), text(data.get("arguments")))

    def done(self, data: JsonObject) -> list[StreamChunk]:
        """An item is whole: it has what its deltas left out."""
        return self._finalise(self._at(data), _item_of(data))

    def late(self, items: list[JsonObject]) -> list[StreamChunk]:
        """Take the items of the finished response, some of which the stream may have left out.

        Their places may differ from the stream's, so a call that was streamed is found by its `call_id`, too.
        """
        streamed = {known.call_id: known for known in self._items.values() if known.call_id}
        chunks: list[StreamChunk] = []
        for index, item in enumerate(items):
            call_id = text(item.get("call_id"))
            found = (self._items.get(index), self._items.get(text(item.get("id"))), streamed.get(call_id))
            known = next((one for one in found if one is not None and one.call_id in {"", call_id}), None)
            if known is None:
                known = self._place(index if found[0] is None else f"output {index}")
            if known.final is None:
                chunks += self._finalise(known, item)
        return chunks

    def _finalise(self, known: _Item, item: JsonObject) -> list[StreamChunk]:
        known.final = item
        if item.get("type") == "function_call":
            return [*self._announce(known, item), *self._close(known, text(item.get("arguments")))]
        if item.get("type") == "message":
            return self._words(known, item)
        return []

    def _words(self, known: _Item, item: JsonObject) -> list[StreamChunk]:
        parts = records(item.get("content"))
        refusal = "".join(text(part.get("refusal")) for part in parts)
        self.refused = self.refused or bool(refusal)
        return [] if known.spoke else self._say(known, "".join(text(part.get("text")) for part in parts) + refusal)

    def _announce(self, known: _Item, item: JsonObject) -> list[StreamChunk]:
        name = text(item.get("name"))
        if item.get("type") != "function_call" or known.id or not name:
            return []
        known.call_id = text(item.get("call_id"))
        known.id = self._ids.take(known.call_id)
        backlog = known.arguments
        return [ToolUseStart(known.id, name), *([ToolInputDelta(known.id, backlog)] if backlog else [])]

    def _argue(self, known: _Item, piece: str) -> list[StreamChunk]:
        if not piece:
            return []
        known.pieces.append(piece)
        return [ToolInputDelta(known.id, piece)] if known.id else []

    def _close(self, known: _Item, whole: str) -> list[StreamChunk]:
        """End a call's input, of which the deltas may have brought all, a part, or nothing."""
        was_closed, known.closed = known.closed, True
        if not whole:
            return []
        # Counted in UTF-16 units: the deltas may have cut a code point in two, which is whole here.
        units, so_far = _units(whole), _units(known.arguments)
        if not units.startswith(so_far) or (was_closed and so_far and units != so_far):
            # It is not known which of the two the model meant, and one of them may move money.
            raise contradictory(self._provider, "the arguments of a call came in two versions")
        return self._argue(known, units[len(so_far) :].decode(*_UTF_16))

    def _say(self, known: _Item, words: str) -> list[StreamChunk]:
        known.spoke = known.spoke or bool(words)
        return [TextDelta(words)] if words else []

    def _at(self, data: JsonObject) -> _Item:
        index = count(data.get("output_index"))
        key = index if index is not None else text(data.get("item_id")) or text(_item_of(data).get("id"))
        return self._place(key)

    def _place(self, key: int | str) -> _Item:
        known = self._items.get(key)
        if known is None:
            if len(self._items) == MAX_BLOCKS:
                raise overfull(self._provider, "blocks", MAX_BLOCKS)
            known = self._items[key] = _Item()
        return known

    def _ordered(self) -> list[_Item]:
        """By place; where a server gives no places, as they came."""
        return [item for _, item in sorted(self._items.items(), key=lambda pair: _order(pair[0]))]


def _units(words: str) -> bytes:
    return words.encode(*_UTF_16)


def _item_of(data: JsonObject) -> JsonObject:
    item = data.get("item")
    return item if isinstance(item, dict) else {}


def _order(key: int | str) -> tuple[bool, int]:
    return (False, key) if isinstance(key, int) else (True, 0)
