"""What can go wrong, as one tree. Every leaf has a message of what happened and, in `hint`, what to do next.

    FinclawError
    ├── UsageError            a bad option, file, setting, model name, or a plugin clash
    ├── CredentialsError      no key, found before anything is sent
    ├── ProviderError         the model's side failed; `reason` decides what is done about it
    ├── TurnLimit             no answer within the turns allowed
    ├── BudgetReached         the next request could cost more than may be spent
    ├── ToolCallLimit         more tool calls than allowed
    ├── InvalidTransition     the run's state machine was asked for a forbidden move (a bug)
    ├── LaneFull              too many runs are already waiting
    ├── LaneTimeout           a run waited too long for its turn
    ├── SchemaUnsatisfied     the answer is not valid against `--schema`, also after one repair turn
    ├── UngroundedNumbers     the answer has numbers that no tool has given, with `--verify-numbers fail`
    ├── OutputFailed          something finclaw has to write cannot be written
    └── LedgerFailed          the record of what was spent cannot be read or written (in `ledger.failures`)

`ToolError` stands apart: it is how a tool speaks to the model, not how finclaw fails.
"""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core import exits
from finclaw_cli.core.interruption import PluginExit, error_text

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
NO_SUCH_MODEL = 404
PLUGIN_FAILED = "plugin_failed"
"""The code of an error that is a fault of a plugin."""
FAILED_OVER: frozenset[ProviderFailure] = RETRIED | {"quota"}


class FinclawError(Exception):
    """Anything finclaw itself reports: a message for people, a stable code for machines, a hint."""

    code: str = "internal"
    exit_code: int = exits.UNEXPECTED

    def __init__(self, message: str, *, hint: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code


def unexpected(error: BaseException) -> FinclawError:
    """Wrap what should not have happened, so that it can be reported like everything else."""
    if isinstance(error, PluginExit):
        reported = FinclawError(f"code of a plugin failed: {error}", hint="Run it with --debug to see its traceback.")
    else:
        reported = FinclawError(
            f"unexpected {error_text(error)}",
            hint="This is a bug in finclaw: please report it with the output of the same command and --debug.",
        )
    reported.__cause__ = error
    return reported


class UsageError(FinclawError):
    """The command, a file or a setting is wrong; nothing was sent."""

    code = "usage"
    exit_code = exits.USAGE


class CredentialsError(FinclawError):
    """No key for the chosen provider; nothing was imported or sent."""

    code = "no_credentials"
    exit_code = exits.CREDENTIALS


class ProviderError(FinclawError):
    """The provider failed.

    `reason` is one of a closed set and decides about retry and failover; `code` is that, or finer (`stream_truncated`,
    `tools_unsupported`), and never depends on the server's words. `provider_code` is the server's own code or type;
    `retry_after_s` is what the server asked for.
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
        provider_code: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint, code=code or reason)
        self.provider_code = provider_code
        self.reason: ProviderFailure = reason
        self.exit_code = _provider_exit_code(reason, status)
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


def _provider_exit_code(reason: ProviderFailure, status: int | None) -> int:
    match reason:
        case "auth" | "quota":
            return exits.CREDENTIALS
        case "context_exceeded":
            return exits.LIMIT
        case "refused":
            return exits.CUT_OFF
        case "bad_request" if status == NO_SUCH_MODEL:
            return exits.USAGE
        case _:
            return exits.PROVIDER


class TurnLimit(FinclawError):
    """The model kept asking for tools."""

    code = "max_turns"
    exit_code = exits.LIMIT


class BudgetReached(FinclawError):
    """The money that may be spent is not enough for the next request, or ended in the middle of an answer."""

    code = "budget"
    exit_code = exits.BUDGET


class ToolCallLimit(FinclawError):
    """The model asked for more tool calls than the run may make."""

    code = "max_tool_calls"
    exit_code = exits.LIMIT


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
    exit_code = exits.BUSY


class LaneTimeout(FinclawError):
    """Waited in the lane for longer than allowed."""

    code = "lane_timeout"
    exit_code = exits.BUSY


class SessionBusy(FinclawError):
    """Another process writes the session."""

    code = "session_busy"
    exit_code = exits.BUSY


class SchemaUnsatisfied(FinclawError):
    """The final answer is not the JSON that was asked for."""

    code = "schema_unsatisfied"
    exit_code = exits.INVALID_ANSWER


class UngroundedNumbers(FinclawError):
    """The final answer has numbers that come from no tool, and that is not allowed."""

    code = "ungrounded_numbers"
    exit_code = exits.INVALID_ANSWER


class OutputFailed(FinclawError):
    """Something finclaw has to write cannot be written: a full disk, a closed descriptor."""

    code = "output_failed"
    exit_code = exits.UNEXPECTED


class ToolError(Exception):
    """Raised by a tool to tell the model what went wrong, in words it can act on.

    `outage=True` means that the service behind an external tool failed, not the caller: after some of these in a row
    the tool is left alone for a while.
    """

    def __init__(self, message: str = "", *, outage: bool = False) -> None:
        super().__init__(message)
        self.outage = outage


class OutcomeUnknown(ToolError):
    """Raised by a tool that cannot find out whether what it was asked to do has happened.

    The call ends with the status `unknown`, unless the tool's `reconcile` finds out, and the run with exit code 8.
    """
