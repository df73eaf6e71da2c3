"""How the end of a run is reported: a reason to stop, or an error."""

from __future__ import annotations

from acp import RequestError, schema

from finclaw_cli import events

CREDENTIALS, CUT_OFF, NEEDS_HUMAN = 3, 9, 8
"""Exit codes, see docs/reference/exit-codes.md."""
_LIMITS = frozenset({"max_turns", "max_tool_calls"})


def stop_reason_of(result: events.AgentResult | None) -> schema.StopReason:
    """Why a run stopped; it has none where the user has cancelled it.

    Raises:
        RequestError: it failed.
    """
    if result is None or result.status == "aborted":
        return "cancelled"
    if result.exit_code == CUT_OFF:
        return "max_tokens" if result.stop_reason == "max_tokens" else "refusal"
    if result.error is not None and result.error.code in _LIMITS:
        return "max_turn_requests"
    if result.exit_code in {0, NEEDS_HUMAN} and result.error is None:
        return "end_turn"
    code, message, hint = (
        (result.error.code, result.error.message, result.error.hint)
        if result.error
        else ("failed", "the run failed", None)
    )
    raise refused(result.exit_code, code, message, hint)


def invalid(message: str, **data: object) -> RequestError:
    """The error of a request that is wrong, with words that editors show."""
    return RequestError(-32602, message, data or None)


def refused(exit_code: int, code: str, message: str, hint: str | None, number: int | None = None) -> RequestError:
    """The error of a run, with the exit code that the command line would have."""
    number = number or (-32000 if exit_code == CREDENTIALS else -32603)
    text = f"{message}. {hint}" if hint else message
    return RequestError(number, text, {"exit_code": exit_code, "code": code, "message": message, "hint": hint})
