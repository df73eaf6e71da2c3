"""The assistant's message of a Chat Completions stream, kept as it has to go back: content and vendors' fields."""

from __future__ import annotations

from dataclasses import dataclass, field

from finclaw_cli.core.chunks import MAX_BLOCKS, ReasoningDelta, StreamChunk
from finclaw_cli.core.growing_text import GrowingText
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.http.failures import overfull
from finclaw_cli.providers.fields import record, records, text
from finclaw_cli.providers.openai.think_tags import ThinkTags

REASONING_FIELDS = ("reasoning_content", "reasoning")
VENDOR_FIELDS = (*REASONING_FIELDS, "reasoning_details", "extra_content")
_VENDOR_KEYS = frozenset(VENDOR_FIELDS)
# What of a detail comes in pieces.
_GROWING = frozenset({"text", "summary", "data"})


@dataclass(slots=True)
class _Part:
    """A run of one kind of content: words, thinking, or something of the vendor's that is only carried."""

    kind: str
    pieces: GrowingText = field(default_factory=GrowingText)
    other: JsonObject = field(default_factory=dict)

    def echo(self) -> JsonObject:
        words = str(self.pieces)
        match self.kind:
            case "text":
                return {"type": "text", "text": words}
            case "thinking":
                return {"type": "thinking", "thinking": [{"type": "text", "text": words}]}
            case _:
                return self.other


@dataclass(slots=True)
class _Detail:
    """One of the vendor's records of thinking, as it began, and the pieces that came since."""

    fields: JsonObject
    pieces: dict[str, GrowingText] = field(default_factory=dict)

    def grow(self, more: JsonObject) -> None:
        for key, value in more.items():
            if key in _GROWING:
                self.pieces.setdefault(key, GrowingText()).append(text(value))
            elif value is not None:
                self.fields[key] = value

    def echo(self) -> JsonObject:
        grown = {key: text(self.fields.get(key)) + str(pieces) for key, pieces in self.pieces.items()}
        return {**self.fields, **grown}


class AssistantMessage:
    """Takes deltas, gives chunks, and builds the message at the end."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._parts: list[_Part] = []
        self._listed = False
        self._reasoning: dict[str, GrowingText] = {}
        self._details: list[_Detail] = []
        self._extra: JsonObject = {}
        self._tags = ThinkTags()
        self.refused = False

    def take(self, delta: JsonObject) -> list[StreamChunk]:
        """Add a delta's content, reasoning and refusal."""
        chunks = [] if _VENDOR_KEYS.isdisjoint(delta) else self._take_reasoning(delta)
        content = delta.get("content")
        if isinstance(content, list):
            self._listed = True
            for part in records(content):
                chunks += self._take_part(part)
        elif content:
            chunks += self._say(text(content))
        if refusal := text(delta.get("refusal")):
            self.refused = True
            chunks += self._say(refusal)
        return chunks

    def flush(self) -> list[StreamChunk]:
        """Return what was held back of the content, once all of it came."""
        return self._tags.flush()

    def build(self, calls: list[JsonObject]) -> JsonObject:
        """The whole message. Content is null only beside calls: null alone is refused everywhere."""
        words = "".join(str(part.pieces) for part in self._parts)
        content: JsonValue = [part.echo() for part in self._parts] if self._listed else words
        message: JsonObject = {"role": "assistant", "content": content or (None if calls else "")}
        message.update({name: str(pieces) for name, pieces in self._reasoning.items()})
        if self._details:
            message["reasoning_details"] = [detail.echo() for detail in self._details]
        if self._extra:
            message["extra_content"] = self._extra
        if calls:
            message["tool_calls"] = [*calls]
        return message

    def _take_reasoning(self, delta: JsonObject) -> list[StreamChunk]:
        shown = ""
        for name in REASONING_FIELDS:
            if isinstance(delta.get(name), str):
                # Kept even where empty: some servers demand the field back, whatever is in it.
                self._reasoning.setdefault(name, GrowingText()).append(text(delta[name]))
                shown = shown or text(delta[name])
        for detail in records(delta.get("reasoning_details")):
            self._take_detail(detail)
        self._extra.update(record(delta.get("extra_content")))
        return [ReasoningDelta(shown)] if shown else []

    def _take_detail(self, detail: JsonObject) -> None:
        last = self._details[-1] if self._details else None
        if last is None or any(last.fields.get(key) != detail.get(key) for key in ("type", "index")):
            self._check_room()
            self._details.append(_Detail(dict(detail)))
        else:
            last.grow(detail)

    def _take_part(self, part: JsonObject) -> list[StreamChunk]:
        match part.get("type"):
            case "text":
                return self._say(text(part.get("text")))
            case "thinking":
                thinking = part.get("thinking")
                words = text(thinking) or "".join(text(piece.get("text")) for piece in records(thinking))
                self._run("thinking").append(words)
                return [ReasoningDelta(words)] if words else []
            case _:
                self._check_room()
                self._parts.append(_Part("other", other=part))
                return []

    def _say(self, words: str) -> list[StreamChunk]:
        if not words:
            return []
        self._run("text").append(words)  # with the tags: it goes back as it came
        return self._tags.feed(words)

    def _run(self, kind: str) -> GrowingText:
        if not self._parts or self._parts[-1].kind != kind:
            self._check_room()
            self._parts.append(_Part(kind))
        return self._parts[-1].pieces

    def _check_room(self) -> None:
        if len(self._parts) + len(self._details) >= MAX_BLOCKS:
            raise overfull(self._provider, "blocks", MAX_BLOCKS)
