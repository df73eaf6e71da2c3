"""What a run has to show so far, and the result that is made of it in the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from finclaw_cli.core import exits
from finclaw_cli.core.errors import (
    BudgetReached,
    FinclawError,
    ProviderError,
    SchemaUnsatisfied,
    ToolCallLimit,
    TurnLimit,
)
from finclaw_cli.core.events.agent import AgentError, AgentResult, Event
from finclaw_cli.core.events.internal import StateCause
from finclaw_cli.core.events.parts import Compactions, Failure, RunStatus
from finclaw_cli.core.json_text import JsonObject, JsonValue, plain
from finclaw_cli.core.messages import (
    ContentBlock,
    Message,
    ReasoningBlock,
    TextBlock,
    ToolResult,
    ToolResultBlock,
    ToolUseBlock,
)
from finclaw_cli.core.usage import StopReason
from finclaw_cli.engine.assemble import Assembled
from finclaw_cli.engine.cancel import RunCancelled
from finclaw_cli.engine.request import RunRequest, RunResult
from finclaw_cli.engine.spending import Spending
from finclaw_cli.engine.tally import Tally

CUT_OFF: frozenset[StopReason] = frozenset({"refusal", "content_filter", "max_tokens", "context_exceeded"})


class RunState:
    """The conversation as it grows."""

    def __init__(self, messages: tuple[Message, ...], kept: int) -> None:
        self._messages = list(messages)
        self.call_ids = {call.id for message in messages for call in message.tool_calls}
        """The ids of all calls so far."""
        self.kept_messages = kept
        self._text = ""
        self._stop_reason: StopReason | None = None
        self._model: str | None = None
        self.compaction: Compactions | None = None
        self.output: JsonValue = None
        self.turns = 0
        self.tool_calls = 0

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(self._messages)

    @property
    def text(self) -> str:
        """The answer so far."""
        return self._text

    def take_up_answer(self) -> bool:
        """Whether the conversation has its answer already: another run got it, and was cut off before recording it."""
        last = self._messages[-1] if self._messages else None
        if last is None or last.role != "assistant" or last.tool_calls or not last.content:
            return False
        self._text = last.text
        return True

    def add(self, message: Message) -> None:
        self._messages.append(message)

    def commit(self, reply: Assembled, model: str) -> None:
        """The model's turn is whole: it becomes part of the conversation."""
        if reply.is_kept:
            self._messages.append(reply.message)
        self.call_ids |= {call.id for call in reply.message.tool_calls}
        self._text = reply.message.text
        self._stop_reason = reply.stop_reason
        self._model = model

    def go_on_with(self, messages: tuple[Message, ...]) -> None:
        """These stand for the conversation from now on, and are kept; earlier messages are kept as well."""
        self._messages = list(messages)
        self.kept_messages = len(messages)

    def book(self, spent: Compactions) -> None:
        """Book what making the conversation smaller took."""
        self.compaction = spent if self.compaction is None else self.compaction + spent

    def answer(self, results: tuple[ToolResult, ...]) -> Message:
        self.tool_calls += len(results)
        self._messages.append(Message("tool", results))
        return self._messages[-1]

    def ended_early(self, error: FinclawError, partial_text: str) -> None:
        """No final answer: text is kept of a run that was ended from outside, reached a limit, or missed its schema."""
        if isinstance(error, RunCancelled):
            self._text = partial_text or self._text
        elif isinstance(error, SchemaUnsatisfied):
            self.output = None
        elif not isinstance(error, TurnLimit | BudgetReached):
            self._text, self.output = "", None
        self._stop_reason = None if isinstance(error, RunCancelled) else self._stop_reason

    def result(
        self, request: RunRequest, tally: Tally, spending: Spending, error: FinclawError | None, duration_ms: int
    ) -> RunResult:
        unknown = (*request.unknown, *tally.unknown)
        needs_human = (bool(tally.unapproved) and request.fail_on_denied) or bool(unknown)
        return RunResult(
            status=_status(error),
            exit_code=error.exit_code if error is not None else self._answer_code(needs_human=needs_human),
            text=self._text,
            output=self.output,
            stop_reason=self._stop_reason,
            model=self._model,
            messages=self.messages,
            kept_messages=self.kept_messages,
            turns=self.turns,
            usage=spending.usage,
            cost_usd=spending.cost_usd,
            estimated=spending.estimated,
            tool_calls=dict(tally.by_status),
            denied=tally.denied,
            unknown=unknown,
            duration_ms=duration_ms,
            error=error,
            compaction=self.compaction,
        )

    def _answer_code(self, *, needs_human: bool) -> int:
        if self._stop_reason in CUT_OFF:
            return exits.CUT_OFF
        return exits.NEEDS_HUMAN if needs_human else exits.OK


