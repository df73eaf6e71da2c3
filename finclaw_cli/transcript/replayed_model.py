"""A recording in place of a model."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass
from typing import cast, get_args

from finclaw_cli.core import exits
from finclaw_cli.core.chunks import (
    Done,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    UsageReport,
)
from finclaw_cli.core.errors import NO_SUCH_MODEL, ProviderError, ProviderFailure
from finclaw_cli.core.events.agent import AgentDelta, AgentReasoning, AgentToolCall
from finclaw_cli.core.events.budget import BudgetSpent
from finclaw_cli.core.events.parts import Failure
from finclaw_cli.core.json_text import canonical
from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.usage import StopReason, Usage
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.recording import Attempt, Piece, RunRecording

# What has to be done when the recording has come to the place where the run was ended from outside.
EndHere = Callable[[], None]


@dataclass
class RecordedModel:
    """A provider whose answers are those of a recording, the n-th to the n-th request."""

    recording: RunRecording
    end_here: EndHere
    name: str = "recorded"
    _requests: int = 0

    @property
    def is_over(self) -> bool:
        """Whether each recorded request was made again."""
        return self._requests >= len(self.recording.questions)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:  # noqa: ARG002 - it is compared elsewhere
        questions = self.recording.questions
        self._requests += 1
        if self._requests > len(questions):
            raise ProviderError(
                "the recording has no answer to another question", reason="bad_request", code="not_recorded"
            )
        question = questions[self._requests - 1]
        spent = self.recording.spent.get(self._requests)
        chunks = self._turn(question, spent) if isinstance(question, tuple) else self._side_reply(question, spent)
        async for chunk in chunks:
            yield chunk

    async def _side_reply(self, line: Line | None, spent: BudgetSpent | None) -> AsyncGenerator[StreamChunk, None]:
        """What was written when something else than a turn was asked for."""
        if spent is not None and spent.usage.total:
            yield _reported(spent.usage)
        error = line.data.get("error") if line else None
        if line is not None and error is None:
            yield TextDelta(str(line.data.get("text")))
            yield Done(stop_reason="end_turn")
            return
        if line is not None and (reason := line.data.get("reason")) in get_args(ProviderFailure):
            raise ProviderError(str(error), reason=cast("ProviderFailure", reason))
        await self._wait_for_the_end()  # it was cut off with the run

    async def _wait_for_the_end(self) -> None:
        self.end_here()
        await asyncio.Event().wait()

    async def _turn(self, attempt: Attempt, spent: BudgetSpent | None) -> AsyncGenerator[StreamChunk, None]:
        pieces = self.recording.pieces.get(attempt, ())
        reply = self._reply(attempt)
        for chunk in _chunks(pieces, reply) if reply is not None else _streamed(pieces):
            yield chunk
        if reply is None:
            if spent is not None and spent.usage.total:
                yield _reported(spent.usage)  # as it was counted then, where it was not reported
            await self._fail(attempt)
        else:
            for chunk in self._end(attempt, reply, spent):
                yield chunk

    async def aclose(self) -> None:
        """Nothing is open."""

    def _reply(self, attempt: Attempt) -> Message | None:
        """What was answered; a turn without a word leaves no message."""
        done = self.recording.completions.get(attempt[0])
        is_empty = done is not None and done.attempt == attempt[1]
        return self.recording.replies.get(attempt) or (Message("assistant", ()) if is_empty else None)

    def _end(self, attempt: Attempt, reply: Message, spent: BudgetSpent | None) -> Iterator[StreamChunk]:
        done = self.recording.completions.get(attempt[0])
        if (usage := done.usage if done else spent.usage if spent else None) is not None:
            yield _reported(usage)
        # Where the run was cut off while tools ran, nothing else can have been the reason.
        stop = cast("StopReason", done.stop_reason) if done else "tool_use" if reply.tool_calls else "end_turn"
        yield Done(stop_reason=stop, raw=reply.raw)

    async def _fail(self, attempt: Attempt) -> None:
        """End as the attempt ended.

        Raises:
            ProviderError: it failed.
        """
        setback, result = self.recording.setbacks.get(attempt), self.recording.result
        if setback is not None:
            raise ProviderError(
                setback.message,
                reason=cast("ProviderFailure", setback.reason),
                code=setback.code,
                provider_code=setback.provider_code,
            )
        if result is not None and result.status == "error" and result.error is not None:
            raise _failed(result.error, result.exit_code)
        await self._wait_for_the_end()


def _reported(usage: Usage) -> UsageReport:
    return UsageReport(
        input=usage.input,
        output=usage.output,
        cache_read=usage.cache_read,
        cache_write=usage.cache_write,
        reasoning=usage.reasoning,
        cache_write_1h=usage.cache_write_1h,
    )


def _failed(failure: Failure, exit_code: int) -> ProviderError:
    """The error that ended a run, with the reason that its exit code implies."""
    reasons: dict[int, ProviderFailure] = {
        exits.CREDENTIALS: "auth",
        exits.LIMIT: "context_exceeded",
        exits.CUT_OFF: "refused",
        exits.USAGE: "bad_request",
    }
    reason = next((word for word in (failure.reason, failure.code) if word in get_args(ProviderFailure)), None)
    usual: ProviderFailure = "server_error" if failure.retryable else "bad_request"
    return ProviderError(
        failure.message,
        reason=cast("ProviderFailure", reason) if reason else reasons.get(exit_code, usual),
        code=failure.code,
        provider=failure.provider,
        status=failure.status or (NO_SUCH_MODEL if exit_code == exits.USAGE else None),
        request_id=failure.request_id,
        provider_code=failure.provider_code,
        hint=failure.hint,
    )


def _streamed(pieces: tuple[Piece, ...]) -> Iterator[StreamChunk]:
    for piece in pieces:
        match piece:
            case AgentReasoning(text=text):
                yield ReasoningDelta(text)
            case AgentDelta(text=text):
                yield TextDelta(text)
            case AgentToolCall():
                yield ToolUseStart(piece.call_id, piece.name)


def _chunks(pieces: tuple[Piece, ...], reply: Message) -> Iterator[StreamChunk]:
    """The pieces in which the reply streamed, with its calls between them where they were."""
    left = deque(piece for piece in pieces if not isinstance(piece, AgentToolCall))
    blocks = (TextBlock(reply.content),) if isinstance(reply.content, str) else reply.content
    for block in blocks:
        match block:
            case TextBlock(text):
                yield from _taken(left, len(text), reasoning=False)
            case ReasoningBlock(text, signature):
                yield from _taken(left, len(text), reasoning=True)
                yield ReasoningDelta("", signature)
            case ToolUseBlock(call_id, name, arguments, invalid):
                yield ToolUseStart(call_id, name)
                yield ToolInputDelta(call_id, canonical(arguments))
                yield ToolUseEnd(call_id, invalid)
            case _:  # pragma: no cover - a model answers with no results of tools
                pass
    yield from _streamed(tuple(left))
    kept = {call.id for call in reply.tool_calls}
    void = (piece for piece in pieces if isinstance(piece, AgentToolCall) and piece.call_id not in kept)
    yield from _streamed(tuple(void))


def _taken(left: deque[AgentDelta | AgentReasoning], chars: int, *, reasoning: bool) -> Iterator[StreamChunk]:
    while chars > 0 and left and isinstance(left[0], AgentReasoning) == reasoning:
        piece = left.popleft()
        chars -= len(piece.text)
        yield from _streamed((piece,))
