"""From the result of a run to what becomes of its item."""

from __future__ import annotations

from typing import Final

from finclaw_cli.batch.queue import MOST_DEATHS, Claim, Outcome, State
from finclaw_cli.batch.round_provider import TIRED
from finclaw_cli.core import exits
from finclaw_cli.core.errors import CredentialsError, FinclawError, OutputFailed, SessionBusy
from finclaw_cli.core.events.agent import AgentResult
from finclaw_cli.core.events.lines import payload
from finclaw_cli.core.record import record

RECORD_FAILED: Final = "record_failed"
CROWDED: Final = frozenset({"rate_limit", "overloaded"})
MOST_REFUSALS: Final = 10
"""An item that was given back so often, for want of a server that is free, is failed."""


@record(kw_only=True)
class BatchStop:
    """Why no further items are run: they would all end in the same way."""

    exit_code: int
    message: str
    hint: str | None = None


@record(kw_only=True)
class Later:
    """The item is given back."""

    stop: BatchStop | None = None
    """Why no other item is run; None where the next ones may succeed."""
    is_busy: bool = False
    """Whether what it needs is used by others, so that the next attempt has to wait."""


def fate(result: AgentResult, claim: Claim) -> Outcome | Later:
    """What becomes of an item whose run has ended."""
    code, error = result.exit_code, result.error
    if result.status == "aborted" or code == exits.BUSY:
        return Later(is_busy=code == exits.BUSY)
    if error is not None and error.code in CROWDED and claim.attempt < MOST_REFUSALS:
        return Later(is_busy=True)
    if error is not None and error.code == TIRED:
        return Later()
    is_unrecorded = error is not None and error.code == RECORD_FAILED and claim.attempt <= MOST_DEATHS
    if code in {exits.BUDGET, exits.CREDENTIALS} or is_unrecorded:
        message = error.message if error is not None else f"a run ended with exit code {code}"
        return Later(stop=BatchStop(exit_code=code, message=message, hint=error.hint if error is not None else None))
    return outcome_of(result)


def outcome_of(result: AgentResult) -> Outcome:
    """The end of an item whose run has ended for good."""
    return Outcome(state=_state(result), exit_code=result.exit_code, result=payload(result))


def _state(result: AgentResult) -> State:
    if result.exit_code == exits.OK:
        return "ok"
    if result.exit_code == exits.NEEDS_HUMAN:
        return "unknown" if result.unknown else "denied"
    return "failed"


def fate_of_error(error: FinclawError, claim: Claim) -> Outcome | Later:
    """What becomes of an item whose run could not begin."""
    if isinstance(error, SessionBusy):
        return Later(is_busy=True)
    if isinstance(error, CredentialsError) or (isinstance(error, OutputFailed) and claim.attempt <= MOST_DEATHS):
        return Later(stop=BatchStop(exit_code=error.exit_code, message=error.message, hint=error.hint))
    return Outcome(state="failed", exit_code=error.exit_code, reason=error.message)
