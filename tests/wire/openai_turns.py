"""How OpenAI vectors are written down, played and read: what a turn said, in one comparable value."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from finclaw_cli.core.chunks import (
    Done,
    RawTurn,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    UsageReport,
)
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest, Provider
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.http.sse import SseParser
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.wire import Decoder

MODEL = "test-model"
QUESTION = ModelRequest(model=MODEL, messages=(Message("user", "hello"),))
TOOLS = tuple(
    ToolSpec(name=name, description=f"does {name}", input_schema={"type": "object", "properties": {}})
    for name in ("pay", "balance")
)
TOOL_QUESTION = replace(QUESTION, tools=TOOLS)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What came of a stream. `calls` are those that ended; an id of "*" stands for one of ours."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[tuple[str, str, str], ...] = ()
    open_calls: tuple[str, ...] = ()
    usage: UsageReport | None = None
    stop: str = "end_turn"
    detail: str | None = None


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What a stream failed with."""

    reason: str
    code: str | None = None


@dataclass(frozen=True)
class Vector:
    """A sentence, the bytes, and what they mean. `echo` are the raw blocks, where they matter."""

    says: str
    body: bytes
    means: Turn | Fault
    echo: tuple[dict[str, Any], ...] | None = None
    content_type: str = "text/event-stream"


def read(chunks: Sequence[StreamChunk], *, generated: frozenset[str] = frozenset()) -> Turn:
    """One comparable value, after checking the contract that every stream keeps."""
    assert isinstance(chunks[-1], Done)
    assert sum(isinstance(chunk, Done) for chunk in chunks) == 1
    names: dict[str, str] = {}
    inputs: dict[str, str] = {}
    ended: list[str] = []
    for chunk in chunks:
        match chunk:
            case ToolUseStart():
                assert chunk.name
                assert chunk.id
                assert chunk.id not in names
                names[chunk.id], inputs[chunk.id] = chunk.name, ""
            case ToolInputDelta():
                assert chunk.id not in ended
                assert chunk.delta
                inputs[chunk.id] += chunk.delta
            case ToolUseEnd():
                assert chunk.id in names
                assert chunk.id not in ended
                ended.append(chunk.id)
            case Done():
                assert (chunk.stop_reason == "tool_use") == bool(ended)
                assert not ended or set(ended) == set(names)
            case _:
                assert not ended, "nothing but ends and the last word may follow an end"
    usage = [chunk for chunk in chunks if isinstance(chunk, UsageReport)]
    done = chunks[-1]
    return Turn(
        text="".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta)),
        reasoning="".join(chunk.text for chunk in chunks if isinstance(chunk, ReasoningDelta)),
        calls=tuple(("*" if call in generated else call, names[call], inputs[call]) for call in ended),
        open_calls=tuple(name for call, name in names.items() if call not in ended),
        usage=usage[-1] if usage else None,
        stop=done.stop_reason,
        detail=done.detail,
    )


def same(turn: Turn, expected: Turn) -> bool:
    """Equal, where an expected id of "*" stands for any."""
    if len(turn.calls) != len(expected.calls):
        return False
    wild = [wanted[0] == "*" for wanted in expected.calls]
    calls = tuple(("*", *call[1:]) if any_id else call for call, any_id in zip(turn.calls, wild, strict=True))
    return replace(turn, calls=calls) == expected


async def collect(stream: AsyncIterable[StreamChunk]) -> list[StreamChunk]:
    return [chunk async for chunk in stream]


async def ask(provider: Provider, request: ModelRequest = QUESTION) -> list[StreamChunk]:
    return await collect(provider.stream(request))


def raw_of(chunks: Sequence[StreamChunk]) -> RawTurn:
    done = chunks[-1]
    assert isinstance(done, Done)
    assert done.raw is not None
    return done.raw


def answered(chunks: Sequence[StreamChunk]) -> Message:
    """The assistant message the engine would keep."""
    return Message("assistant", "", raw=raw_of(chunks))


def decode_events(decoder: Decoder, events: Iterable[RawEvent]) -> list[StreamChunk]:
    chunks: list[StreamChunk] = []
    for event in events:
        chunks += decoder.feed(event)
        if decoder.ended:
            break
    return [*chunks, *decoder.finish()]


def decode_bytes(decoder: Decoder, body: bytes) -> list[StreamChunk]:
    """Without a socket: bytes that end cleanly, wherever they were cut."""
    parser = SseParser("test")
    events = list(parser.feed(body))
    last = parser.finish()
    return decode_events(decoder, [*events, *([last] if last else [])])


def fault_of(error: ProviderError, expected: Fault) -> Fault:
    return Fault(reason=error.reason, code=(error.provider_code or error.code) if expected.code is not None else None)
