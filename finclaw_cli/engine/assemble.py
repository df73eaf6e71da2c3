"""From chunks to an assistant's message and its complete tool calls."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

from finclaw_cli.core.chunks import (
    MAX_BLOCKS,
    Done,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    UsageReport,
)
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.growing_text import GrowingText
from finclaw_cli.core.json_text import canonical, well_formed
from finclaw_cli.core.messages import ContentBlock, Message, ReasoningBlock, TextBlock, ToolCall, ToolUseBlock
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import MOST_TOKENS, StopReason, Usage
from finclaw_cli.engine.call_assembly import CallIds, ToolInputBuffer, malformed, overfull

AFTER_DONE = "the stream went on after its end"


class TextJoiner:
    """Makes streamed text encodable: a surrogate pair cut between two deltas is joined, a lone one replaced."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """The text that is complete; a high surrogate at the end waits for its other half."""
        if text.isascii() and not self._held:
            return text
        text = self._held + text
        self._held = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._held = text[:-1], text[-1]
        return well_formed(text)

    def flush(self) -> str:
        text, self._held = self._held, ""
        return well_formed(text)


@record(kw_only=True)
class Assembled:
    """One whole turn of the model."""

    message: Message
    stop_reason: StopReason
    usage: Usage | None
    detail: str | None

    @property
    def is_kept(self) -> bool:
        """Whether it is part of the conversation: it has content, or the provider goes on from blocks of its own."""
        has_blocks = self.message.raw is not None and bool(self.message.raw.blocks)
        return bool(self.message.content) or (self.stop_reason == "pause" and has_blocks)


class Assembler:
    """Takes the chunks of one stream and gives the turn, blocks in the order in which they came.

    Raises `ProviderError` for a chunk after `Done`, and for calls whose chunks contradict each other.

    Args of the constructor:
        used_ids: the ids of the calls of earlier turns, which no call of this one gets.
    """

    def __init__(self, used_ids: Collection[str] = ()) -> None:
        self._ids = CallIds(used_ids)
        self._blocks: list[ContentBlock | str] = []  # a str holds the place of a call that is still open
        self._places: dict[str, int] = {}
        """Where in the blocks each call is."""
        self._text = GrowingText()
        self._reasoning = GrowingText()
        self._signature: str | None = None
        self._is_reasoning = False
        self._inputs = ToolInputBuffer()
        self._usage: UsageReport | None = None
        self._done: Done | None = None

    @property
    def reported(self) -> UsageReport | None:
        """What was reported so far, also of a turn that will never be whole."""
        return self._usage

    @property
    def text(self) -> str:
        """All words so far, also those of a turn that will never be whole."""
        texts = [block.text for block in self._blocks if isinstance(block, TextBlock)]
        return "".join((*texts, str(self._text)))

    @property
    def streamed_text(self) -> str:
        """All that was streamed so far: words, thoughts, and what calls are given."""
        whole = (_words_of(block) for block in self._blocks if not isinstance(block, str))
        return "".join((*whole, str(self._text), str(self._reasoning), *self._inputs.open_input()))

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come."""
        return self._usage is None and not (self._blocks or self._text or self._reasoning)

    def say(self, text: str) -> None:
        """Take more of the answer."""
        if self._done is not None:
            raise malformed(AFTER_DONE)
        if self._is_reasoning:
            self._close_reasoning()
        self._text.append(text)

    def add(self, chunk: StreamChunk) -> None:
        if self._done is not None:
            raise malformed(AFTER_DONE)
        match chunk:
            case TextDelta(text):
                self.say(text)
            case ReasoningDelta(text, signature):
                self._close_text()
                self._is_reasoning = True
                self._reasoning.append(text)
                self._signature = signature or self._signature
            case ToolUseStart() | ToolInputDelta() | ToolUseEnd():
                self._take_call(chunk)
            case UsageReport():
                self._usage = _newest(self._usage, chunk)
            case Done():
                self._close()
                self._done = chunk
            case _:
                assert_never(chunk)

    def turn(self) -> Assembled:
        """The whole turn.

        Raises:
            ProviderError: the stream ended without `Done`, or with a call still open in a turn that wants tools run.
        """
        done = self._done
        if done is None or (done.stop_reason == "tool_use" and self._inputs.open_calls):
            raise ProviderError(
                "the stream ended before the turn was whole", reason="connection", code="stream_truncated"
            )
        blocks = tuple(block for block in self._blocks if not isinstance(block, str))
        raw = done.raw
        if done.stop_reason != "tool_use" and any(isinstance(block, ToolCall) for block in blocks):
            # Such calls are never run, and a call without its answer makes the next request invalid.
            blocks = tuple(block for block in blocks if not isinstance(block, ToolCall))
            raw = None
        elif self._ids.has_changed:
            raw = None  # the provider's own blocks have the ids that were used before
        return Assembled(
            message=Message("assistant", blocks, raw),
            stop_reason=done.stop_reason,
            usage=_usage(self._usage, is_empty=not blocks),
            detail=done.detail,
        )

    def begin_call(self, chunk: ToolUseStart) -> str:
        """Take the start of a call; return its id in the conversation."""
        self.add(chunk)
        return self._ids[chunk.id]

    def _take_call(self, chunk: ToolUseStart | ToolInputDelta | ToolUseEnd) -> None:
        match chunk:
            case ToolUseStart(given, name):
                self._close()
                call_id = self._ids.begin(given)
                self._inputs.start(call_id, name)
                self._places[call_id] = len(self._blocks)
                self._append(call_id)
            case ToolInputDelta(given, delta):
                self._inputs.delta(self._ids[given], delta)
            case ToolUseEnd(given, invalid):
                call = self._inputs.end(self._ids[given], invalid)
                if call is not None:
                    self._blocks[self._places[call.id]] = call

    def _append(self, block: ContentBlock | str) -> None:
        if len(self._blocks) == MAX_BLOCKS:
            raise overfull("blocks", MAX_BLOCKS)
        self._blocks.append(block)

    def _close(self) -> None:
        self._close_reasoning()
        self._close_text()

    def _close_text(self) -> None:
        if self._text:
            self._append(TextBlock(str(self._text)))
            self._text = GrowingText()

    def _close_reasoning(self) -> None:
        if self._reasoning or self._signature:
            self._append(ReasoningBlock(str(self._reasoning), self._signature))
            self._reasoning, self._signature = GrowingText(), None
        self._is_reasoning = False