def _status(error: FinclawError | None) -> RunStatus:
    match error:
        case None:
            return "completed"
        case RunCancelled():
            return error.status
        case TurnLimit():
            return "max_turns"
        case BudgetReached():
            return "budget"
        case _:
            return "error"


def cause_of(error: FinclawError | None) -> StateCause | None:
    """Why a run ends before it is done; None where its loop came to an end."""
    match error:
        case None | TurnLimit() | ToolCallLimit():
            return None
        case RunCancelled():
            return "cancelled"
        case BudgetReached():
            return "limit"
        case _:
            return "failed"


def last_events(request: RunRequest, result: RunResult) -> Iterator[Event]:
    """The error, where there is one, and the result: the last line on every path."""
    error = result.error
    failure = failure_of(error) if error is not None else None
    if failure is not None and result.status != "aborted":
        yield error_event(failure)
    yield AgentResult(
        status=result.status,
        exit_code=result.exit_code,
        session_id=request.session_id,
        model=result.model,
        scripted=request.start.scripted,
        text=result.text,
        output=result.output,
        stop_reason=result.stop_reason,
        turns=result.turns,
        usage=result.usage,
        cost_usd=result.cost_usd,
        estimated=result.estimated,
        tool_calls=dict(result.tool_calls),
        denied=result.denied,
        unknown=result.unknown,
        duration_ms=result.duration_ms,
        error=failure,
        compaction=result.compaction,
        numbers=result.numbers,
    )


def failure_of(error: FinclawError) -> Failure:
    """An error as it is reported."""
    provider = error if isinstance(error, ProviderError) else None
    return Failure(
        code=error.code,
        message=error.message,
        hint=error.hint,
        retryable=provider.retryable if provider else False,
        provider=provider.provider if provider else None,
        status=provider.status if provider else None,
        request_id=provider.request_id if provider else None,
        reason=provider.reason if provider else None,
        provider_code=provider.provider_code if provider else None,
    )


def error_event(failure: Failure) -> AgentError:
    """The event for a failure."""
    return AgentError(
        code=failure.code,
        message=failure.message,
        hint=failure.hint,
        retryable=failure.retryable,
        provider=failure.provider,
        status=failure.status,
        request_id=failure.request_id,
        reason=failure.reason,
        provider_code=failure.provider_code,
    )


def message_json(message: Message) -> JsonObject:
    """A message as plain JSON, as events show it."""
    content = message.content
    blocks: JsonValue = content if isinstance(content, str) else [_block_json(block) for block in content]
    return {"role": message.role, "content": blocks}


def _block_json(block: ContentBlock) -> JsonObject:
    match block:
        case TextBlock(text):
            return {"type": "text", "text": text}
        case ReasoningBlock(text):
            return {"type": "reasoning", "text": text}
        case ToolUseBlock(call_id, name, arguments):
            return {"type": "tool_use", "id": call_id, "name": name, "input": plain(arguments)}
        case ToolResultBlock(call_id, text, is_error):
            return {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}
        case _:
            assert_never(block)
