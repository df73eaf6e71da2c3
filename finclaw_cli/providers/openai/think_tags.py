"""Reasoning that a server sends in the content, between `<think>` and `</think>` at its beginning."""

from __future__ import annotations

from finclaw_cli.core.chunks import ReasoningDelta, StreamChunk, TextDelta

OPEN, CLOSE = "<think>", "</think>"


class ThinkTags:
    """Splits content into reasoning and text. The tags may be cut anywhere; at most one tag's length is held back."""

    def __init__(self) -> None:
        self._held = ""
        self._in_reasoning = False
        self._may_open = True
        """Only blanks came so far."""
        self._skips_blanks = False
        """Blanks that separate the reasoning from the answer belong to neither."""

    def feed(self, words: str) -> list[StreamChunk]:
        """Return what the next piece shows."""
        if self._may_open:
            words = self._held + words
            self._held = ""
            begin = words.lstrip()
            if len(begin) < len(OPEN) and OPEN.startswith(begin):
                self._held = words
                return []
            self._may_open = False
            if not begin.startswith(OPEN):
                return [TextDelta(words)]
            self._in_reasoning, words = True, begin.removeprefix(OPEN)
        return self._reasoning(words) if self._in_reasoning else self._text(words)

    def flush(self) -> list[StreamChunk]:
        """Return what was held back, at the end of the content."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [ReasoningDelta(held) if self._in_reasoning else TextDelta(held)]

    def _reasoning(self, words: str) -> list[StreamChunk]:
        words = self._held + words
        thought, close, rest = words.partition(CLOSE)
        self._held = "" if close else _beginning_of(CLOSE, words)
        thought = thought.removesuffix(self._held)
        shown: list[StreamChunk] = [ReasoningDelta(thought)] if thought else []
        if close:
            self._in_reasoning, self._skips_blanks = False, True
            shown += self._text(rest)
        return shown

    def _text(self, words: str) -> list[StreamChunk]:
        if self._skips_blanks:
            words = words.lstrip()
            self._skips_blanks = not words
        return [TextDelta(words)] if words else []


def _beginning_of(tag: str, words: str) -> str:
    """The end of the words that may be the beginning of the tag."""
    return next((tag[:size] for size in range(len(tag) - 1, 0, -1) if words.endswith(tag[:size])), "")
