"""One content block of a streamed message: what it shows while it grows, and what of it may be echoed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from finclaw_cli.core.chunks import (
    MAX_BLOCKS,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
)
from finclaw_cli.core.growing_text import GrowingText
from finclaw_cli.core.json_text import InvalidJson, JsonObject, JsonValue, dump_line, parse_object, plain, well_formed
from finclaw_cli.http.failures import overfull

PROVIDER = "anthropic"
_NO_CHUNKS: Final[tuple[StreamChunk, ...]] = ()

Fields = Mapping[str, JsonValue]


@dataclass(slots=True)
class Block:
    """A block as the provider began it (`raw`), and the pieces that came since."""

    raw: JsonObject
    kind: str = ""
    pieces: GrowingText = field(default_factory=GrowingText)
    closed: bool = False
    """Its end came; a call that is closed but whose JSON is not whole may still be half a call."""
    ended: bool = False
    """The call's `ToolUseEnd` was given."""

    def __post_init__(self) -> None:
        kind = self.raw.get("type")
        self.kind = kind if isinstance(kind, str) else ""

    @property
    def is_call(self) -> bool:
        """Whether we are to run it: the provider's own tools are not ours to run."""
        return self.kind == "tool_use"

    @property
    def takes_input(self) -> bool:
        """Whether its deltas are the input of a call, ours or the provider's."""
        return (self.kind, "input_json_delta") in _GROWERS

    @property
    def id(self) -> str:
        return str(self.raw["id"])

    @property
    def text(self) -> str:
        """What came so far; the two halves of a code point may have come in two deltas."""
        return well_formed(str(self.pieces))

    def begin(self) -> tuple[StreamChunk, ...]:
        """What a start shows: compatible servers, and whole messages, put the content into it."""
        if self.is_call:
            return (ToolUseStart(self.id, str(self.raw.get("name") or "")),)
        shown = (grower(self, self.raw) for grower in _STARTERS.get(self.kind, ()))
        return tuple(chunk for chunks in shown for chunk in chunks)

    def grow(self, delta: Fields) -> tuple[StreamChunk, ...]:
        """Take one delta. Kinds that are unknown, or belong to another type of block, change nothing."""
        kind = delta.get("type")
        grower = _GROWERS.get((self.kind, kind)) if isinstance(kind, str) else None
        return grower(self, delta) if grower else _NO_CHUNKS

    def close(self) -> tuple[StreamChunk, ...]:
        """The block's end. A call ends here only if its JSON is visibly whole; else the turn's end decides."""
        self.closed = True
        if not self.is_call:
            return _NO_CHUNKS
        given = self.raw.get("input")
        if not self.text.strip() and isinstance(given, dict) and given:
            whole = dump_line(plain(given))
            self.pieces = GrowingText()
            self.pieces.append(whole)
            return (ToolInputDelta(self.id, whole), self.end())
        return (self.end(),) if self.is_whole else _NO_CHUNKS

    def end(self) -> ToolUseEnd:
        self.ended = True
        return ToolUseEnd(self.id)

    @property
    def is_whole(self) -> bool:
        """Whether the call's JSON is visibly an object. Nothing at all may be no arguments, or none yet."""
        try:
            parse_object(self.text)
        except InvalidJson:
            return False
        return bool(self.text.strip())

    def echo(self) -> JsonObject:
        """The block as it goes back: the provider's own keys, with what the deltas brought."""
        if self.kind in ("text", "thinking"):
            return {**self.raw, self.kind: self.text}
        if self.pieces or self.is_call:
            return {**self.raw, "input": _input(self.text)}
        return self.raw


def _kept(block: Block, fields: Fields, key: str) -> str:
    """Add a piece to the block; what is no text, or none, is nothing."""
    text = fields.get(key)
    if not isinstance(text, str) or not text:
        return ""
    block.pieces.append(text)
    return text


def _text(block: Block, fields: Fields) -> tuple[StreamChunk, ...]:
    return (TextDelta(text),) if (text := _kept(block, fields, "text")) else _NO_CHUNKS


def _thinking(block: Block, fields: Fields) -> tuple[StreamChunk, ...]:
    return (ReasoningDelta(text),) if (text := _kept(block, fields, "thinking")) else _NO_CHUNKS


def _signature(block: Block, fields: Fields) -> tuple[StreamChunk, ...]:
    signature = fields.get("signature")
    if not isinstance(signature, str) or not signature:
        return _NO_CHUNKS
    block.raw["signature"] = signature
    return (ReasoningDelta("", signature),)


def _call_input(block: Block, fields: Fields) -> tuple[StreamChunk, ...]:
    return (ToolInputDelta(block.id, text),) if (text := _kept(block, fields, "partial_json")) else _NO_CHUNKS


def _hidden_input(block: Block, fields: Fields) -> tuple[StreamChunk, ...]:
    _kept(block, fields, "partial_json")
    return _NO_CHUNKS


def _citation(block: Block, fields: Fields) -> tuple[StreamChunk, ...]:
    known = block.raw.get("citations")
    if not isinstance(known, list):
        known = block.raw["citations"] = []
    if len(known) >= MAX_BLOCKS:
        raise overfull(PROVIDER, "citations", MAX_BLOCKS)
    known.append(fields.get("citation"))
    return _NO_CHUNKS


def _compaction(block: Block, fields: Fields) -> tuple[StreamChunk, ...]:
    block.raw.update({key: value for key, value in fields.items() if key != "type"})
    return _NO_CHUNKS


_Grower = Callable[[Block, Fields], tuple[StreamChunk, ...]]
_STARTERS: Final[Mapping[str, tuple[_Grower, ...]]] = {"text": (_text,), "thinking": (_thinking, _signature)}
_GROWERS: Final[Mapping[tuple[str, str], _Grower]] = {
    ("text", "text_delta"): _text,
    ("text", "citations_delta"): _citation,
    ("thinking", "thinking_delta"): _thinking,
    ("thinking", "signature_delta"): _signature,
    ("tool_use", "input_json_delta"): _call_input,
    ("server_tool_use", "input_json_delta"): _hidden_input,
    ("mcp_tool_use", "input_json_delta"): _hidden_input,
    ("compaction", "compaction_delta"): _compaction,
}


def _input(text: str) -> JsonObject:
    """The input to echo: an object in any case, also where the model wrote something else."""
    try:
        parsed = plain(parse_object(text))
    except InvalidJson:
        return {}
    return parsed if isinstance(parsed, dict) else {}