def _words_of(block: ContentBlock) -> str:
    match block:
        case TextBlock(text) | ReasoningBlock(text):
            return text
        case ToolUseBlock(_, name, arguments):
            return f"{name}{canonical(arguments)}"
        case _:  # pragma: no cover - a model answers with no results of tools
            return ""


_COUNTS = ("input", "output", "cache_read", "cache_write", "reasoning", "cache_write_1h")


def _newest(known: UsageReport | None, report: UsageReport) -> UsageReport:
    if known is None:
        return report
    newer = {name: value for name in _COUNTS if (value := getattr(report, name)) is not None}
    return replace(known, **newer)


def _usage(report: UsageReport | None, *, is_empty: bool) -> Usage | None:
    """What a request took, where both sides of it were reported, and can be believed."""
    if report is None or report.input is None or report.output is None:
        return None
    usage = known_usage(report)
    return usage if is_believable(usage, is_empty=is_empty) else None


def is_believable(usage: Usage, *, is_empty: bool) -> bool:
    """Whether it can be true: no window is larger, and an answer that is not empty is not made of nothing."""
    return max(getattr(usage, name) for name in _COUNTS) <= MOST_TOKENS and (usage.total > 0 or is_empty)


def known_usage(report: UsageReport) -> Usage:
    """What is known of it; what is not known counts as nothing."""
    return Usage(
        input=report.input or 0,
        output=report.output or 0,
        cache_read=report.cache_read or 0,
        cache_write=report.cache_write or 0,
        reasoning=report.reasoning or 0,
        cache_write_1h=report.cache_write_1h or 0,
    )
