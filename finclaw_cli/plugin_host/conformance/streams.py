"""The check of a provider's stream against the contract of chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finclaw_cli.core.chunks import Done, StreamChunk, ToolInputDelta, ToolUseEnd, ToolUseStart
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import ModelRequest, Provider
from finclaw_cli.plugin_host.conformance.problem import Problem, error, warning


async def stream_problems(provider: Provider, request: ModelRequest) -> list[Problem]:
    """Make one request and check the chunks of its response; the provider is closed afterwards."""
    subject = f"provider {provider.name}"
    chunks: list[StreamChunk] = []
    found: list[Problem] = []
    try:
        chunks.extend([chunk async for chunk in provider.stream(request)])
        found += chunk_problems(subject, chunks)
    except ProviderError as raised:
        found.append(error(subject, "failed", f"the request failed: {raised.reason}: {raised.message}"))
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
        found.append(
            error(subject, "raised", f"it may raise ProviderError alone, not {type(raised).__name__}: {raised}")
        )
    try:
        await provider.aclose()
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
        found.append(error(subject, "close", f"closing it raises {type(raised).__name__}: {raised}"))
    return found


def chunk_problems(subject: str, chunks: Sequence[StreamChunk]) -> Iterator[Problem]:
    """Check the order of one turn's chunks."""
    ends = [place for place, chunk in enumerate(chunks) if isinstance(chunk, Done)]
    if not ends:
        yield error(subject, "done_missing", "the stream ends without Done: raise ProviderError where it was cut off")
    elif ends != [len(chunks) - 1]:
        yield error(subject, "done_not_last", "Done comes exactly once, and nothing after it")
    starts = [chunk.id for chunk in chunks if isinstance(chunk, ToolUseStart)]
    if len(starts) != len(set(starts)):
        yield error(subject, "call_id", "two calls of one turn have the same id")
    yield from _call_problems(subject, chunks)
    last = chunks[-1] if chunks else None
    if starts and isinstance(last, Done) and last.stop_reason != "tool_use":
        yield warning(
            subject, "calls_dropped", f"calls are only run after stop_reason 'tool_use', not {last.stop_reason!r}"
        )


def _call_problems(subject: str, chunks: Sequence[StreamChunk]) -> Iterator[Problem]:
    waiting: set[str] = set()
    for chunk in chunks:
        match chunk:
            case ToolUseStart(id=call_id, name=name):
                waiting.add(call_id)
                if not name:
                    yield error(subject, "call_name", f"call {call_id!r} starts without a name")
            case ToolInputDelta(id=call_id) if call_id not in waiting:
                yield error(subject, "call_order", f"input for call {call_id!r}, which is not open")
            case ToolUseEnd(id=call_id):
                if call_id not in waiting:
                    yield error(subject, "call_order", f"the end of call {call_id!r}, which is not open")
                waiting.discard(call_id)
            case _:
                pass
    for call_id in sorted(waiting):
        yield error(subject, "call_open", f"call {call_id!r} has no end")
