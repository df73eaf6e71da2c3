"""The state of a conversation between one run and the next."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.core import exits
from finclaw_cli.core.messages import Message, ToolCall, ToolResult
from finclaw_cli.core.record import record
from finclaw_cli.engine.context.count import Counted
from finclaw_cli.engine.request import RunResult
from finclaw_cli.transcript.history import History
from finclaw_cli.transcript.repair import ABORTED


@record(kw_only=True)
class ConversationState:
    """The messages so far, what is open in them, and the stored history until the first run has ended."""

    messages: tuple[Message, ...] = ()
    kept: int = 0
    """How many of the messages are in the transcript."""
    due: tuple[ToolCall, ...] = ()
    closing: tuple[Message, ...] = ()
    """What answers the calls that are due where a new question is asked."""
    history: History | None = None
    unknown: tuple[str, ...] = ()
    """Tools that were left running by this process and were not reported by an exit code."""
    counted: Counted | None = None
    """The last count of a provider."""

    @classmethod
    def of(cls, history: History | None, max_result_chars: int) -> ConversationState:
        """The conversation that goes on, or one that begins."""
        if history is None:
            return cls()
        messages = history.messages
        closing = history.closing(max_result_chars)
        return cls(
            messages=messages,
            kept=len(messages),
            due=history.due,
            closing=closing,
            history=history,
            counted=history.counted,
        )

    def given_up(self, *, resumed: bool) -> tuple[str, ...]:
        """The tools with calls whose outcome stays unknown."""
        return *self.unknown, *(self.history.given_up(resumed=resumed) if self.history else ())

    def after(self, result: RunResult) -> ConversationState:
        """The conversation once a run has ended, however it did."""
        messages, kept = result.messages, result.kept_messages
        left = messages[-1].tool_calls if messages else ()
        if left and left == self.due:
            return replace(
                self, messages=messages, kept=kept, counted=result.counted
            )  # it ended before it took them up
        closing = (Message("tool", tuple(ToolResult(call.id, ABORTED, is_error=True) for call in left)),)
        unknown = () if result.exit_code == exits.NEEDS_HUMAN else result.unknown
        return ConversationState(
            messages=messages, kept=kept, closing=closing if left else (), unknown=unknown, counted=result.counted
        )
