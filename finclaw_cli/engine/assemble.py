"""From chunks to an assistant's message and its complete tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from finclaw_cli.core.chunks import (
    MAX_BLOCKS,
    MAX_CALLS,
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
from finclaw_cli.core.json_text import InvalidJson, canonical, parse_object, well_formed
from finclaw_cli.core.messages import ContentBlock, Message, ReasoningBlock, TextBlock, ToolCall, ToolUseBlock
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import MOST_TOKENS, StopReason, Usage

AFTER_DONE = "the stream went on after its end"


def malformed(what: str) -> ProviderError:
    """The chunks of a provider contradict each other."""
    return ProviderError(what, reason="server_error", code="stream_malformed")


def overfull(what: str, limit: int) -> ProviderError:
    """A turn has more parts than it may have."""
    return ProviderError(f"the answer has more than {limit:,} {what}", reason="server_error", code="stream_oversized")


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


class ToolInputBuffer:
    """Collects the raw JSON of the calls of one turn, however their pieces interleave.

    Deltas and ends without a start are ignored. A call whose input is not one strict JSON object is still a call,
    marked invalid: the model gets an error, and no tool is run.

    Raises `ProviderError` for a call that starts twice, and for a delta or an end after its end.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, GrowingText]] = {}
        self._ended: set[str] = set()

    @property
    def open_calls(self) -> int:
        return len(self._open)

    def open_input(self) -> Iterator[str]:
        """What has come so far of calls that are still open."""
        for name, parts in self._open.values():
            yield name
            yield str(parts)

    def start(self, call_id: str, name: str) -> None:
        if call_id in self._open or call_id in self._ended:
            raise malformed("a call started twice")
        if len(self._open) + len(self._ended) == MAX_CALLS:
            raise overfull("calls", MAX_CALLS)
        self._open[call_id] = (name, GrowingText())

    def delta(self, call_id: str, text: str) -> None:
        if call_id in self._open:
            self._open[call_id][1].append(text)
        elif call_id in self._ended:
            raise malformed("the input of a call went on after its end")

    def end(self, call_id: str, invalid: str | None = None) -> ToolCall | None:
        """The finished call, or None where none had begun."""
        if call_id in self._ended:
            raise malformed("a call ended twice")
        if call_id not in self._open:
            return None
        name, parts = self._open.pop(call_id)
        self._ended.add(call_id)
        if invalid is not None:
            return ToolCall(call_id, name, {}, invalid=invalid)
        try:
            return ToolCall(call_id, name, parse_object(well_formed(str(parts))))
        except InvalidJson as error:
            return ToolCall(call_id, name, {}, invalid=str(error))


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
    """

    def __init__(self) -> None:
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
        return Assembled(
            message=Message("assistant", blocks, raw),
            stop_reason=done.stop_reason,
            usage=_usage(self._usage, is_empty=not blocks),
            detail=done.detail,
        )

    def _take_call(self, chunk: ToolUseStart | ToolInputDelta | ToolUseEnd) -> None:
        match chunk:
            case ToolUseStart(call_id, name):
                self._close()
                self._inputs.start(call_id, name)
                self._places[call_id] = len(self._blocks)
                self._append(call_id)
            case ToolInputDelta(call_id, delta):
                self._inputs.delta(call_id, delta)
            case ToolUseEnd(call_id, invalid):
                call = self._inputs.end(call_id, invalid)
                if call is not None:
                    self._blocks[self._places[call_id]] = call

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
