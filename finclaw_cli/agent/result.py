"""The result of a run, for programs and notebooks."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal

from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.events.agent import AgentResult
from finclaw_cli.core.events.numbers import NumberCounts
from finclaw_cli.core.events.parts import Failure, RunStatus
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.messages import Message
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage


class RunFailed(FinclawError):
    """A run ended with an error, and was asked to raise it."""

    def __init__(self, result: RunResult) -> None:
        failure = result.error
        message = failure.message if failure is not None else f"the run ended with exit code {result.exit_code}"
        super().__init__(message, hint=failure.hint if failure else None, code=failure.code if failure else None)
        self.exit_code = result.exit_code
        self.result = result
        """The result of the run."""


@record(kw_only=True)
class RunResult:
    """How a run ended. Secrets are masked in the text, the output and the error."""

    text: str
    """The final answer, or the part of it that had come when the run ended."""
    output: JsonValue
    """The answer as JSON, where a schema was given; else None."""
    status: RunStatus
    exit_code: int
    """What the command line would exit with; 0 is success."""
    error: Failure | None
    stop_reason: str | None
    model: str | None
    session_id: str
    usage: Usage | None
    """Tokens of all requests of the run; None where they are unknown."""
    cost_usd: Decimal | None
    """In USD, of all requests of the run; None where it is unknown."""
    numbers: NumberCounts | None
    """Where the figures of the answer come from; None without `verify_numbers`."""
    tool_calls: dict[str, int]
    """How many calls ended in which status."""
    denied: tuple[str, ...]
    unknown: tuple[str, ...]
    """Tools whose outcome is unknown."""
    turns: int
    duration_s: float
    messages: tuple[Message, ...]
    """The conversation so far."""

    @property
    def is_ok(self) -> bool:
        """Whether the run ended with an answer and nothing is left to do."""
        return self.exit_code == 0

    def raise_for_error(self) -> RunResult:
        """Return the result.

        Raises:
            RunFailed: the exit code is not 0.
        """
        if not self.is_ok:
            raise RunFailed(self)
        return self

    def _repr_markdown_(self) -> str:
        """The result in a notebook: the answer, or the error."""
        if self.error is None:
            return self.text
        hint = f"\n\n{self.error.hint}" if self.error.hint else ""
        answer = f"{self.text}\n\n" if self.text else ""
        return f"{answer}**{self.error.code}**: {self.error.message}{hint}"


def run_result(event: AgentResult, messages: tuple[Message, ...]) -> RunResult:
    """The result of the last event of a run, with the conversation."""
    same = {item.name: getattr(event, item.name) for item in fields(RunResult) if hasattr(event, item.name)}
    return RunResult(**same, duration_s=event.duration_ms / 1_000, messages=messages)
