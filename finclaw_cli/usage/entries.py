"""What the ledger keeps: a row for each request to a model, and one for each call of a tool.

A row is known by its natural key, so that writing it again (a rebuild, a run that is taken up) adds nothing. An entry
that could not be kept, or would spoil the sums of all the others, cannot be made: that is a ValueError.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Literal

from finclaw_cli.core.events.budget import RequestStatus
from finclaw_cli.core.events.parts import CallStatus
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage

RequestPurpose = Literal["turn", "compaction", "numbers", "other"]

# Calendars of all time zones can be trusted between these.
FIRST_YEAR, LAST_YEAR = 1971, 9990
# No request costs as much, or is priced as finely: sums of what is within are exact.
_MOST_USD = Decimal(10) ** 12
_FINEST_EXPONENT = -60
# What is counted beyond this was made up: thirty thousand years are as many milliseconds.
_MOST = 10**15


@record(kw_only=True)
class RequestEntry:
    """One request; `run_id`, `turn`, `attempt`, `purpose` and `number` tell it from any other."""

    at: datetime
    run_id: str
    session_id: str
    turn: int
    attempt: int
    """From 1; a higher one is a retry."""
    agent_id: str
    provider: str
    model: str
    usage: Usage | None
    """None where it was not reported."""
    cost_usd: Decimal | None
    """None where it has no price."""
    price_source: str
    """Which prices, of which version, empty where there are none; then a comma and the tier that is not `standard`."""
    purpose: RequestPurpose = "turn"
    status: RequestStatus = "complete"
    is_estimated: bool = False
    """Whether tokens were counted here, because they were not reported whole."""
    number: int = 0
    """Which one of several that share the rest of the key."""
    uncached_usd: Decimal | None = None
    """What the same tokens would have cost had none come from a cache or gone to one; None where that is unknown."""

    def __post_init__(self) -> None:
        _check_time(self.at)
        _check_cost(self.cost_usd)
        _check_cost(self.uncached_usd)
        _check_numbers(self.turn, self.attempt, self.number)


@record(kw_only=True)
class ToolEntry:
    """One call of a tool; `run_id`, `turn` and `call_id` tell it from any other."""

    at: datetime
    run_id: str
    session_id: str
    turn: int
    call_id: str
    agent_id: str
    tool: str
    status: CallStatus
    duration_ms: int | None
    """None where it did not run, or the duration is unknown."""

    def __post_init__(self) -> None:
        _check_time(self.at)
        _check_numbers(self.turn, self.duration_ms or 0)


Entry = RequestEntry | ToolEntry


def _check_time(at: datetime) -> None:
    if at.tzinfo is None or not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise ValueError(f"not a moment that can be kept: {at}")


def _check_numbers(*numbers: int) -> None:
    for number in numbers:
        if not 0 <= number <= _MOST:
            raise ValueError(f"not a number that can be kept: {number}")


def _check_cost(cost: Decimal | None) -> None:
    if cost is None:
        return
    exponent = cost.as_tuple().exponent
    if not isinstance(exponent, int) or not 0 <= cost < _MOST_USD or exponent < _FINEST_EXPONENT:
        raise ValueError(f"not an amount that can be kept: {cost}")
