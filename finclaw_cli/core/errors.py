"""What can go wrong, as one tree. Every leaf says what happened and, in `hint`, what to do next.

    FinclawError
    ├── UsageError            a bad option, file, setting, model name, or a plugin clash
    ├── CredentialsError      no key, found before anything is sent
    ├── ProviderError         the model's side failed; `reason` decides what is done about it
    ├── InvalidTransition     the run's state machine was asked for a forbidden move (a bug)
    ├── LaneFull              too many runs are already waiting
    ├── LaneTimeout           a run waited too long for its turn
    ├── SchemaUnsatisfied     the answer is not valid against `--schema`, also after one repair turn
    └── OutputClosed          nobody takes our output any more

`ToolError` stands apart: it is how a tool speaks to the model, not how finclaw fails.
"""

from __future__ import annotations

from typing import ClassVar, Literal

ProviderFailure = Literal[
    "rate_limit",
    "overloaded",
    "server_error",
    "timeout",
    "connection",
    "auth",
    "quota",
    "bad_request",
    "context_exceeded",
    "refused",
]

RETRIED: frozenset[ProviderFailure] = frozenset({"rate_limit", "overloaded", "server_error", "timeout", "connection"})
FAILED_OVER: frozenset[ProviderFailure] = RETRIED | {"quota"}


class FinclawError(Exception):
    """Anything finclaw itself reports: a message for people, a stable code for machines, a hint."""

    code: str = "internal"

    def __init__(self, message: str, *, hint: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code


class UsageError(FinclawError):
    """The command, a file or a setting is wrong; nothing was sent."""

    code = "usage"


class CredentialsError(FinclawError):
    """No key for the chosen provider; nothing was imported or sent."""

    code = "no_credentials"


class ProviderError(FinclawError):
    """The provider failed.

    `reason` is one of a closed set and decides about retry and failover; `code` is finer
    (`stream_truncated`, `stream_malformed`, the provider's own code); `retry_after_s` is what the server asked for.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: ProviderFailure,
        code: str | None = None,
        provider: str | None = None,
        status: int | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint, code=code or reason)
        self.reason: ProviderFailure = reason
        self.provider = provider
        self.status = status
        self.request_id = request_id
        self.retry_after_s = retry_after_s

    @property
    def retryable(self) -> bool:
        return self.reason in RETRIED

    @property
    def fails_over(self) -> bool:
        return self.reason in FAILED_OVER


class InvalidTransition(FinclawError):
    """A move that the table of states forbids."""

    code = "invalid_transition"

    def __init__(self, source: str, target: str, allowed: tuple[str, ...]) -> None:
        super().__init__(f"cannot go from {source!r} to {target!r}; allowed: {', '.join(allowed) or 'nothing'}")
        self.source = source
        self.target = target
        self.allowed = allowed


class LaneFull(FinclawError):
    """The lane's queue has no place left."""

    code = "lane_full"


class LaneTimeout(FinclawError):
    """Waited in the lane for longer than allowed."""

    code = "lane_timeout"


class SchemaUnsatisfied(FinclawError):
    """The final answer is not the JSON that was asked for."""

    code = "schema_unsatisfied"


class OutputClosed(FinclawError):
    """The reader of our output went away, or the output cannot be written."""

    code = "stdout_closed"
    broken_pipe: ClassVar[bool] = True


class OutputFailed(OutputClosed):
    """The output cannot be written at all: a full disk, or a descriptor that was closed before we started."""

    code = "stdout_failed"
    broken_pipe: ClassVar[bool] = False


class ToolError(Exception):
    """Raised by a tool to tell the model what went wrong, in words it can act on."""
