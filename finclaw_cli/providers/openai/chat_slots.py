"""Puts the calls of a Chat Completions stream together, whatever the server forgets, repeats or mixes up.

Servers omit `index`, give every call the same one, repeat ids and names in every piece, send them after the arguments,
interleave calls, or send a whole call at once; some do several of these.
"""

from __future__ import annotations

import heapq
import json
from dataclasses import dataclass, field

from finclaw_cli.core.chunks import MAX_BLOCKS, StreamChunk, ToolInputDelta, ToolUseStart
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.http.failures import overfull
from finclaw_cli.providers.call_ids import CallIds
from finclaw_cli.providers.fields import count, record, text
from finclaw_cli.providers.openai.calls import Brackets, echoed, is_whole

_NO_INDEX = -1
_OWN_KEYS = frozenset({"index", "id", "type", "function"})


@dataclass(slots=True)
class _Piece:
    """One entry of `delta.tool_calls`."""

    entry: JsonObject
    index: int | None
    identifier: str
    name: str
    arguments: str

    @classmethod
    def read(cls, entry: JsonObject) -> _Piece:
        function = record(entry.get("function"))
        return cls(
            entry=entry,
            index=count(entry.get("index")),
            identifier=text(entry.get("id")),
            name=text(function.get("name")),
            arguments=_arguments_text(function.get("arguments")),
        )


@dataclass(slots=True)
class CallSlot:
    """One call as far as it came. `id` is empty until its name is known and it has been announced."""

    wire_id: str = ""
    queued: bool = False
    """Whether it was added to the calls to be announced."""
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    extra: JsonObject = field(default_factory=dict)
    length: int = 0
    """Of all pieces together."""
    brackets: Brackets = field(default_factory=Brackets)
    scanned: int = 0
    """How many pieces `brackets` has seen."""

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)

    @property
    def whole(self) -> bool:
        return is_whole(self.arguments)

    def is_another(self, piece: _Piece) -> bool:
        """Does this piece begin a call of its own, although its place is taken?"""
        if piece.identifier and self.wire_id and piece.identifier != self.wire_id:
            return True
        if not piece.name or not self.name:
            return False
        return piece.name != self.name or (self._overflows(piece) and not self._repeats(piece))

    def take(self, piece: _Piece) -> str:
        """Add what is new in a piece and return its arguments; the first name and the first id stay."""
        self.wire_id = self.wire_id or piece.identifier
        self.name = self.name or piece.name
        self.extra.update(
            {key: value for key, value in piece.entry.items() if key not in _OWN_KEYS and value is not None}
        )
        arguments = "" if self._repeats(piece) else piece.arguments
        if arguments:
            self.pieces.append(arguments)
            self.length += len(arguments)
        return arguments

    def announce(self, ids: CallIds) -> list[StreamChunk]:
        """Begin the call, with all of its arguments that came so far."""
        self.id = ids.take(self.wire_id)
        backlog = self.arguments
        return [ToolUseStart(self.id, self.name), *([ToolInputDelta(self.id, backlog)] if backlog else [])]

    def echo(self) -> JsonObject:
        """The call as it goes back to the server, its vendor's fields included."""
        function: JsonObject = {"name": self.name, "arguments": echoed(self.arguments)}
        return {"id": self.id, "type": "function", "function": function, **self.extra}

    def _overflows(self, piece: _Piece) -> bool:
        # More after an object that has closed can only be garbage or another call. Only servers that repeat the name in
        # their pieces are looked at, and of their pieces each one once.
        for scanned in self.pieces[self.scanned :]:
            self.brackets.feed(scanned)
        self.scanned = len(self.pieces)
        return self.brackets.closed and bool(piece.arguments.strip())

    def _repeats(self, piece: _Piece) -> bool:
        # A server that sends a whole call again under the same id does not mean two calls.
        if not piece.identifier or piece.identifier != self.wire_id or not piece.name or not piece.arguments:
            return False
        return len(piece.arguments) == self.length and self._overflows(piece) and piece.arguments == self.arguments


class CallSlots:
    """All calls of one turn, in the order of their indices; those without one in the order in which they began.

    A call is announced once all calls of lower indices were, so that the order holds for everything that follows.
    """

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._slots: list[CallSlot] = []
        self._announced: list[CallSlot] = []
        self._waiting: list[tuple[int, int, CallSlot]] = []
        """A heap of calls that were not announced: their index, and which call it was that came."""
        self._next_index = 0
        """All calls of lower indices were announced."""
        self._by_index: dict[int, CallSlot] = {}
        self._by_id: dict[str, CallSlot] = {}
        self._current: CallSlot | None = None
        self._ids = CallIds(provider, "call_")

    @property
    def named(self) -> list[CallSlot]:
        """The calls that were announced; one without a name cannot be run."""
        return self._announced

    def feed(self, entry: JsonObject) -> list[StreamChunk]:
        """Add one entry of `delta.tool_calls` to the call it belongs to."""
        piece = _Piece.read(entry)
        slot = self._find(piece)
        if slot is None or slot.is_another(piece):
            if len(self._slots) == MAX_BLOCKS:
                raise overfull(self._provider, "blocks", MAX_BLOCKS)
            slot = CallSlot()
            self._slots.append(slot)
        if piece.index is not None:
            self._by_index[piece.index] = slot
        self._current = slot
        if piece.identifier and not slot.wire_id:
            self._by_id[piece.identifier] = slot
        arguments = slot.take(piece)
        if slot.id:
            return [ToolInputDelta(slot.id, arguments)] if arguments else []
        if slot.name and not slot.queued:
            slot.queued = True
            index = _NO_INDEX if piece.index is None else piece.index
            heapq.heappush(self._waiting, (index, len(self._waiting) + len(self._announced), slot))
        return self._announce(up_to=self._next_index)

    def flush(self) -> list[StreamChunk]:
        """Announce the calls that waited for one of a lower index, which never came."""
        return self._announce(up_to=None)

    def _announce(self, *, up_to: int | None) -> list[StreamChunk]:
        """Announce what waits: the calls whose index is the next one, or all."""
        chunks: list[StreamChunk] = []
        while self._waiting and (up_to is None or self._waiting[0][0] <= up_to):
            index, _, slot = heapq.heappop(self._waiting)
            self._next_index = max(self._next_index, index + 1)
            up_to = None if up_to is None else self._next_index
            self._announced.append(slot)
            chunks += slot.announce(self._ids)
        return chunks

    def _find(self, piece: _Piece) -> CallSlot | None:
        # A known id decides where there is no index, or where a nameless piece can be nothing but a continuation.
        known = self._by_id.get(piece.identifier)
        if known is not None and (piece.index is None or not piece.name):
            return known
        return self._current if piece.index is None else self._by_index.get(piece.index)


def _arguments_text(value: JsonValue) -> str:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return text(value)
